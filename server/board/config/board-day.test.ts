import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { aKey, changeUnheard } from '../../dev/test/builders.ts';
import { freshDatabase } from '../../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';

const waitingForLocks = async ({ ctx }: TestApp): Promise<number> =>
  (
    await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      ctx.db,
    )
  ).rows.length;

it('of two servers on one PostgreSQL, a write that waits for the other’s over the server save does not take the new day back', async () => {
  const database = await freshDatabase('postgres');
  const app = await createTestApp('postgres', { on: database });
  const other = await createTestApp('postgres', { on: database });
  await aKey(app);
  app.setNow('2026-11-22T08:59:59.000Z');
  const isBegun = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const begins = changeUnheard(other, async (tx) => {
    await tx.updateTable('clock').set({ board_date: '2026-11-22' }).execute();
    isBegun.resolve();
    await mayEnd.promise;
  });
  await isBegun.promise;
  const waits = aKey(app);
  await expect.poll(() => waitingForLocks(other)).toBe(1);
  app.setNow('2026-11-22T09:00:00.000Z');
  mayEnd.resolve();
  await Promise.all([begins, waits]);
  expect(await app.ctx.db.selectFrom('clock').select('board_date').execute()).toEqual([
    { board_date: '2026-11-22' },
  ]);
});
