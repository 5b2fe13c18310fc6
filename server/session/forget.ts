import { z } from 'zod';
import { type InsideKind, nextHour } from '../jobs/kind.ts';

/** Sessions that one write forgets. */
export const FORGOTTEN_AT_ONCE = 100;

/** Forgets sessions that are over. Until then nobody gets in with one either: who asks compares the time. */
export const forgetSessions: InsideKind<null> = {
  kind: 'session.forget',
  runs: 'inside',
  payload: z.null(),
  next: nextHour,
  isNeeded: async ({ db, now }) => {
    const over = db.selectFrom('admin_sessions').select('token_hash').where('expires_at', '<=', now().toISOString());
    return (await over.limit(1).executeTakeFirst()) !== undefined;
  },
  run: async ({ now }, tx) => {
    const over = tx.selectFrom('admin_sessions').select('token_hash').where('expires_at', '<=', now().toISOString());
    const { numDeletedRows } = await tx
      .deleteFrom('admin_sessions')
      .where('token_hash', 'in', over.orderBy('expires_at').limit(FORGOTTEN_AT_ONCE))
      .executeTakeFirst();
    return numDeletedRows < FORGOTTEN_AT_ONCE ? undefined : 'more';
  },
};
