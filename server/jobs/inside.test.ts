import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { write } from '../db/unit-of-work.ts';
import { databases, freshDatabase } from '../dev/test/databases.ts';
import { later } from '../dev/test/jobs.ts';
import { createSuiteApp, createTestApp, NOW, type TestApp } from '../dev/test/test-app.ts';
import type { InsideKind, Job } from './job-kind.ts';
import { addJob, MAX_KEY, MAX_PAYLOAD, removeJob } from './job-store.ts';
import { createJobs, JOBS_A_LOOK, type Jobs } from './runner.ts';

/** It looks when a test says so. */
const NEVER_MS = 1_000_000_000;
/** A busy machine takes its time. */
const PATIENT = { timeout: 30_000 };
let count = 0;

type Note = z.infer<typeof note>;
const note = z.object({ text: z.string() });

const at = (seconds: number): Date => new Date(Date.parse(NOW) + seconds * 1_000);

/** Something to do later that notes what it was given. */
function aKind(run: (job: Job<Note>) => void = () => {}): {
  kind: InsideKind<Note>;
  ran: string[];
} {
  const ran: string[] = [];
  const kind: InsideKind<Note> = {
    kind: `test.${++count}`,
    runs: 'inside',
    payload: note,
    run: async ({ changes }, job) => {
      run(job);
      ran.push(`${job.key}: ${job.payload.text}`);
      changes.remove('category', 900_000 + count);
      return undefined;
    },
  };
  return { kind, ran };
}

function running({ ctx }: TestApp, kinds: readonly InsideKind<Note>[], everyMs = NEVER_MS): Jobs {
  const jobs = createJobs(ctx, kinds, { everyMs });
  onTestFinished(jobs.stop);
  return jobs;
}

const stored = ({ ctx }: TestApp, { kind }: { kind: string }) =>
  ctx.db.selectFrom('jobs').selectAll().where('kind', '=', kind).orderBy('id').execute();

describe.each(databases)('a job on %s that only the database is needed for', (dialect) => {
  const app = createSuiteApp(dialect);

  it('runs when it is due, in the order of the times, and is deleted', async () => {
    const { kind, ran } = aKind();
    for (const [key, seconds] of [
      ['c', 30],
      ['a', 10],
      ['d', 60],
      ['b', 20],
    ] as const)
      await later(app, kind, { key, due_at: at(seconds), payload: { text: 'x' } });
    const jobs = running(app, [kind]);
    await jobs.runDue();
    expect(ran).toEqual([]);
    app.setNow(at(30).toISOString());
    await jobs.runDue();
    expect(ran).toEqual(['a: x', 'b: x', 'c: x']);
    expect((await stored(app, kind)).map(({ key }) => key)).toEqual(['d']);
  });

  it('shares a transaction with its work: one clock and change set, all undone if it fails', async () => {
    const { kind, ran } = aKind(({ payload, attempt }) => {
      if (payload.text === 'fails' && attempt === 1) throw new Error('not today');
    });
    const jobs = running(app, [kind]);
    await later(app, kind, { key: 'k', due_at: at(0), payload: { text: 'fails' } });
    const clock = app.ctx.bus.clock();
    await jobs.runDue();
    expect(app.ctx.bus.clock()).toBe(clock);
    expect(await stored(app, kind)).toMatchObject([
      { attempts: 1, last_error: 'not today', due_at: at(5).toISOString() },
    ]);
    app.setNow(at(5).toISOString());
    await jobs.runDue();
    expect(ran).toEqual(['k: fails']);
    expect(app.ctx.bus.clock()).toBe(clock + 1);
    expect(await stored(app, kind)).toEqual([]);
  });

  it('that is added again is rescheduled, with the last payload', async () => {
    const { kind, ran } = aKind();
    const jobs = running(app, [kind]);
    await later(app, kind, { key: 'k', due_at: at(5), payload: { text: 'first' } });
    await later(app, kind, { key: 'k', due_at: at(60), payload: { text: 'second' } });
    app.setNow(at(5).toISOString());
    await jobs.runDue();
    expect(ran).toEqual([]);
    app.setNow(at(60).toISOString());
    await jobs.runDue();
    expect(ran).toEqual(['k: second']);
  });

  it('is stored with the write that adds it, or not at all, and can be taken back', async () => {
    const { kind } = aKind();
    const adding = write(app.ctx, async (unit) => {
      await addJob(unit, kind, { key: 'k', due_at: at(0), payload: { text: 'x' } });
      throw new Error('refused');
    });
    await expect(adding).rejects.toThrow('refused');
    expect(await stored(app, kind)).toEqual([]);
    await later(app, kind, { key: 'k', due_at: at(0), payload: { text: 'x' } });
    await write(app.ctx, ({ tx }) => removeJob(tx, kind, 'k'));
    expect(await stored(app, kind)).toEqual([]);
  });

  it('that always fails waits longer each time, is given up after the last, and never keeps another one from running', async () => {
    const bad = aKind(() => {
      throw new Error('never');
    });
    const kind = { ...bad.kind, retry_after_s: [5, 60] };
    const good = aKind();
    const jobs = running(app, [kind, good.kind]);
    await later(app, kind, { key: 'k', due_at: at(0), payload: { text: 'x' } });
    const dueAfter: (string | undefined)[] = [];
    for (const seconds of [0, 5, 65, 100_000]) {
      app.setNow(at(seconds).toISOString());
      await later(app, good.kind, {
        key: `${seconds}`,
        due_at: at(seconds),
        payload: { text: 'x' },
      });
      await jobs.runDue();
      dueAfter.push((await stored(app, kind))[0]?.due_at);
    }
    expect(good.ran).toHaveLength(4);
    expect(dueAfter).toEqual([at(5), at(65), at(65), at(65)].map((date) => date.toISOString()));
    expect(await stored(app, kind)).toMatchObject([
      { attempts: 3, last_error: 'never', given_up_at: at(65).toISOString() },
    ]);
    // Added again, it starts over.
    await later(app, kind, { key: 'k', due_at: at(200_000), payload: { text: 'x' } });
    expect(await stored(app, kind)).toMatchObject([
      { attempts: 0, last_error: null, given_up_at: null },
    ]);
  });

  it('of a kind that this version does not know is left alone, as is one whose payload it cannot read', async () => {
    const { kind, ran } = aKind();
    await later(app, kind, { key: 'new', due_at: at(0), payload: { text: 'x' } });
    await running(app, [aKind().kind]).runDue();
    expect(await stored(app, kind)).toMatchObject([{ attempts: 0, last_error: null }]);
    await running(app, [
      { ...kind, payload: z.object({ text: z.literal('y') }) } as never,
    ]).runDue();
    expect(ran).toEqual([]);
    expect(await stored(app, kind)).toMatchObject([{ attempts: 1 }]);
  });

  it('is bounded in size, and in how many run before other work', async () => {
    const { kind, ran } = aKind();
    for (const too of [
      { key: 'k'.repeat(MAX_KEY + 1), payload: { text: '' } },
      { key: 'k', payload: { text: 'x'.repeat(MAX_PAYLOAD) } },
    ])
      await expect(later(app, kind, { ...too, due_at: at(0) })).rejects.toThrow('too large');
    await write(app.ctx, async (unit) => {
      for (let nth = 0; nth < JOBS_A_LOOK + 5; nth += 1)
        await addJob(unit, kind, {
          key: `${nth}`,
          due_at: at(0),
          payload: { text: 'x' },
        });
    });
    const jobs = running(app, [kind]);
    await jobs.runDue();
    expect(ran).toHaveLength(JOBS_A_LOOK);
    // The rest run soon after.
    await expect.poll(() => ran.length, PATIENT).toBe(JOBS_A_LOOK + 5);
  });

  it('runs without a poll when it is added due, and at its time', async () => {
    const { kind, ran } = aKind();
    const jobs = running(app, [kind]);
    await later(app, kind, { key: 'far', due_at: at(30 * 86_400), payload: { text: 'x' } });
    await jobs.runDue();
    await later(app, kind, { key: 'now', due_at: at(0), payload: { text: 'x' } });
    await expect.poll(() => ran, PATIENT).toEqual(['now: x']);
    // A stopped clock never reaches it; the timer fires, and reads the clock again.
    await later(app, kind, { key: 'soon', due_at: at(0.05), payload: { text: 'x' } });
    app.setNow(at(1).toISOString());
    await expect.poll(() => ran, PATIENT).toEqual(['now: x', 'soon: x']);
  });

  it('is found by the next look when the clock leaps, or another process stored it, and waits when the clock leaps back', async () => {
    const { kind, ran } = aKind();
    const jobs = running(app, [kind], 20);
    await later(app, kind, { key: 'k', due_at: at(86_400), payload: { text: 'x' } });
    app.setNow(at(-86_400).toISOString());
    await jobs.runDue();
    expect(ran).toEqual([]);
    app.setNow(at(90_000).toISOString());
    await expect.poll(() => ran, PATIENT).toEqual(['k: x']);
  });

  it('waits while the server stops and is down, and runs when it starts', async () => {
    const { kind, ran } = aKind();
    const first = running(app, [kind], 10);
    await first.runDue();
    await first.stop();
    await later(app, kind, { key: 'k', due_at: at(0), payload: { text: 'x' } });
    await first.runDue();
    expect(ran).toEqual([]);
    await running(app, [kind]).runDue();
    expect(ran).toEqual(['k: x']);
  });

  it('is counted where it is late or failed', async () => {
    const fails = aKind(() => {
      throw new Error('never');
    });
    const late = aKind();
    await later(app, fails.kind, { key: 'k', due_at: at(0), payload: { text: 'x' } });
    const jobs = running(app, [fails.kind, late.kind]);
    await jobs.runDue();
    await jobs.stop();
    for (const key of ['a', 'b'])
      await later(app, late.kind, { key, due_at: at(0), payload: { text: 'x' } });
    const metrics = await app.ctx.metrics.registry.metrics();
    expect(metrics).toContain(`claimboard_jobs_failed_total{kind="${fails.kind.kind}"} 1`);
    expect(metrics).toContain(`claimboard_jobs_due{kind="${late.kind.kind}"} 2`);
  });
});

describe('two servers on one PostgreSQL database', () => {
  it('run every job, each exactly once', async () => {
    const on = await freshDatabase('postgres');
    onTestFinished(on.drop);
    const here = await createTestApp('postgres', { on });
    const there = await createTestApp('postgres', { on });
    const { kind, ran } = aKind();
    await write(here.ctx, async (unit) => {
      for (let nth = 0; nth < 40; nth += 1)
        await addJob(unit, kind, {
          key: `${nth}`,
          due_at: at(0),
          payload: { text: 'x' },
        });
    });
    const clock = here.ctx.bus.clock();
    await Promise.all([running(here, [kind]).runDue(), running(there, [kind]).runDue()]);
    expect(await stored(here, kind)).toEqual([]);
    // Jobs that were rolled back ran twice, but stored nothing the first time: each has one change set.
    expect(new Set(ran).size).toBe(40);
    const { value } = await here.ctx.db
      .selectFrom('clock')
      .select('value')
      .executeTakeFirstOrThrow();
    expect([value - clock, ran.length]).toEqual([40, 40]);
  });
});
