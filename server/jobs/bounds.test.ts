import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { change, changeUnheard } from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { hadWork, later } from '../dev/test/jobs.ts';
import { createSuiteApp, NOW, type TestApp } from '../dev/test/test-app.ts';
import type { InsideKind, JobKind, OutsideKind } from './job-kind.ts';
import { addMissingJob, deleteGivenUpJobs } from './job-store.ts';
import { createJobs, type Jobs } from './runner.ts';

const NEVER_MS = 1_000_000_000;
const DAY_MS = 86_400_000;
let count = 0;

const since = (ms: number): Date => new Date(Date.parse(NOW) + ms);
function running({ ctx }: TestApp, kind: JobKind<unknown>): Jobs {
  const jobs = createJobs(ctx, [kind], { everyMs: NEVER_MS });
  onTestFinished(jobs.stop);
  return jobs;
}
const stored = ({ ctx }: TestApp, { kind }: { kind: string }) =>
  ctx.db.selectFrom('jobs').selectAll().where('kind', '=', kind).execute();

describe.each(databases)('limits of a job on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('keeps the first job if another is added only when missing; otherwise the new one replaces it', async () => {
    app.setNow(NOW);
    const kind: InsideKind<number> = {
      kind: `test.missing.${++count}`,
      runs: 'inside',
      payload: z.number(),
      run: async () => {},
    };
    const missing = (payload: number) =>
      change(app, (unit) =>
        addMissingJob(unit, kind, { key: 'k', due_at: since(payload), payload }),
      );
    await missing(5);
    await changeUnheard(app, (tx) =>
      tx
        .updateTable('jobs')
        .set({ attempts: 2, leased_until: since(30_000).toISOString() })
        .where('kind', '=', kind.kind)
        .execute(),
    );
    const before = await stored(app, kind);
    expect(before).toMatchObject([{ due_at: since(5).toISOString(), payload: '5' }]);
    await missing(1);
    expect(await stored(app, kind)).toEqual(before);
    await later(app, kind, { key: 'k', due_at: since(9), payload: 9 });
    expect(await stored(app, kind)).toMatchObject([
      { due_at: since(9).toISOString(), payload: '9', attempts: 0 },
    ]);
  });

  it('is as long as its kind says, and half a minute where its server is gone', async () => {
    app.setNow(NOW);
    const begun = Promise.withResolvers<void>();
    const kind: OutsideKind<null> = {
      kind: `test.long.${++count}`,
      runs: 'outside',
      payload: z.null(),
      max_running: 1,
      timeout_s: 0.05,
      run: (_ctx, _job, { signal }) => {
        begun.resolve();
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      },
    };
    await later(app, kind, { key: '', due_at: since(0), payload: null });
    const seen: (string | null)[] = [];
    const looking: OutsideKind<null> = {
      ...kind,
      run: async (...args) => {
        seen.push(...(await stored(app, kind)).map(({ leased_until }) => leased_until));
        return kind.run(...args);
      },
    };
    await running(app, looking).runDue();
    await begun.promise;
    expect(seen).toEqual([since(30_000).toISOString()]);
    await expect
      .poll(() => stored(app, kind))
      .toMatchObject([
        { leased_until: null, attempts: 1, last_error: expect.stringContaining('timeout') },
      ]);
  });

  it('is eleven tries, each after a longer pause, where its kind does not say otherwise', async () => {
    app.setNow(NOW);
    const tries: string[] = [];
    const kind: InsideKind<null> = {
      kind: `test.bad.${++count}`,
      runs: 'inside',
      payload: z.null(),
      run: async ({ ctx: { now } }) => {
        tries.push(now().toISOString());
        throw new Error('never');
      },
    };
    const jobs = running(app, kind);
    await later(app, kind, { key: '', due_at: since(0), payload: null });
    for (
      let [job] = await stored(app, kind);
      job && !job.given_up_at;
      [job] = await stored(app, kind)
    ) {
      app.setNow(job.due_at);
      await jobs.runDue();
    }
    const waited = tries
      .slice(1)
      .map((at, before) => (Date.parse(at) - Date.parse(tries[before] ?? '')) / 1_000);
    expect(waited).toEqual([5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200]);
    expect(await stored(app, kind)).toMatchObject([{ attempts: 11, given_up_at: tries.at(-1) }]);
  });

  it('is thirty days in the table once it is given up, and no more', async () => {
    app.setNow(NOW);
    const kind = { kind: `test.given-up.${++count}`, payload: z.null() };
    await later(
      app,
      { ...kind, runs: 'inside', run: async () => undefined },
      { key: '', due_at: since(0), payload: null },
    );
    const given_up_at = since(0).toISOString();
    await changeUnheard(app, (tx) =>
      tx.updateTable('jobs').set({ given_up_at }).where('kind', '=', kind.kind).execute(),
    );
    app.setNow(since(30 * DAY_MS).toISOString());
    await hadWork(app, deleteGivenUpJobs);
    expect(await stored(app, kind)).toHaveLength(1);
    app.setNow(since(30 * DAY_MS + 1).toISOString());
    await hadWork(app, deleteGivenUpJobs);
    expect(await stored(app, kind)).toEqual([]);
  });
});
