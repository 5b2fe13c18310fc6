import { z } from 'zod';
import type { Db, Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import { type InsideKind, nextHour } from './kind.ts';

/** How long a job that was given up can still be looked at, in days. */
const KEPT_DAYS = 30;
/** Jobs that one write forgets. */
const FORGOTTEN_AT_ONCE = 100;

function oldOnes({ now }: Pick<Writing, 'now'>, db: Db | Tx) {
  const until = new Date(now().getTime() - KEPT_DAYS * 86_400_000).toISOString();
  return db.selectFrom('jobs').select('id').where('given_up_at', '<', until);
}

/** Forgets what was given up long ago. */
export const forgetJobs: InsideKind<null> = {
  kind: 'job.forget',
  runs: 'inside',
  payload: z.null(),
  next: nextHour,
  isNeeded: async (ctx) => (await oldOnes(ctx, ctx.db).limit(1).executeTakeFirst()) !== undefined,
  run: async (ctx, tx) => {
    const old = oldOnes(ctx, tx).orderBy('given_up_at').limit(FORGOTTEN_AT_ONCE);
    const { numDeletedRows } = await tx.deleteFrom('jobs').where('id', 'in', old).executeTakeFirst();
    return numDeletedRows < FORGOTTEN_AT_ONCE ? undefined : 'more';
  },
};
