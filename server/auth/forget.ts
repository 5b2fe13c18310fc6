import { deleteOld } from '../jobs/job-kind.ts';

/** Forgets sessions that are over. Until then nobody gets in with one either: who asks compares the time. */
export const forgetSessions = deleteOld({
  kind: 'session.forget',
  old: (db, now, most) =>
    db
      .selectFrom('admin_sessions')
      .select('token_hash')
      .where('expires_at', '<=', now.toISOString())
      .orderBy('expires_at')
      .limit(most)
      .execute(),
  remove: (tx, old) =>
    tx
      .deleteFrom('admin_sessions')
      .where(
        'token_hash',
        'in',
        old.map(({ token_hash }) => token_hash),
      )
      .execute(),
});
