import { createHash } from 'node:crypto';
import { chmod, chown, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { CheckName } from '../../../shared/rules/findings.ts';
import { openDatabase } from '../../db/open-database.ts';
import { DATABASE_FILE } from '../../db/sqlite.ts';
import {
  aClaim,
  aDestination,
  aKey,
  anActiveEvent,
  aSpot,
  changeUnheard,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createSuiteApp, createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { ARCHIVED_TABLES } from '../backup/archive-format.ts';
import { writeArchive } from '../backup/archive-writer.ts';
import { fileNameAt } from '../backup/backup-files.ts';
import { addRecord } from '../backup/records.ts';
import { reasonOf } from './examine.ts';
import { looksAt, readOnly } from './test/looks.ts';

const silently = (app: TestApp, text: string): Promise<unknown> =>
  changeUnheard(app, (tx) => sql.raw(text).execute(tx));

/** Writes like a foreign program: past the database's own constraints. */
async function pastTheRules(app: TestApp, text: string): Promise<void> {
  const { DATABASE_URL, DATA_DIR } = app.settings;
  if (DATABASE_URL) {
    const client = new pg.Client(DATABASE_URL);
    await client.connect();
    await client.query(`set session_replication_role = replica; ${text}`);
    await client.end();
    return;
  }
  const sqlite = new BetterSqlite(path.join(DATA_DIR, DATABASE_FILE));
  sqlite.pragma('foreign_keys = off');
  sqlite.exec(text);
  sqlite.close();
}

describe.each(databases)('the stored data, on %s', (dialect) => {
  // Without checkpoints, which change bytes of the file.
  const app = createSuiteApp(dialect, { context: { fileMonitor: { checkpoint: () => {} } } });
  const look = (...names: CheckName[]) => looksAt(app, ...names);

  beforeAll(async () => {
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
  });

  it('is healthy, and checking changes nothing: neither the clock, nor a row, nor a byte of the file', async () => {
    const everything = async (): Promise<unknown[]> => {
      const rows = await Promise.all(
        ARCHIVED_TABLES.map((name) =>
          sql`select * from ${sql.table(name)} order by 1, 2`.execute(app.ctx.db),
        ),
      );
      const file =
        dialect === 'sqlite' ? await readFile(path.join(app.settings.DATA_DIR, DATABASE_FILE)) : '';
      return [rows.map(({ rows: of }) => of), createHash('sha256').update(file).digest('hex')];
    };
    const before = await everything();
    const found = await looksAt(app);
    expect(found.map(({ name, finding }) => `${name} ${finding}`)).toEqual([
      'settings ok',
      'node ok',
      'build ok',
      'port free',
      'files ok',
      'disk ok',
      dialect === 'sqlite' ? 'network ok' : 'network elsewhere',
      'database ok',
      'clock ok',
      'address unset',
      'page unset',
      'live unset',
      'jobs ok',
      'due ok',
      'destinations none',
      'backup off',
      'integrity ok',
      'occupancy ok',
      'counts ok',
    ]);
    expect(await everything()).toEqual(before);
  });

  it('cannot be written by the checks', async () => {
    const writing = readOnly(app, (tx) =>
      tx.updateTable('config').set({ submission_enabled: 0 }).execute(),
    );
    expect(await writing.then(() => 'written', reasonOf)).toMatch(/read-?only/);
  });

  it('lacks an hour of a claim, or has one of no claim', async () => {
    const key = await aKey(app);
    const [claim] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: aSpot(), hour_start: 10, hour_end: 12 }),
    );
    const id = claim?.id ?? 0;
    await silently(app, `delete from occupied_hours where claim_id = ${id} and hour = 11`);
    const missing = { n: 1, what: 'missing', claim: id, date: '2026-11-21', hour: 'SS+11' };
    expect(await look('occupancy')).toEqual([
      { name: 'occupancy', finding: 'wrong', params: missing },
    ]);
    const spot = claim?.respawn_id;
    await silently(
      app,
      `insert into occupied_hours (respawn_id, date, hour, claim_id) values (${spot}, '2026-11-21', 11, ${id})`,
    );
    await silently(
      app,
      `insert into occupied_hours (respawn_id, date, hour, claim_id) values (${spot}, '2026-12-01', 3, ${id})`,
    );
    await silently(app, `delete from occupied_days where claim_id = ${id}`);
    const both = { n: 2, what: 'surplus', claim: id, date: '2026-12-01', hour: 'SS+3' };
    expect(await look('occupancy')).toEqual([
      { name: 'occupancy', finding: 'wrong', params: both },
    ]);
    await silently(app, `delete from occupied_hours where date = '2026-12-01'`);
    await silently(
      app,
      `insert into occupied_days select character_key, date, id from claims where id = ${id}`,
    );
    expect(await look('occupancy')).toMatchObject([{ finding: 'ok' }]);
  });

  it('has a count set wrong', async () => {
    await silently(app, 'update respawns set total_claims = total_claims + 7 where id = 60');
    const params = { n: 1, of: 'respawn', id: 60, kept: '7', counted: '0' };
    expect(await look('counts')).toEqual([{ name: 'counts', finding: 'wrong', params }]);
    await silently(app, 'update respawns set total_claims = total_claims - 7 where id = 60');
    expect(await look('counts')).toMatchObject([{ finding: 'ok' }]);
  });

  it('names missing rows', async () => {
    await pastTheRules(app, `update claim_parts set respawn_id = 9999`);
    expect(await look('integrity')).toEqual([
      {
        name: 'integrity',
        finding: 'orphans',
        params: { table: 'claim_parts', n: expect.any(Number) },
      },
    ]);
    await pastTheRules(
      app,
      `update claim_parts set respawn_id = (select min(respawn_id) from occupied_hours where claim_id = claim_parts.claim_id)`,
    );
    expect(await look('integrity')).toMatchObject([{ finding: 'ok' }]);
  });

  it("has jobs that fail, were given up, or don't run; and something that should have expired", async () => {
    const job =
      "insert into jobs (kind, key, due_at, payload, attempts, last_error, given_up_at) values ('news.send'";
    await silently(
      app,
      `${job}, 'a', '2026-11-21T17:00:00.000Z', 'null', 11, 'no such host', '2026-11-21T17:30:00.000Z')`,
    );
    expect(await look('jobs')).toEqual([
      {
        name: 'jobs',
        finding: 'givenUp',
        params: { n: 1, kind: 'news.send', error: 'no such host' },
      },
    ]);
    await silently(app, `${job}, 'b', '2026-11-21T18:01:00.000Z', 'null', 2, 'HTTP 500', null)`);
    expect(await look('jobs')).toEqual([
      { name: 'jobs', finding: 'failing', params: { n: 1, kind: 'news.send', error: 'HTTP 500' } },
    ]);
    await silently(app, `${job}, 'c', '2026-11-21T17:00:00.000Z', 'null', 0, null, null)`);
    await silently(app, `update clock set next_due = '2026-11-21T17:30:00.000Z'`);
    // Where no server runs they are late, and nothing is wrong.
    expect(await look('jobs', 'due')).toMatchObject([{ finding: 'failing' }, { finding: 'ok' }]);
    const served = await looksAt({ ...app, served: true }, 'jobs', 'due');
    expect(served).toEqual([
      { name: 'jobs', finding: 'late', params: { n: 1, kind: 'news.send', minutes: 60 } },
      { name: 'due', finding: 'late', params: { minutes: 30 } },
    ]);
    // A restored database sends nothing until an owner resumes it.
    await silently(app, `update jobs set kind = 'destination.send' where key = 'c'`);
    await silently(app, `update config set notifications_paused_at = '2026-11-21T17:00:00.000Z'`);
    expect(await looksAt({ ...app, served: true }, 'jobs')).toMatchObject([{ finding: 'failing' }]);
    await silently(app, 'update config set notifications_paused_at = null');
    await silently(app, 'delete from jobs');
    await silently(app, 'update clock set next_due = null');
  });

  it('has destinations that fail, or were switched off', async () => {
    const { id, name } = await aDestination(app);
    expect(await look('destinations')).toMatchObject([{ finding: 'ok', params: { n: 1 } }]);
    await silently(
      app,
      `update channels set waiting = 3, last_error = 'HTTP 500' where id = ${id}`,
    );
    expect(await look('destinations')).toMatchObject([
      { finding: 'failing', params: { n: 1, name, error: 'HTTP 500' } },
    ]);
    await silently(app, `update channels set switched_off = 'gone' where id = ${id}`);
    expect(await look('destinations')).toMatchObject([{ finding: 'off', params: { n: 1, name } }]);
    await silently(app, `update config set notifications_paused_at = '${NOW}'`);
    expect(await look('destinations')).toMatchObject([{ finding: 'paused' }]);
  });

  it('was stored by a clock that was ahead', async () => {
    app.setNow('2026-11-21T19:00:00.000Z');
    await anActiveEvent(app);
    app.setNow(NOW);
    expect(await look('clock')).toEqual([
      { name: 'clock', finding: 'future', params: { seconds: 3_600 } },
    ]);
  });

  it('is of a newer version, or of none: then nothing else is read', async () => {
    const other = await createTestApp(dialect);
    const names = ['database', 'jobs', 'occupancy'] as const;
    const unread = ['notLooked', 'notLooked'];
    const findings = async (): Promise<string[]> =>
      (await looksAt(other, ...names)).map(({ finding }) => finding);
    await silently(
      other,
      `insert into kysely_migration (name, timestamp) values ('999-years-later', '2027-01-01')`,
    );
    const [newer] = await looksAt(other, 'database');
    expect(newer).toMatchObject({
      finding: 'newer',
      params: { reason: expect.stringContaining('999-years-later') },
    });
    expect(await findings()).toEqual(['newer', ...unread]);
    await silently(other, 'delete from kysely_migration');
    expect(await findings()).toEqual(['empty', ...unread]);
  });
});

describe('a PostgreSQL that cannot be reached', () => {
  it('is reported with its reason', async () => {
    const env = { DATA_DIR: '/nowhere', DATABASE_URL: 'postgres://a:b@127.0.0.1:9/c' };
    const found = await looksAt({ settings: env }, 'files', 'database', 'counts');
    expect(found).toMatchObject([
      { finding: 'ok' },
      {
        finding: 'away',
        params: { reason: expect.stringContaining('PostgreSQL cannot be reached') },
      },
      { finding: 'notLooked' },
    ]);
  });
});

describe('the data folder', () => {
  const app = createSuiteApp('sqlite');
  const file = (name: string): string => path.join(app.settings.DATA_DIR, name);
  const look = async (...names: CheckName[]) =>
    (await looksAt(app, ...names)).map(({ finding, params }) => [finding, params]);

  it('is open to others, cannot be written, or is of another user', async () => {
    await chmod(app.settings.DATA_DIR, 0o755);
    expect(await look('files')).toEqual([['open', { path: app.settings.DATA_DIR }]]);
    await chmod(app.settings.DATA_DIR, 0o700);
    await chmod(file(DATABASE_FILE), 0o400);
    expect(await look('files')).toEqual([['notWritable', { path: file(DATABASE_FILE) }]]);
    await chmod(file(DATABASE_FILE), 0o600);
    await chmod(app.settings.DATA_DIR, 0o500);
    expect(await look('files')).toEqual([['notWritable', { path: app.settings.DATA_DIR }]]);
    await chmod(app.settings.DATA_DIR, 0o700);
    expect(await look('files')).toMatchObject([['ok', {}]]);
    expect(
      await looksAt({ settings: { DATA_DIR: file('none') } }, 'files', 'database'),
    ).toMatchObject([{ finding: 'missing' }, { finding: 'missing' }]);
  });

  it.skipIf(process.getuid?.() !== 0)('has a file of another user', async () => {
    await chown(file(DATABASE_FILE), 4711, 4711);
    expect(await look('files')).toEqual([['foreign', { path: file(DATABASE_FILE), owner: 4711 }]]);
    await chown(file(DATABASE_FILE), 0, 0);
  });

  it('is on a disk that is full, or nearly, or on a network drive', async () => {
    const on = async (
      disk: { free: number; total: number; type: number },
      name: 'disk' | 'network',
    ) => (await looksAt({ ...app, disk: async () => disk }, name))[0]?.finding;
    expect(await on({ free: 40_000_000, total: 1e12, type: 0 }, 'disk')).toBe('full');
    expect(await on({ free: 900_000_000, total: 1e12, type: 0 }, 'disk')).toBe('low');
    expect(await on({ free: 2e9, total: 1e12, type: 0 }, 'disk')).toBe('ok');
    // NFS, and CIFS with its sign.
    if (process.platform === 'linux') {
      expect(await on({ free: 1e12, total: 1e12, type: 0x6969 }, 'network')).toBe('network');
      expect(await on({ free: 1e12, total: 1e12, type: 0xff534d42 | 0 }, 'network')).toBe(
        'network',
      );
      expect(await on({ free: 1e12, total: 1e12, type: 0xef53 }, 'network')).toBe('ok');
    }
  });

  it('has a database that is damaged, or none', async () => {
    const other = await createTestApp('sqlite');
    const copy = path.join(other.settings.DATA_DIR, 'copy');
    await mkdir(copy);
    const bytes = await readFile(file(DATABASE_FILE));
    await writeFile(path.join(copy, DATABASE_FILE), bytes.fill(0x55, 40_960, 90_112));
    const [whole] = await looksAt({ settings: { DATA_DIR: copy } }, 'integrity');
    expect(['damaged', 'broke']).toContain(whole?.finding);
    await writeFile(
      path.join(copy, DATABASE_FILE),
      'this is a letter, and no database at all'.repeat(100),
    );
    expect(await looksAt({ settings: { DATA_DIR: copy } }, 'database', 'counts')).toMatchObject([
      { finding: 'damaged' },
      { finding: 'notLooked' },
    ]);
  });
});

it('a database file that was copied from a running server is reported like at the start, and nothing of it is read', async () => {
  const app = await createTestApp('sqlite');
  const copy = path.join(app.settings.DATA_DIR, 'copy');
  await mkdir(copy);
  await copyFile(path.join(app.settings.DATA_DIR, DATABASE_FILE), path.join(copy, DATABASE_FILE));
  const params = { file: path.join(copy, DATABASE_FILE), backup: 'FILE' };
  const look = () => looksAt({ settings: { DATA_DIR: copy } }, 'database', 'counts');
  expect(await look()).toMatchObject([{ finding: 'logMissing', params }, { finding: 'notLooked' }]);
  await copyFile(
    path.join(app.settings.DATA_DIR, `${DATABASE_FILE}-wal`),
    path.join(copy, `${DATABASE_FILE}-wal`),
  );
  expect(await look()).toMatchObject([{ finding: 'ok' }, { finding: 'ok' }]);
  await copyFile(inject('templates').filled.sqlite, path.join(copy, DATABASE_FILE));
  expect(await look()).toMatchObject([{ finding: 'logForeign', params }, { finding: 'notLooked' }]);
});

describe('backups', () => {
  it('are missing, too old, damaged, without a writable folder, or switched off', async () => {
    const app = await createTestApp('sqlite');
    const folder = path.join(app.settings.DATA_DIR, 'backups');
    const daily = { ...app, env: { BACKUP_HOURS: '24' } };
    const look = async (of = daily) => (await looksAt(of, 'backup'))[0];
    expect(await look()).toMatchObject({ finding: 'young' });
    expect(await look({ ...daily, env: { BACKUP_HOURS: '0' } })).toMatchObject({ finding: 'off' });
    app.setNow('2026-11-24T18:00:00.000Z');
    expect(await look()).toMatchObject({ finding: 'none' });
    const file = path.join(folder, fileNameAt(new Date('2026-11-23T18:00:00.000Z'), 'timed'));
    const database = await openDatabase(app.ctx.env, app.ctx.log, { beside: true });
    await writeArchive(database, file, { now: app.ctx.now });
    await database.close();
    expect(await look()).toEqual({
      name: 'backup',
      finding: 'ok',
      params: { at: '2026-11-23T18:00:00.000Z', size: expect.any(Number) },
    });
    app.setNow('2026-11-26T18:00:00.000Z');
    expect(await look()).toMatchObject({ finding: 'old' });
    expect(await look({ ...daily, env: { BACKUP_HOURS: '0' } })).toMatchObject({ finding: 'ok' });
    app.setNow('2026-11-24T18:00:00.000Z');
    await writeFile(file, (await readFile(file)).subarray(0, -20));
    expect(await look()).toMatchObject({
      finding: 'damaged',
      params: { reason: expect.stringContaining('ends too early') },
    });
    await rm(folder, { recursive: true });
    await writeFile(folder, 'not a folder');
    expect(await look()).toMatchObject({ finding: 'notWritable' });
  });

  it('that were lost do not count, under any host name; those of another server do', async () => {
    const app = await createTestApp('sqlite', { now: '2026-11-24T18:00:00.000Z' });
    const folder = path.join(app.settings.DATA_DIR, 'backups');
    const lookAt = async () =>
      (await looksAt({ ...app, env: { BACKUP_HOURS: '24' } }, 'backup'))[0];
    const age = async () =>
      /^claimboard_backup_age_seconds (\S+)$/m.exec(await app.ctx.metrics.registry.metrics())?.[1];
    const record = async (nth: number, at: string, fields: object = { bytes: 5 }) => {
      const file = path.join(folder, fileNameAt(new Date(at), 'timed'));
      const backup = { occasion: 'timed', file, bytes: 5, started_at: new Date(at) } as const;
      await addRecord(app.ctx, backup);
      await app.ctx.writes.transaction((tx) =>
        tx.updateTable('backups').set(fields).where('id', '=', nth).execute(),
      );
    };
    await record(1, '2026-11-24T16:00:00.000Z');
    await record(2, '2026-11-24T17:00:00.000Z', { server: 'old-container' });
    await record(3, '2026-11-24T17:30:00.000Z', { folder: '/lost' });
    expect(await lookAt()).toMatchObject({ finding: 'none' });
    expect(await age()).toBeUndefined();

    const file = path.join(folder, fileNameAt(new Date('2026-11-24T15:00:00.000Z'), 'timed'));
    const database = await openDatabase(app.ctx.env, app.ctx.log, { beside: true });
    await writeArchive(database, file, { now: app.ctx.now });
    await database.close();
    expect(await lookAt()).toMatchObject({
      finding: 'ok',
      params: { at: '2026-11-24T15:00:00.000Z' },
    });
    expect(await age()).toBe('10800');

    await record(4, '2026-11-24T15:30:00.000Z', {
      server: 'other-machine',
      folder: '/its/backups',
    });
    expect(await lookAt()).toMatchObject({
      finding: 'elsewhere',
      params: { server: 'other-machine', at: '2026-11-24T15:30:00.000Z' },
    });
    // A second server runs, with its own volume at the same path.
    await app.ctx.writes.transaction((tx) => {
      const seen = {
        started_at: '2026-11-24T17:59:59.000Z',
        seen_at: '2026-11-24T17:59:59.000Z',
        settings: '{}',
      };
      return tx
        .insertInto('servers')
        .values([
          { id: 'a', ...seen },
          { id: 'b', ...seen },
        ])
        .execute();
    });
    expect(await lookAt()).toMatchObject({
      finding: 'elsewhere',
      params: { server: 'old-container', at: '2026-11-24T17:00:00.000Z' },
    });
  });
});
