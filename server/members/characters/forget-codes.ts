import { daysBefore, forgetting } from '../../jobs/forgetting.ts';
import { forgetRecords } from './room-for-codes.ts';

/** A code that was never found is forgotten when the browser's cookie is: ten days after it was made. */
const KEPT_DAYS = 10;
/** Forgets codes that nobody found; long before that they open nothing any more. */
export const forgetCodes = forgetting({
  kind: 'code.forget',
  old: (db, now, most) =>
    db
      .selectFrom('verifications')
      .select('id')
      .where('verified_at', 'is', null)
      .where('code', 'is not', null)
      .where('created_at', '<', daysBefore(now, KEPT_DAYS))
      // The last record of a banned character shows the ban.
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('bans').select('bans.character_key').whereRef('bans.character_key', '=', 'verifications.character_key'))),
      )
      .orderBy('created_at')
      .limit(most)
      .execute(),
  forget: (tx, old, changes) => forgetRecords(tx, changes, old),
});
