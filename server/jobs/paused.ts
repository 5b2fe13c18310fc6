import type { Db, Tx } from '../db/open.ts';

/** When a restore paused all notifications; null: they are sent. Job kinds that notify wait meanwhile. */
export async function notificationsPausedAt(db: Db | Tx): Promise<string | null> {
  return (await db.selectFrom('config').select('notifications_paused_at').executeTakeFirst())?.notifications_paused_at ?? null;
}
