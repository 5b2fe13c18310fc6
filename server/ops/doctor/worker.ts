import { databaseTimeOf } from '../../db/clock/server-clock.ts';
import { createBuildName } from '../../http/static-files.ts';
import { type CheckContext, openCheckContext } from './check.ts';
import { examine } from './examine.ts';
import type { Order, Progress } from './run-checks.ts';

/** The process of `run-checks.ts`: SQLite blocks its thread, and a check of the whole file takes minutes. */
async function runChecks({ env, names, found, now }: Order): Promise<void> {
  let ahead_ms = now === null ? 0 : now - Date.now();
  const ctx = openCheckContext({ env, now: () => new Date(Date.now() + ahead_ms), build: createBuildName() });
  if (now === null) ahead_ms = await databaseAhead(ctx);
  for await (const progress of examine(ctx, names, found)) process.send?.(progress satisfies Progress);
  await ctx.close();
  process.disconnect?.();
}

/** How far the database's clock is ahead of this machine's, in milliseconds; 0 if it cannot be read, which a check reports. */
async function databaseAhead({ read, dialect }: CheckContext): Promise<number> {
  const time = await read(async (tx) => databaseTimeOf(tx, dialect)?.()).catch(() => undefined);
  return time === undefined ? 0 : time - Date.now();
}

// Also if the process that started this one is gone.
process.once('disconnect', () => process.exit());
process.once('message', (order: Order) => void runChecks(order));
