import { endWithParent } from '../../db/child-environment.ts';
import { databaseTimeOf } from '../../db/clock/server-clock.ts';
import { inTime } from '../../db/promises.ts';
import { createBuildName } from '../../http/static-files.ts';
import { type CheckContext, openCheckContext } from './check.ts';
import { examine, reasonOf } from './examine.ts';
import type { Message, Order } from './run-checks.ts';

/** How long the database may take to tell its time, in milliseconds. */
const CLOCK_TIMEOUT_MS = 5_000;

const send = (message: Message): unknown => process.send?.(message);

/** The process of `run-checks.ts`: SQLite blocks its thread, and a check of the whole file takes minutes. */
async function runOrder({ env, notifyingJobs, names, found, ahead_ms }: Order): Promise<void> {
  let ahead = ahead_ms ?? 0;
  const ctx = openCheckContext({
    env,
    notifyingJobs,
    now: () => new Date(Date.now() + ahead),
    build: createBuildName(),
  });
  if (ahead_ms === null) {
    ahead = await databaseAhead(ctx);
    send({ ahead_ms: ahead });
  }
  for await (const progress of examine(ctx, names, found)) send(progress);
  await ctx.close();
  process.disconnect?.();
}

/**
 * How far the database's clock is ahead of this machine's, in milliseconds. 0 if it cannot be read, or not soon: a frozen PostgreSQL
 * is for a check to report.
 */
async function databaseAhead({ read, dialect }: CheckContext): Promise<number> {
  let ahead_ms = 0;
  const measuring = read(async (tx) => {
    const time = await databaseTimeOf(tx, dialect)?.();
    if (time !== undefined) ahead_ms = time - Date.now();
  }).catch(() => {});
  await inTime(CLOCK_TIMEOUT_MS, measuring);
  return ahead_ms;
}

endWithParent();
process.once('disconnect', () => process.exit());
process.once('message', (order: Order) => {
  runOrder(order).catch((error: unknown) => {
    send({ error: reasonOf(error) });
    process.disconnect?.();
  });
});
