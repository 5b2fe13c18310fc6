import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { doneMigrations, MIGRATION_NAMES } from '../db/migrate.ts';
import { ofVersion2 } from '../db/migrations/test/version-2.ts';
import { readEnv } from '../env.ts';
import { databases, type TestDatabase } from '../test/databases.ts';
import { createTestApp, NOW } from '../test/test-app.ts';
import { fileNameAt } from './file-name.ts';
import { makeBackup } from './job.ts';
import { keepNewest } from './kept.ts';
import { aFolder, restored } from './test/records.ts';

vi.setConfig({ testTimeout: 180_000 });
/** A program is started. */
const PATIENT = { timeout: 120_000 };

const backups = ({ DATA_DIR }: TestDatabase['settings']): string => path.join(DATA_DIR, 'backups');
const kept = async (settings: TestDatabase['settings']): Promise<string[]> => (await readdir(backups(settings)).catch(() => [])).sort();
const whole = async (settings: TestDatabase['settings']): Promise<string[]> =>
  (await kept(settings)).filter((name) => name.endsWith('.gz'));

describe.each(databases)('a server on %s', (dialect) => {
  it('makes a backup by itself, at the start and then by the clock, and tells how old the newest is', async () => {
    const app = await createTestApp(dialect, { env: { BACKUP_HOURS: '24' } });
    const age = async () => /^claimboard_backup_age_seconds (\S+)$/m.exec(await app.ctx.metrics.registry.metrics())?.[1];
    const [first, second] = ['claimboard-2026-11-21-180000-timed.jsonl.gz', 'claimboard-2026-11-22-000000-timed.jsonl.gz'];
    await expect.poll(() => whole(app.settings), PATIENT).toEqual([first]);
    const file = path.join(backups(app.settings), first);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await age()).toBe('0');
    const dueAt = async () =>
      (await app.ctx.db.selectFrom('jobs').select('due_at').where('kind', '=', makeBackup.kind).execute())[0]?.due_at;
    await expect.poll(dueAt, PATIENT).toBe('2026-11-22T00:00:00.000Z');
    app.setNow('2026-11-21T23:59:59.000Z');
    await app.runDue();
    expect([await age(), await whole(app.settings)]).toEqual([String(6 * 3_600 - 1), [first]]);
    app.setNow('2026-11-22T00:00:00.000Z');
    await app.runDue();
    await expect.poll(() => whole(app.settings), PATIENT).toEqual([first, second]);
    await restored(dialect, file);
  });

  it('goes on where a backup fails, says so, and tries again', async () => {
    const app = await createTestApp(dialect, { env: { BACKUP_HOURS: '24' } });
    await expect.poll(() => whole(app.settings), PATIENT).toHaveLength(1);
    await expect
      .poll(
        async () =>
          (await app.ctx.db.selectFrom('jobs').select('leased_until').where('kind', '=', makeBackup.kind).execute())[0]?.leased_until,
        PATIENT,
      )
      .toBe(null);
    // There is a file of the name that the next one would have.
    const name = fileNameAt(new Date('2026-11-22T00:00:00.000Z'), 'timed');
    await writeFile(path.join(backups(app.settings), name), 'mine');
    app.setNow('2026-11-22T00:00:00.000Z');
    await app.runDue();
    const failed = async () =>
      (await app.ctx.db.selectFrom('jobs').select(['attempts', 'last_error', 'due_at']).where('kind', '=', makeBackup.kind).execute())[0];
    await expect
      .poll(failed, PATIENT)
      .toMatchObject({ attempts: 1, last_error: expect.stringContaining('exists already'), due_at: '2026-11-22T00:01:00.000Z' });
    expect(await readFile(path.join(backups(app.settings), name), 'utf8')).toBe('mine');
    await app.api.get('/config').expect(200);
  });

  it('keeps its database as it was before a new version changes it', async () => {
    const on = await ofVersion2(dialect, (of) => of.respawn('Old spot').then(() => undefined));
    await createTestApp(dialect, { on });
    const [name = '', ...others] = await kept(on.settings);
    expect([name, others]).toEqual(['claimboard-2026-11-21-180000-before-003-names-addresses.jsonl.gz', []]);
    const file = path.join(backups(on.settings), name);
    const [header = ''] = gunzipSync(await readFile(file))
      .toString()
      .split('\n', 1);
    expect(JSON.parse(header)).toMatchObject({ schema: MIGRATION_NAMES.slice(0, 2), tables: { respawns: 1 } });
    await restored(dialect, file);
    // Of one that is up to date none is made.
    const { settings } = await createTestApp(dialect);
    expect(await kept(settings)).toEqual([]);
  });

  it('does not begin to change it where that fails, unless no backups are wanted', async () => {
    const on = await ofVersion2(dialect, async () => {});
    await writeFile(backups(on.settings), 'not a folder');
    const refused = createTestApp(dialect, { on });
    await expect(refused).rejects.toThrow(/^this version changes the database, and the backup before it failed: .* BACKUPS_KEPT to 0/);
    await expect(refused).rejects.toMatchObject({ name: 'StartError' });
    const app = await createTestApp(dialect, { on, env: { BACKUPS_KEPT: '0' } });
    expect(await doneMigrations(app.ctx.db, dialect)).toEqual(MIGRATION_NAMES);
    expect(await readFile(backups(on.settings), 'utf8')).toBe('not a folder');
  });
});

describe('backups that are made by themselves', () => {
  it('are kept so many of each kind, and nothing else is taken away', async () => {
    const DATA_DIR = await aFolder();
    const folder = backups({ DATA_DIR });
    await mkdir(folder);
    const day = (nth: number): Date => new Date(Date.UTC(2026, 10, nth));
    const timed = [1, 2, 3, 4].map((nth) => fileNameAt(day(nth), 'timed'));
    const before = [1, 2, 3].map((nth) => fileNameAt(day(nth), 'before-009-waits'));
    const others = [fileNameAt(day(1)), 'board.jsonl.gz', 'claimboard.txt', 'claimboard-2026-11-01-000000-mine.jsonl.gz'];
    const [stale, begun] = [`${timed[0]}.0a.part`, `${timed[0]}.0b.part`];
    for (const name of [...timed, ...before, ...others, stale, begun]) await writeFile(path.join(folder, name), '');
    const now = new Date();
    await utimes(path.join(folder, stale), now, new Date(now.getTime() - 90_000_000));
    await keepNewest({ DATA_DIR, BACKUPS_KEPT: 2 }, now);
    expect(await readdir(folder).then((names) => names.sort())).toEqual([...timed.slice(2), ...before.slice(1), ...others, begun].sort());
  });

  it('come every so many hours, or never', () => {
    const next = (variables: Record<string, string>) =>
      makeBackup.next?.({ env: readEnv(variables), now: () => new Date(NOW) })?.toISOString();
    expect(next({})).toBe('2026-11-22T00:00:00.000Z');
    expect(next({ BACKUP_HOURS: '1' })).toBe('2026-11-21T19:00:00.000Z');
    expect([next({ BACKUP_HOURS: '0' }), next({ BACKUPS_KEPT: '0' })]).toEqual([undefined, undefined]);
  });
});
