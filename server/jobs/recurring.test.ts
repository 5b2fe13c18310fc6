import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { dayTurn } from '../board/config/day.ts';
import { aClaim, aKey, submitted } from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { createSuiteApp, createTestApp, NOW, type TestApp } from '../dev/test/test-app.ts';
import { Watcher } from '../dev/test/watcher.ts';
import { jobKindsOf } from '../feature.ts';
import { features } from '../features.ts';
import { makeBackup } from '../ops/backup/make-backup.ts';
import { type InsideKind, type JobKind, nextHour } from './job-kind.ts';
import { createJobs, type Jobs } from './runner.ts';

const NEVER_MS = 1_000_000_000;
let count = 0;
const at = (seconds: number): Date => new Date(Date.parse(NOW) + seconds * 1_000);
const HOUR_S = 3_600;

function running({ ctx }: TestApp, kinds: readonly JobKind<unknown>[]): Jobs {
  const jobs = createJobs(ctx, kinds, { everyMs: NEVER_MS });
  onTestFinished(jobs.stop);
  return jobs;
}

const hourly = (given: Partial<InsideKind<null>>): InsideKind<null> => ({
  kind: `test.hourly.${++count}`,
  runs: 'inside',
  payload: z.null(),
  next: nextHour,
  run: async () => undefined,
  ...given,
});

const dueOf = async ({ ctx }: TestApp, { kind }: { kind: string }): Promise<string[]> =>
  (await ctx.db.selectFrom('jobs').select('due_at').where('kind', '=', kind).execute()).map(
    ({ due_at }) => due_at,
  );
const boardDate = async ({ ctx }: TestApp): Promise<string> =>
  (await ctx.db.selectFrom('clock').select('board_date').executeTakeFirstOrThrow()).board_date;

describe.each(databases)('recurring jobs on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('is stored where it is missing, runs at each of its times, and is stored for the next in the same write', async () => {
    let runs = 0;
    const kind = hourly({
      run: async () => {
        runs += 1;
        return undefined;
      },
    });
    const jobs = running(app, [kind]);
    await jobs.runDue();
    expect([runs, await dueOf(app, kind)]).toEqual([1, [at(HOUR_S).toISOString()]]);
    await jobs.runDue();
    expect(runs).toBe(1);
    // After a long downtime it runs once.
    app.setNow(at(5 * HOUR_S + 60).toISOString());
    await jobs.runDue();
    expect([runs, await dueOf(app, kind)]).toEqual([2, [at(6 * HOUR_S).toISOString()]]);
  });

  it('runs sooner again if work is left, and advances no clock if there is none', async () => {
    let left = 3;
    const kind = hourly({
      isNeeded: async () => left > 0,
      run: async () => {
        left -= 1;
        return left > 0 ? 'more' : undefined;
      },
    });
    const jobs = running(app, [kind]);
    const clock = app.ctx.bus.clock();
    for (const seconds of [0, 1, 2, 3]) {
      app.setNow(at(seconds).toISOString());
      await jobs.runDue();
    }
    expect(left).toBe(0);
    app.setNow(at(HOUR_S).toISOString());
    await jobs.runDue();
    expect(await dueOf(app, kind)).toEqual([at(2 * HOUR_S).toISOString()]);
    expect(app.ctx.bus.clock()).toBe(clock + 3);
  });

  it('is not skipped for a time that passes while the run before is found not to be needed', async () => {
    let runs = 0;
    const kind = hourly({
      isNeeded: async () => {
        const isNeeded = app.ctx.now() >= at(HOUR_S);
        app.setNow(at(HOUR_S).toISOString());
        return isNeeded;
      },
      run: async () => {
        runs += 1;
        return undefined;
      },
    });
    const jobs = running(app, [kind]);
    await jobs.runDue();
    expect([runs, await dueOf(app, kind)]).toEqual([0, [at(HOUR_S).toISOString()]]);
    await jobs.runDue();
    expect([runs, await dueOf(app, kind)]).toEqual([1, [at(2 * HOUR_S).toISOString()]]);
  });

  it('is never given up: it runs at its next time at the latest', async () => {
    const kind = hourly({
      retry_after_s: [2 * HOUR_S],
      run: async () => {
        throw new Error('not yet');
      },
    });
    const jobs = running(app, [kind]);
    for (const hours of [0, 1, 2]) {
      app.setNow(at(hours * HOUR_S).toISOString());
      await jobs.runDue();
      expect(await dueOf(app, kind)).toEqual([at((hours + 1) * HOUR_S).toISOString()]);
    }
  });

  it('that the settings switch off is not stored', async () => {
    const kind = hourly({ next: () => null });
    await running(app, [kind]).runDue();
    expect(await dueOf(app, kind)).toEqual([]);
  });

  it('covers all recurring jobs', async () => {
    await running(app, jobKindsOf(features)).runDue();
    const stored = await app.ctx.db
      .selectFrom('jobs')
      .select('kind')
      .where('key', '=', '')
      .execute();
    // Tests make no backups that they do not ask for.
    const recurring = jobKindsOf(features)
      .filter(({ kind, next }) => next && kind !== makeBackup.kind)
      .map(({ kind }) => kind);
    expect(stored.map(({ kind }) => kind)).toEqual(expect.arrayContaining(recurring));
  });
});

describe.each(databases)('the end of the day on %s', (dialect) => {
  it('is due at the server save, resets every board, and follows a clock that leaps ahead and back', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    await submitted(app, key, aClaim(key));
    const watcher = new Watcher(app.url, { access_key: key.key_value });
    await watcher.connect();
    expect(watcher.records('claim').size).toBe(1);
    const jobs = running(app, [dayTurn]);
    const clock = app.ctx.bus.clock();
    await jobs.runDue();
    // 1 o'clock Pacific time; if the day has already started, nothing is written.
    expect([app.ctx.bus.clock(), await dueOf(app, dayTurn)]).toEqual([
      clock,
      ['2026-11-22T09:00:00.000Z'],
    ]);

    app.setNow('2026-11-22T09:00:00.000Z');
    await jobs.runDue();
    expect(await boardDate(app)).toBe('2026-11-22');
    await watcher.reached(clock + 1);
    expect(watcher.records('claim').size).toBe(0);

    app.setNow('2027-03-01T12:00:00.000Z');
    await jobs.runDue();
    expect([await boardDate(app), await dueOf(app, dayTurn)]).toEqual([
      '2027-03-01',
      ['2027-03-02T09:00:00.000Z'],
    ]);
    app.setNow(NOW);
    await jobs.runDue();
    expect([await boardDate(app), await dueOf(app, dayTurn)]).toEqual([
      '2026-11-21',
      ['2026-11-22T09:00:00.000Z'],
    ]);
    await watcher.reached(clock + 3);
    expect(watcher.records('claim').size).toBe(1);
  });

  it('is moved back at the next poll if it was added while the clock was ahead', async () => {
    const app = await createTestApp(dialect);
    const jobs = running(app, [dayTurn]);
    await jobs.runDue();
    app.setNow('2026-11-22T09:00:00.000Z');
    await aKey(app);
    expect([await boardDate(app), await dueOf(app, dayTurn)]).toEqual([
      '2026-11-22',
      ['2026-11-23T09:00:00.000Z'],
    ]);
    app.setNow(NOW);
    await jobs.runDue();
    expect([await boardDate(app), await dueOf(app, dayTurn)]).toEqual([
      '2026-11-21',
      ['2026-11-22T09:00:00.000Z'],
    ]);
  });

  it('is noticed by a running server without a write', async () => {
    const app = await createTestApp(dialect, { serve: { jobs: { everyMs: 20 } } });
    app.setNow('2026-11-22T09:00:00.000Z');
    await expect.poll(() => boardDate(app), { timeout: 30_000 }).toBe('2026-11-22');
  });
});
