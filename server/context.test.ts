import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createContext } from './context.ts';
import { readEnv } from './env.ts';
import { databases, freshDatabase } from './test/databases.ts';

describe.each(databases)('a context on %s', (dialect) => {
  it('closes although what is under way never ends, and says that it did not', async () => {
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
