import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aName } from '../dev/test/builders.ts';
import { filledDatabase } from '../dev/test/databases.ts';
import { createTestApp } from '../dev/test/test-app.ts';
import { refusalOfDatabase } from './errors.ts';
import { openPostgres, type PostgresLimits } from './postgres.ts';
import { DATABASE_FILE } from './sqlite.ts';
import { MANY_ROWS, writeMany } from './unit-of-work.ts';

const PATIENT = { timeout: 30_000 };

async function opened(limits: PostgresLimits) {
  const { settings, drop } = await filledDatabase('postgres');
  const url = settings.DATABASE_URL ?? '';
  const database = await openPostgres(url, pino({ level: 'silent' }), limits);
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  onTestFinished(async () => {
    await other.end();
    await database.close();
    await drop();
  });
  const write = () =>
    database.writer.transaction().execute((tx) =>
      tx
        .updateTable('clock')
        .set((of) => ({ value: of('value', '+', 1) }))
        .execute(),
    );
  const heldFor = async (): Promise<number> => {
    const { rows } = await sql<{
      ms: number;
    }>`select coalesce(max(extract(epoch from clock_timestamp() - query_start)), 0) * 1000 as ms
      from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
      database.db,
    );
    return Number(rows[0]?.ms);
  };
  return { database, other, write, heldFor };
}

const refusal = async (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => refusalOfDatabase(error)?.code,
  );

it('a write waits for the lock that another server holds, longer than a statement may take', async () => {
  // Answers are waited for 1.5 s, which a busy machine needs as soon as the lock is free.
  const { other, write, heldFor } = await opened({
    answerMs: 2_000,
    statementMs: 300,
    lockMs: 60_000,
  });
  await other.query('begin; select * from clock for update');
  const writing = write();
  await expect.poll(heldFor, PATIENT).toBeGreaterThan(4_000);
  await other.query('commit');
  await writing;
});

it('and gets 503 server.busy if that takes too long', async () => {
  const { other, write } = await opened({ lockMs: 200 });
  await other.query('begin; select * from clock for update');
  expect(await refusal(write())).toBe('server.busy');
  await other.query('rollback');
  expect(await refusal(write())).toBe('done');
});

it('a write that takes long itself is cancelled, and its connection remains of use', async () => {
  const { database, write } = await opened({ answerMs: 700, statementMs: 300, lockMs: 60_000 });
  expect(await refusal(sql`select pg_sleep(600)`.execute(database.writer))).toBe(
    'server.databaseAway',
  );
  expect(await refusal(write())).toBe('done');
});

describe('a lock on the SQLite file that another program holds', () => {
  it('keeps writes waiting, and neither reads nor probes; it costs no write', async () => {
    const app = await createTestApp('sqlite');
    const other = new BetterSqlite(path.join(app.settings.DATA_DIR, DATABASE_FILE));
    onTestFinished(() => void other.close());
    other.exec('begin immediate');
    let answered = 0;
    const writes = Array.from({ length: 3 }, () =>
      app.api
        .post('/categories')
        .set(app.admin)
        .send({ name: aName('Category') })
        .then(({ status }) => {
          answered += 1;
          return status;
        }),
    );
    await expect.poll(() => app.ctx.writes.waiting(), PATIENT).toBeGreaterThan(0);
    for (let round = 0; round < 3; round += 1) {
      for (const probe of ['/healthz', '/readyz', '/api/categories'])
        expect((await fetch(`${app.url}${probe}`)).status).toBe(200);
    }
    expect(answered).toBe(0);
    other.exec('rollback');
    expect(await Promise.all(writes)).toEqual([201, 201, 201]);
  });

  it('is waited for by a large write in its own thread', async () => {
    const app = await createTestApp('sqlite');
    const other = new BetterSqlite(path.join(app.settings.DATA_DIR, DATABASE_FILE));
    onTestFinished(() => void other.close());
    other.exec('begin immediate');
    let isDone = false;
    const write = writeMany(app.ctx, MANY_ROWS, async () => {
      isDone = true;
    });
    for (let round = 0; round < 3; round += 1)
      expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    expect(isDone).toBe(false);
    other.exec('rollback');
    await write;
  });
});

it('ten long reads keep no other read waiting', async () => {
  const { database, other } = await opened({});
  await other.query('begin; lock table archived_claims in access exclusive mode');
  const long = Array.from({ length: 10 }, () =>
    database.longReads.selectFrom('archived_claims').select('id').limit(1).execute(),
  );
  let isOver = false;
  void Promise.allSettled(long).then(() => {
    isOver = true;
  });
  for (let reads = 0; reads < 20; reads += 1)
    await database.db.selectFrom('admins').select('id').execute();
  expect(isOver).toBe(false);
  await other.query('rollback');
  await Promise.all(long);
});
