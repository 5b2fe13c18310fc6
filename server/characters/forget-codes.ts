import { z } from 'zod';
import type { Db, Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import { type InsideKind, nextHour } from '../jobs/kind.ts';
import { forgetRecords } from './room-for-codes.ts';

/** A code that was never found is forgotten when the browser's cookie is: ten days after it was made. */
const KEPT_DAYS = 10;
/** Records that one write forgets. */
const FORGOTTEN_AT_ONCE = 100;

function oldOnes({ now }: Pick<Writing, 'now'>, db: Db | Tx) {
  const made_before = new Date(now().getTime() - KEPT_DAYS * 86_400_000).toISOString();
  return (
    db
      .selectFrom('verifications')
      .select('id')
      .where('verified_at', 'is', null)
      .where('code', 'is not', null)
      .where('created_at', '<', made_before)
      // The last record of a banned character shows the ban.
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('bans').select('bans.character_key').whereRef('bans.character_key', '=', 'verifications.character_key'))),
      )
  );
}

/** Forgets codes that nobody found; long before that they open nothing any more. */
export const forgetCodes: InsideKind<null> = {
  kind: 'code.forget',
  runs: 'inside',
  payload: z.null(),
  next: nextHour,
  isNeeded: async (ctx) => (await oldOnes(ctx, ctx.db).limit(1).executeTakeFirst()) !== undefined,
  run: async (ctx, tx, changes) => {
    const old = await oldOnes(ctx, tx).orderBy('created_at').limit(FORGOTTEN_AT_ONCE).execute();
    await forgetRecords(tx, changes, old);
    return old.length < FORGOTTEN_AT_ONCE ? undefined : 'more';
  },
};
