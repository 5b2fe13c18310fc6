import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { databases, type TestDatabase } from '../../dev/test/databases.ts';
import { isLong } from '../../dev/test/scope.ts';
import { createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { readEnv } from '../../env.ts';
import { looksAt } from '../doctor/test/looks.ts';
import { fileNameAt, rotateBackups } from './backup-files.ts';
import { makeBackup } from './make-backup.ts';
import { addRecord } from './records.ts';
import { aFolder, restored } from './test/records.ts';

vi.setConfig({ testTimeout: 180_000 });
/** A program is started. */
const PATIENT = { timeout: 120_000 };

const backups = ({ DATA_DIR }: TestDatabase['settings']): string => path.join(DATA_DIR, 'backups');
const kept = async (settings: TestDatabase['settings']): Promise<string[]> =>
  (await readdir(backups(settings)).catch(() => [])).sort();
const whole = async (settings: TestDatabase['settings']): Promise<string[]> =>
  (await kept(settings)).filter((name) => name.endsWith('.gz'));

describe.each(databases)('a server on %s', (dialect) => {
  it('makes a backup at the start and then by the clock, and reports the age of the newest', async () => {
    const app = await createTestApp(dialect, { env: { BACKUP_HOURS: '24' } });
    const age = async () =>
      /^claimboard_backup_age_seconds (\S+)$/m.exec(await app.ctx.metrics.registry.metrics())?.[1];
    const first = 'claimboard-2026-11-21-180000-timed.jsonl.gz';
    const second = 'claimboard-2026-11-22-000000-timed.jsonl.gz';
    await expect.poll(() => whole(app.settings), PATIENT).toEqual([first]);
    const file = path.join(backups(app.settings), first);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await age()).toBe('0');
    const dueAt = async () =>
      (
        await app.ctx.db
          .selectFrom('jobs')
          .select('due_at')
          .where('kind', '=', makeBackup.kind)
          .execute()
      )[0]?.due_at;
    await expect.poll(dueAt, PATIENT).toBe('2026-11-22T00:00:00.000Z');
    app.setNow('2026-11-21T23:59:59.000Z');
    await app.runDue();
    expect([await age(), await whole(app.settings)]).toEqual([String(6 * 3_600 - 1), [first]]);
    app.setNow('2026-11-22T00:00:00.000Z');
    await app.runDue();
    await expect.poll(() => whole(app.settings), PATIENT).toEqual([first, second]);
    await restored(dialect, file);
  });
});

describe('a server', () => {
  it('continues after a failed backup, reports it, and tries again', async () => {
    const app = await createTestApp('sqlite', { env: { BACKUP_HOURS: '24' } });
    await expect.poll(() => whole(app.settings), PATIENT).toHaveLength(1);
    await expect
      .poll(
        async () =>
          (
            await app.ctx.db
              .selectFrom('jobs')
              .select('leased_until')
              .where('kind', '=', makeBackup.kind)
              .execute()
          )[0]?.leased_until,
        PATIENT,
      )
      .toBe(null);
    // There is a file of the name that the next one would have.
    const name = fileNameAt(new Date('2026-11-22T00:00:00.000Z'), 'timed');
    await writeFile(path.join(backups(app.settings), name), 'mine');
    app.setNow('2026-11-22T00:00:00.000Z');
    await app.runDue();
    const failed = async () =>
      (
        await app.ctx.db
          .selectFrom('jobs')
          .select(['attempts', 'last_error', 'due_at'])
          .where('kind', '=', makeBackup.kind)
          .execute()
      )[0];
    await expect.poll(failed, PATIENT).toMatchObject({
      attempts: 1,
      last_error: expect.stringContaining('exists already'),
      due_at: '2026-11-22T00:01:00.000Z',
    });
    expect(await readFile(path.join(backups(app.settings), name), 'utf8')).toBe('mine');
    await app.api.get('/config').expect(200);
  });
});

/** Waits until no backup is being made, and the next one is stored for later. */
const backupsRested = ({ ctx }: TestApp): Promise<void> =>
  expect
    .poll(async () => {
      const jobs = await ctx.db
        .selectFrom('jobs')
        .select(['leased_until', 'due_at'])
        .where('kind', '=', makeBackup.kind)
        .execute();
      return jobs.map(
        ({ leased_until, due_at }) => leased_until === null && due_at > ctx.now().toISOString(),
      );
    }, PATIENT)
    .toEqual([true]);

/** Two servers on one database, whose clocks differ; each with its own folder and a week's backups. */
async function twoServers(seconds: number) {
  // From before midnight of the first server to after midnight of the second one.
  const before_s = 5 * Math.ceil(seconds / 5) + 10;
  const begin_ms = Date.parse('2026-11-22T00:00:00.000Z') - before_s * 1_000;
  const env = { BACKUP_HOURS: '24' };
  const first = await createTestApp('postgres', { env });
  const second = await createTestApp('postgres', {
    env,
    on: { settings: { ...first.settings, DATA_DIR: await aFolder() }, drop: async () => {} },
  });
  await backupsRested(first);
  const week = [16, 17, 18, 19, 20, 21].map((day) =>
    fileNameAt(new Date(`2026-11-${day}T00:00:00.000Z`), 'timed'),
  );
  for (const { settings } of [first, second]) {
    await mkdir(backups(settings), { recursive: true });
    for (const name of week) await writeFile(path.join(backups(settings), name), '');
  }
  const before = await Promise.all([whole(first.settings), whole(second.settings)]);
  for (let passed = 0; passed <= before_s + 10; passed += 5) {
    for (const [app, ahead] of [
      [first, seconds],
      [second, 0],
    ] as const) {
      app.setNow(new Date(begin_ms + (passed + ahead) * 1_000).toISOString());
      await app.runDue();
      await backupsRested(app);
    }
  }
  const after = await Promise.all([whole(first.settings), whole(second.settings)]);
  return {
    lost: after.flatMap((names, nth) => before[nth]?.filter((name) => !names.includes(name)) ?? []),
    made: after.flatMap((names, nth) => names.filter((name) => !before[nth]?.includes(name))),
    first,
    second,
  };
}

describe('two servers whose clocks differ', () => {
  it.each(isLong ? [22, 65] : [65])(
    'at %i s make one backup at midnight, lose none of a week’s, and describe it alike',
    async (seconds) => {
      const { lost, made, first, second } = await twoServers(seconds);
      expect(lost).toEqual([]);
      // The first look of the server that is ahead, every five seconds.
      const made_at = new Date(Date.parse('2026-11-22T00:00:00.000Z') + (seconds % 5) * 1_000);
      expect(made).toEqual([fileNameAt(made_at, 'timed')]);
      const at = new Date(made_at.getTime() + 600_000).toISOString();
      const progress = [];
      for (const app of [first, second]) {
        app.setNow(at);
        const { body } = await app.api.get('/admin/system').set(app.admin).expect(200);
        const age = /^claimboard_backup_age_seconds (\S+)$/m.exec(
          await app.ctx.metrics.registry.metrics(),
        )?.[1];
        const [check] = await looksAt({ ...app, env: { BACKUP_HOURS: '24' } }, 'backup');
        progress.push({
          age,
          at: body.data.backup.newest.made_at,
          name: body.data.backup.newest.name,
          check: check?.params?.at,
        });
        expect(check?.finding).toBe(
          body.data.backup.newest.elsewhere === null ? 'ok' : 'elsewhere',
        );
      }
      expect(progress[0]).toMatchObject({
        age: '600',
        at: made_at.toISOString(),
        name: made[0],
        check: made_at.toISOString(),
      });
      expect(progress[1]).toEqual(progress[0]);
    },
  );
});

describe('timed backups', () => {
  it('rotate and say which files they deleted; nothing else is deleted', async () => {
    const DATA_DIR = await aFolder();
    const folder = backups({ DATA_DIR });
    await mkdir(folder);
    const day = (nth: number): Date => new Date(Date.UTC(2026, 10, nth));
    const timed = [1, 2, 3, 14].map((nth) => fileNameAt(day(nth), 'timed'));
    const before = [1, 2, 3].map((nth) => fileNameAt(day(nth), 'before-009-waits'));
    const others = [
      fileNameAt(day(1)),
      'board.jsonl.gz',
      'claimboard.txt',
      'claimboard-2026-11-01-000000-mine.jsonl.gz',
    ];
    const stale = `${timed[0]}.0a.part`;
    const begun = `${timed[0]}.0b.part`;
    for (const name of [...timed, ...before, ...others, stale, begun])
      await writeFile(path.join(folder, name), '');
    const now = new Date();
    await utimes(path.join(folder, stale), now, new Date(now.getTime() - 90_000_000));
    const log = { info: vi.fn() };
    await rotateBackups({
      env: { DATA_DIR, BACKUPS_KEPT: 2 },
      log,
      now,
      made: path.join(folder, timed[3] ?? ''),
    });
    expect(await readdir(folder).then((names) => names.sort())).toEqual(
      [...timed.slice(2), ...before.slice(1), ...others, begun].sort(),
    );
    const deleted = expect.arrayContaining([...timed.slice(0, 2), ...before.slice(0, 1)]);
    expect(log.info.mock.calls).toEqual([[{ folder, deleted, kept: 2 }, expect.any(String)]]);
  });

  it('delete nothing while the clock may be wrong', async () => {
    const app = await createTestApp('sqlite', { env: { BACKUP_HOURS: '24', BACKUPS_KEPT: '1' } });
    await backupsRested(app);
    const old = fileNameAt(new Date('2026-10-01T00:00:00.000Z'), 'timed');
    await writeFile(path.join(backups(app.settings), old), '');
    vi.spyOn(app.ctx.clock, 'deletionPaused').mockReturnValue({
      reason: 'jumped',
      seconds: 600,
      until: new Date(NOW),
    });
    app.setNow('2026-11-22T00:00:00.000Z');
    await app.runDue();
    await expect.poll(() => whole(app.settings), PATIENT).toHaveLength(3);
    await backupsRested(app);
    vi.restoreAllMocks();
    app.setNow('2026-11-23T00:00:00.000Z');
    await app.runDue();
    await expect.poll(() => whole(app.settings), PATIENT).not.toContain(old);
  });

  it('run at the configured interval, or never, and not twice at once', async () => {
    const { ctx } = await createTestApp('sqlite');
    const next = async (variables: Record<string, string>) =>
      (
        await makeBackup.next?.({ ...ctx, env: readEnv(variables), now: () => new Date(NOW) })
      )?.toISOString();
    expect(await next({})).toBe('2026-11-22T00:00:00.000Z');
    expect(await next({ BACKUP_HOURS: '1' })).toBe('2026-11-21T19:00:00.000Z');
    expect([await next({ BACKUP_HOURS: '0' }), await next({ BACKUPS_KEPT: '0' })]).toEqual([
      undefined,
      undefined,
    ]);
    const made = (at: string) =>
      addRecord(ctx, {
        occasion: 'timed',
        file: '/elsewhere/a.gz',
        bytes: 1,
        started_at: new Date(at),
      });
    await made('2026-11-22T00:00:30.000Z');
    expect(await next({})).toBe('2026-11-23T00:00:00.000Z');
    // By a clock that has jumped since.
    await made('2027-11-22T00:00:30.000Z');
    expect(await next({})).toBe('2026-11-22T00:00:00.000Z');
  });
});
