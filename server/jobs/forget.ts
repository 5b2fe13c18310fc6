import { daysBefore, forgetting } from './forgetting.ts';

/** How long a job that was given up can still be looked at, in days. */
const KEPT_DAYS = 30;

/** Forgets what was given up long ago. */
export const forgetJobs = forgetting({
  kind: 'job.forget',
  old: (db, now, most) =>
    db.selectFrom('jobs').select('id').where('given_up_at', '<', daysBefore(now, KEPT_DAYS)).orderBy('given_up_at').limit(most).execute(),
  forget: (tx, old) =>
    tx
      .deleteFrom('jobs')
      .where(
        'id',
        'in',
        old.map(({ id }) => id),
      )
      .execute(),
});
