import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { aName } from '../dev/test/builders.ts';
import { createSuiteApp } from '../dev/test/test-app.ts';
import { DatabaseAway } from './errors.ts';
import { DATABASE_FILE } from './sqlite.ts';
import { openReadingWorker } from './worker-connection.ts';

const app = createSuiteApp('sqlite');
/** Longer than it takes the event loop to turn. */
const MANY = 300_000;
const countTo = (n: number) =>
  sql<{
    n: number;
  }>`with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${n}) select count(*) as n from numbers`;

it('a long read leaves the event loop free', async () => {
  let turns = 0;
  let isRead = false;
  const turn = (): void => {
    turns += 1;
    if (!isRead) setImmediate(turn);
  };
  setImmediate(turn);
  const { rows } = await countTo(MANY).execute(app.ctx.longReads);
  isRead = true;
  expect(rows).toEqual([{ n: MANY }]);
  expect(turns).toBeGreaterThan(10);
});

it('reads the last committed state', async () => {
  const name = aName('Category');
  await app.api.post('/categories').set(app.admin).send({ name }).expect(201);
  expect(
    await app.ctx.longReads
      .selectFrom('categories')
      .select('name')
      .where('name', '=', name)
      .execute(),
  ).toEqual([{ name }]);
});

it('several who ask at once are each answered with their own', async () => {
  const answers = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => countTo(n).execute(app.ctx.longReads)),
  );
  expect(answers.map(({ rows }) => rows[0]?.n)).toEqual([1, 2, 3, 4, 5]);
});

it('a statement that fails says why, and the next is answered', async () => {
  const wrong = sql`select * from nowhere`.execute(app.ctx.longReads);
  await expect(wrong).rejects.toThrow(BetterSqlite.SqliteError);
  await expect(wrong).rejects.toMatchObject({
    code: 'SQLITE_ERROR',
    message: 'no such table: nowhere',
  });
  expect((await countTo(2).execute(app.ctx.longReads)).rows).toEqual([{ n: 2 }]);
});

it("an answer belongs to its worker: an earlier idle worker's end rejects nothing", async () => {
  const worker = openReadingWorker(path.join(app.settings.DATA_DIR, DATABASE_FILE), 0);
  onTestFinished(() => worker.destroy());
  const answers: unknown[] = [];
  for (let n = 1; n <= 8; n += 1) {
    answers.push((await countTo(n).execute(worker)).rows[0]?.n);
    // Long enough to send the thread its stop message, too short for it to stop.
    await setTimeout(2);
  }
  expect(answers).toEqual(Array.from({ length: 8 }, (_, at) => at + 1));
});

it('writes nothing, and starts no transaction', async () => {
  await expect(
    sql`delete from categories returning id`.execute(app.ctx.longReads),
  ).rejects.toMatchObject({ code: 'SQLITE_READONLY' });
  await expect(app.ctx.longReads.transaction().execute(async () => {})).rejects.toThrow();
});

it('closed, it answers pending queries with DatabaseAway', async () => {
  const worker = openReadingWorker(path.join(app.settings.DATA_DIR, DATABASE_FILE));
  await countTo(1).execute(worker);
  const queries = Promise.allSettled(
    Array.from({ length: 4 }, () => countTo(MANY).execute(worker)),
  );
  await worker.destroy();
  const reasons = (await queries).map((each) => each.status === 'rejected' && each.reason);
  expect(reasons).toEqual(reasons.map(() => expect.any(DatabaseAway)));
});
