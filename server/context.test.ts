import { sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createContext } from './context.ts';
import { databases, freshDatabase } from './dev/test/databases.ts';
import { readEnv } from './env.ts';

// It waits as long as a server's end does: on both at once.
describe.concurrent.each(databases)('a context on %s', (dialect) => {
  it('closes although its work never ends, and logs it', async ({ expect, onTestFinished }) => {
    const { settings, drop } = await freshDatabase(dialect);
    onTestFinished(drop);
    const ctx = await createContext({ env: readEnv(settings), log: pino({ level: 'silent' }) });
    const begun = Promise.withResolvers<void>();
    void ctx.writes
      .transaction(() => {
        begun.resolve();
        return new Promise(() => {});
      })
      .catch(() => {});
    await begun.promise;
    await expect(ctx.close()).rejects.toThrow('what was under way did not end in time');
    await expect(ctx.db.selectFrom('clock').selectAll().execute()).rejects.toThrow();
  });
});

it('a context on PostgreSQL opens two connections, one for reading and one for listening; the first write opens a third', async () => {
  const { settings, drop } = await freshDatabase('postgres');
  onTestFinished(drop);
  const ctx = await createContext({ env: readEnv(settings), log: pino({ level: 'silent' }) });
  onTestFinished(ctx.close);
  await ctx.db.selectFrom('clock').selectAll().execute();
  const open = sql<{
    n: number;
  }>`select count(*) as n from pg_stat_activity where datname = current_database()`;
  const count = async () => (await open.execute(ctx.db)).rows[0]?.n;
  expect(await count()).toBe(2);
  await ctx.writes.transaction((tx) => tx.updateTable('clock').set({ next_due: null }).execute());
  expect(await count()).toBe(3);
});
