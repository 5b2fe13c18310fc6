import { daysBefore, forgetting } from '../../jobs/forgetting.ts';
import type { Writing } from '../../jobs/writing.ts';

/** How long a second answer is the first one, in days. */
const KEPT_DAYS = 2;
/** Answers from before then are none any more, whether or not they were forgotten. */
export const answersSince = ({ now }: Pick<Writing, 'now'>): string => daysBefore(now(), KEPT_DAYS);

/** Forgets the answers to submissions that nobody sends again any more, and with each those of the same moment. */
export const forgetAnswers = forgetting({
  kind: 'answer.forget',
  old: (db, now, most) =>
    db
      .selectFrom('idempotent_answers')
      .select('created_at')
      .where('created_at', '<', answersSince({ now: () => now }))
      .orderBy('created_at')
      .limit(most)
      .execute(),
  forget: (tx, old) =>
    tx
      .deleteFrom('idempotent_answers')
      .where(
        'created_at',
        'in',
        old.map(({ created_at }) => created_at),
      )
      .execute(),
});
