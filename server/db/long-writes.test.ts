import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { deleteEvent } from '../activity/test/undo.ts';
import { aName, anEvent } from '../dev/test/builders.ts';
import { manyClaims } from '../dev/test/many-claims.ts';
import { createSuiteApp, createTestApp } from '../dev/test/test-app.ts';
import type { Db, Tx } from './database.ts';
import { DATABASE_FILE } from './sqlite.ts';
import { MANY_ROWS } from './unit-of-work.ts';
import { openWritingWorker } from './worker-connection.ts';

const app = createSuiteApp('sqlite');
/** Longer than it takes the event loop to turn. */
const MANY = 300_000;
const countToMany = sql`with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${MANY}) select count(*) from numbers`;

const long = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  app.ctx.writes.transaction(work, true);
const add = (db: Tx | Db, name: string) =>
  db.insertInto('categories').values({ name, name_key: name.toLowerCase() }).execute();
const stored = async (name: string): Promise<boolean> =>
  (await app.ctx.db.selectFrom('categories').select('id').where('name', '=', name).execute())
    .length > 0;

it('a long write leaves the event loop free, and is stored', async () => {
  const name = aName('Category');
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const { numInsertedOrUpdatedRows, insertId } = await long(async (tx) => {
    const [made] = await add(tx, name);
    await countToMany.execute(tx);
    expect(await stored(name)).toBe(false);
    // Durable as every other: FULL.
    expect((await sql`pragma synchronous`.execute(tx)).rows).toEqual([{ synchronous: 2 }]);
    return { ...made };
  });
  isDone = true;
  expect(turns).toBeGreaterThan(10);
  expect(numInsertedOrUpdatedRows).toBe(1n);
  expect(insertId).toBeGreaterThan(0n);
  expect(await stored(name)).toBe(true);
});

it("it fails as a whole, with the database's error, and the next one is written", async () => {
  const name = aName('Category');
  const next = aName('Category');
  const failing = long(async (tx) => {
    await add(tx, name);
    await sql`insert into claim_parts (claim_id, part_number, respawn_id, hour_start, hour_end) values (999999, 1, 1, 1, 2)`.execute(
      tx,
    );
  });
  await expect(failing).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
  expect(await stored(name)).toBe(false);
  await long((tx) => add(tx, next));
  expect(await stored(next)).toBe(true);
});

it('it has its own commit, in order: earlier writes are stored, later ones see it', async () => {
  const before = aName('Category');
  const within = aName('Category');
  const after = aName('Category');
  const seen: boolean[] = [];
  await Promise.all([
    app.ctx.writes.transaction((tx) => add(tx, aName('Category'))),
    app.ctx.writes.transaction((tx) => add(tx, before)),
    long(async (tx) => {
      seen.push(await stored(before));
      await add(tx, within);
    }),
    app.ctx.writes.transaction(async (tx) => {
      seen.push(await stored(within));
      await add(tx, after);
    }),
  ]);
  expect(seen).toEqual([true, true]);
  expect(await stored(after)).toBe(true);
});

it('an idle worker stays while its transaction is under way; one closed in it leaves nothing', async () => {
  const worker = openWritingWorker(path.join(app.settings.DATA_DIR, DATABASE_FILE), { idleMs: 0 });
  onTestFinished(() => worker.destroy());
  const kept = aName('Category');
  const lost = aName('Category');
  await worker.transaction().execute(async (tx) => {
    await add(tx, kept);
    await setTimeout(50);
    await countToMany.execute(tx);
  });
  expect(await stored(kept)).toBe(true);
  const cut = worker.transaction().execute(async (tx) => {
    await add(tx, lost);
    await worker.destroy();
    await add(tx, aName('Category'));
  });
  await expect(cut).rejects.toThrow();
  expect(await stored(lost)).toBe(false);
});

it('deleting thousands of claims counts as long, deleting a few does not', async () => {
  const own = await createTestApp('sqlite');
  const few = await anEvent(own);
  const many = await anEvent(own, { start_time: '2026-11-21', end_time: '2027-11-20' });
  const count = 4_000;
  await manyClaims(own, { count, spots: 2, event_id: many.id });
  const transaction = vi.spyOn(own.ctx.writes, 'transaction');
  const tookLong = async (write: () => PromiseLike<unknown>): Promise<unknown> => {
    transaction.mockClear();
    await write();
    return transaction.mock.calls.map(([, takesLong]) => takesLong);
  };
  expect(await tookLong(() => deleteEvent(own, few.id))).toEqual([false]);
  expect(await tookLong(() => deleteEvent(own, many.id))).toEqual([true]);
  await manyClaims(own, { count: MANY_ROWS, spots: 1 });
  expect(
    await tookLong(() => own.api.delete('/claims/admin/respawn/1').set(own.admin).expect(200)),
  ).toEqual([true]);
  expect(
    await tookLong(() => own.api.delete('/claims/admin/respawn/1').set(own.admin).expect(200)),
  ).toEqual([false]);
  await manyClaims(own, { count: MANY_ROWS, spots: 1 });
  expect(
    await tookLong(() => own.api.delete('/admin/respawns/1').set(own.admin).expect(200)),
  ).toEqual([true]);
});
