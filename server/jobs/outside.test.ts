import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { databases, freshDatabase } from '../dev/test/databases.ts';
import { later } from '../dev/test/jobs.ts';
import { createSuiteApp, createTestApp, NOW, type TestApp } from '../dev/test/test-app.ts';
import type { Lease, OutsideKind } from './job-kind.ts';
import { addJob } from './job-store.ts';
import { LEASE_S } from './run-job.ts';
import { createJobs, type Jobs } from './runner.ts';

const NEVER_MS = 1_000_000_000;
/** A busy machine takes its time. */
const PATIENT = { timeout: 30_000 };
let count = 0;

const at = (seconds: number): Date => new Date(Date.parse(NOW) + seconds * 1_000);

/** A job that runs until the test ends it. */
interface UnderWay extends Lease {
  key: string;
  end: (settle?: Awaited<ReturnType<OutsideKind<string>['run']>>) => void;
  fail: (why: string) => void;
}

function aKind(max_running = 2): { kind: OutsideKind<string>; begun: UnderWay[] } {
  const begun: UnderWay[] = [];
  const kind: OutsideKind<string> = {
    kind: `test.outside.${++count}`,
    runs: 'outside',
    payload: z.string(),
    max_running,
    timeout_s: 60,
    run: (_ctx, { key }, { signal, mayContinue }) =>
      new Promise((resolve, reject) => {
        begun.push({
          key,
          signal,
          mayContinue,
          end: resolve,
          fail: (why) => reject(new Error(why)),
        });
      }),
  };
  return { kind, begun };
}

function running({ ctx }: Pick<TestApp, 'ctx'>, kinds: readonly OutsideKind<string>[]): Jobs {
  const jobs = createJobs(ctx, kinds, { everyMs: NEVER_MS });
  onTestFinished(jobs.stop);
  return jobs;
}

const stored = ({ ctx }: TestApp, { kind }: { kind: string }) =>
  ctx.db.selectFrom('jobs').selectAll().where('kind', '=', kind).orderBy('id').execute();

/** Resolves when the nth job has started. */
async function nth(begun: readonly UnderWay[], n: number): Promise<UnderWay> {
  await expect.poll(() => begun.length, PATIENT).toBeGreaterThanOrEqual(n);
  const found = begun[n - 1];
  if (!found) throw new Error('it has not begun');
  return found;
}

describe.each(databases)('a job on %s that waits for something outside', (dialect) => {
  const app = createSuiteApp(dialect);

  it('without visible changes advances no clock, and the jobs it adds are due in time', async () => {
    const { kind, begun } = aKind();
    const unseen: OutsideKind<string> = { ...kind, unseen: true };
    for (const key of ['done', 'again'])
      await later(app, unseen, { key, due_at: at(0), payload: 'x' });
    const clock = app.ctx.bus.clock();
    await running(app, [unseen]).runDue();
    await nth(begun, 2);
    for (const { key, end } of begun) {
      end(async (unit) => {
        if (key === 'again') await addJob(unit, unseen, { key, due_at: at(60), payload: 'y' });
      });
    }
    await expect
      .poll(
        async () =>
          (await stored(app, unseen)).map(({ key, due_at, attempts }) => [key, due_at, attempts]),
        PATIENT,
      )
      .toEqual([['again', at(60).toISOString(), 0]]);
    expect(app.ctx.bus.clock()).toBe(clock);
  });

  it('blocks no write while it runs, and is deleted with its outcome', async () => {
    const { kind, begun } = aKind();
    await later(app, kind, { key: 'k', due_at: at(0), payload: 'x' });
    await running(app, [kind]).runDue();
    const job = await nth(begun, 1);
    await app.api.put('/admin/config').set(app.admin).send({ submission_enabled: 1 }).expect(200);
    const clock = app.ctx.bus.clock();
    expect(await stored(app, kind)).toMatchObject([
      { attempts: 1, leased_until: at(LEASE_S).toISOString() },
    ]);
    job.end(async (unit) => {
      unit.changes.remove('category', 900_000);
      await addJob(unit, kind, { key: 'k', due_at: at(500), payload: 'again' });
    });
    await expect.poll(() => app.ctx.bus.clock(), PATIENT).toBe(clock + 1);
    expect(await stored(app, kind)).toMatchObject([
      { attempts: 0, leased_until: null, payload: '"again"', due_at: at(500).toISOString() },
    ]);
  });

  it('is tried again later where it fails, and given up after the last time, while others go on', async () => {
    const { kind, begun } = aKind();
    const jobs = running(app, [{ ...kind, retry_after_s: [5] }]);
    await later(app, kind, { key: 'bad', due_at: at(0), payload: 'x' });
    await jobs.runDue();
    (await nth(begun, 1)).fail('503');
    await expect
      .poll(() => stored(app, kind), PATIENT)
      .toMatchObject([
        { attempts: 1, last_error: '503', leased_until: null, due_at: at(5).toISOString() },
      ]);
    app.setNow(at(5).toISOString());
    await later(app, kind, { key: 'good', due_at: at(5), payload: 'x' });
    await jobs.runDue();
    (await nth(begun, 3)).end();
    (await nth(begun, 2)).fail('gone');
    await expect
      .poll(() => stored(app, kind), PATIENT)
      .toMatchObject([{ key: 'bad', last_error: 'gone', given_up_at: at(5).toISOString() }]);
  });

  it('runs beside so many of its kind, and beside all of others', async () => {
    const slow = aKind(2);
    const other = aKind(1);
    const jobs = running(app, [slow.kind, other.kind]);
    for (const key of ['a', 'b', 'c'])
      await later(app, slow.kind, { key, due_at: at(0), payload: 'x' });
    await later(app, other.kind, { key: 'o', due_at: at(0), payload: 'x' });
    await jobs.runDue();
    await nth(other.begun, 1);
    await nth(slow.begun, 2);
    await jobs.runDue();
    expect(slow.begun).toHaveLength(2);
    slow.begun[0]?.end();
    expect((await nth(slow.begun, 3)).key).toBe('c');
    for (const { end } of [...slow.begun, ...other.begun]) end();
  });

  it('that is added again while it runs runs once more, after the first run', async () => {
    const { kind, begun } = aKind();
    const jobs = running(app, [kind]);
    await later(app, kind, { key: 'k', due_at: at(0), payload: 'first' });
    await jobs.runDue();
    const first = await nth(begun, 1);
    await later(app, kind, { key: 'k', due_at: at(0), payload: 'second' });
    await jobs.runDue();
    expect(begun).toHaveLength(1);
    first.end();
    (await nth(begun, 2)).end();
    await expect.poll(() => stored(app, kind), PATIENT).toEqual([]);
  });

  it('of a server that stops is given back at once: its signal aborts, and it counts as no try', async () => {
    const { kind, begun } = aKind();
    const jobs = running(app, [kind]);
    await later(app, kind, { key: 'k', due_at: at(0), payload: 'x' });
    await jobs.runDue();
    const job = await nth(begun, 1);
    await jobs.stop();
    expect(job.signal.aborted).toBe(true);
    expect(await stored(app, kind)).toMatchObject([{ attempts: 0, leased_until: null }]);
  });

  it('finishes a running job when its server stops, stores its result, and starts no more', async () => {
    const { kind, begun } = aKind();
    const finishing: OutsideKind<string> = { ...kind, finishes: true };
    const jobs = running(app, [finishing]);
    for (const key of ['ends', 'does not'])
      await later(app, finishing, { key, due_at: at(0), payload: 'x' });
    await jobs.runDue();
    const one = await nth(begun, 1);
    const two = await nth(begun, 2);
    expect(await one.mayContinue()).toBe(true);
    const stopped = jobs.stop();
    expect([one.signal.aborted, await one.mayContinue()]).toEqual([false, false]);
    const finished: string[] = [];
    one.end(async () => void finished.push(one.key));
    two.signal.addEventListener('abort', () => two.fail('aborted'));
    await stopped;
    expect(finished).toEqual(['ends']);
    expect(await stored(app, kind)).toMatchObject([
      { key: 'does not', attempts: 0, leased_until: null, last_error: null },
    ]);
  });

  it('keeps its lease while it runs, and is ended where that is another one’s', async () => {
    const { kind, begun } = aKind();
    const jobs = createJobs(app.ctx, [kind], { everyMs: NEVER_MS, renewEveryMs: 5 });
    onTestFinished(jobs.stop);
    await later(app, kind, { key: 'k', due_at: at(0), payload: 'x' });
    await jobs.runDue();
    const job = await nth(begun, 1);
    app.setNow(at(LEASE_S - 1).toISOString());
    const leases = async () => (await stored(app, kind)).map(({ leased_until }) => leased_until);
    await expect.poll(leases, PATIENT).toEqual([at(2 * LEASE_S - 1).toISOString()]);
    app.setNow(at(LEASE_S + 1).toISOString());
    expect(await job.mayContinue()).toBe(true);
    // Moved it is still this server's; taken by another one it is not.
    await later(app, kind, { key: 'k', due_at: at(0), payload: 'y' });
    await expect.poll(leases, PATIENT).toEqual([at(2 * LEASE_S + 1).toISOString()]);
    expect([await job.mayContinue(), job.signal.aborted]).toEqual([true, false]);
    await app.ctx.writes.transaction((tx) =>
      tx
        .updateTable('jobs')
        .set({ leased_until: at(200).toISOString() })
        .where('kind', '=', kind.kind)
        .execute(),
    );
    await expect.poll(() => job.signal.aborted, PATIENT).toBe(true);
    expect(await job.mayContinue()).toBe(false);
    expect(await leases()).toEqual([at(200).toISOString()]);
  });
});

/** Two servers on PostgreSQL; on SQLite a crashed one and its successor. */
describe.each(databases)('a job on %s whose server died before its end', (dialect) => {
  it('is run by the next server when its lease expires, and the first one’s late outcome is ignored', async () => {
    const on = await freshDatabase(dialect);
    onTestFinished(on.drop);
    const here = await createTestApp(dialect, { on });
    const there = dialect === 'postgres' ? await createTestApp(dialect, { on }) : here;
    const { kind, begun } = aKind();
    await later(here, kind, { key: 'k', due_at: at(0), payload: 'x' });
    await running(here, [kind]).runDue();
    const dead = await nth(begun, 1);
    await expect.poll(() => stored(here, kind), PATIENT).toMatchObject([{ attempts: 1 }]);

    const next = running(there, [kind]);
    there.setNow(at(LEASE_S - 1).toISOString());
    await next.runDue();
    expect(begun).toHaveLength(1);
    there.setNow(at(LEASE_S).toISOString());
    await next.runDue();
    const second = await nth(begun, 2);
    expect([await dead.mayContinue(), await second.mayContinue()]).toEqual([false, true]);
    const finished: string[] = [];
    dead.end(async () => void finished.push('dead'));
    second.end(async () => void finished.push('second'));
    await expect.poll(() => stored(there, kind), PATIENT).toEqual([]);
    expect(finished).toEqual(['second']);
  });

  it('is run at once where the clock has leapt back since', async () => {
    const app = await createTestApp(dialect);
    const { kind, begun } = aKind();
    app.setNow(at(1_000_000).toISOString());
    await later(app, kind, { key: 'k', due_at: at(0), payload: 'x' });
    await running(app, [kind]).runDue();
    await nth(begun, 1);
    await expect.poll(() => stored(app, kind), PATIENT).toMatchObject([{ attempts: 1 }]);
    app.setNow(at(0).toISOString());
    await running(app, [kind]).runDue();
    (await nth(begun, 2)).end();
    await expect.poll(() => stored(app, kind), PATIENT).toEqual([]);
  });
});

describe('two servers on one PostgreSQL database', () => {
  it('run a job outside on one of them', async () => {
    const on = await freshDatabase('postgres');
    onTestFinished(on.drop);
    const here = await createTestApp('postgres', { on });
    const there = await createTestApp('postgres', { on });
    const { kind, begun } = aKind(20);
    for (let n = 0; n < 10; n += 1)
      await later(here, kind, { key: `${n}`, due_at: at(0), payload: 'x' });
    const both = [running(here, [kind]), running(there, [kind])];
    await Promise.all(both.map((jobs) => jobs.runDue()));
    await nth(begun, 10);
    await Promise.all(both.map((jobs) => jobs.runDue()));
    expect(begun.map(({ key }) => key).sort()).toEqual(
      Array.from({ length: 10 }, (_, n) => `${n}`),
    );
    for (const { end } of begun) end();
    await expect.poll(() => stored(here, kind), PATIENT).toEqual([]);
  });
});
