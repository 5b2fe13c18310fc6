import { z } from 'zod';
import type { Db, Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import { type InsideKind, nextHour } from '../jobs/kind.ts';

/** How long a second answer is the first one, in days. */
const KEPT_DAYS = 2;
/** Answers that one write forgets, besides those of the same moment. */
const FORGOTTEN_AT_ONCE = 100;

/** Answers from before then are none any more, whether or not they were forgotten. */
export const answersSince = ({ now }: Pick<Writing, 'now'>): string => new Date(now().getTime() - KEPT_DAYS * 86_400_000).toISOString();

const oldOnes = (ctx: Pick<Writing, 'now'>, db: Db | Tx) =>
  db.selectFrom('idempotent_answers').select('created_at').where('created_at', '<', answersSince(ctx));

/** Forgets the answers to submissions that nobody sends again any more. */
export const forgetAnswers: InsideKind<null> = {
  kind: 'answer.forget',
  runs: 'inside',
  payload: z.null(),
  next: nextHour,
  isNeeded: async (ctx) => (await oldOnes(ctx, ctx.db).limit(1).executeTakeFirst()) !== undefined,
  run: async (ctx, tx) => {
    const old = oldOnes(ctx, tx).orderBy('created_at').limit(FORGOTTEN_AT_ONCE);
    const { numDeletedRows } = await tx.deleteFrom('idempotent_answers').where('created_at', 'in', old).executeTakeFirst();
    return numDeletedRows < FORGOTTEN_AT_ONCE ? undefined : 'more';
  },
};
