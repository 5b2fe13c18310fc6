import { quietUntil } from '../../../shared/rules/quiet-hours.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Db, Tx } from '../../db/open.ts';
import { readByIds } from '../../db/queries.ts';
import { type DeadlineSource, deadlineChanges } from '../../jobs/deadlines.ts';
import { quietHoursOf } from '../../notifications/quiet-hours.ts';
import { affectedWaitlists } from './affected-waitlists.ts';
import type { StoredWait } from './stored.ts';

/** R9.13: those who would be offered hours, and are passed over for their quiet hours. */
export class PassedOver {
  readonly #until: (wait: StoredWait) => Promise<Date | null>;
  readonly #found: { wait: StoredWait; until: string }[] = [];

  /** @param waits all that are served: what there is to know of them is read at once, when it is first asked for */
  constructor(tx: Tx, waits: readonly StoredWait[], now: Date) {
    const keys = new Set(waits.flatMap(({ status, character_key }) => (status === 'waiting' ? [character_key] : [])));
    let read: ReturnType<typeof quietHoursOf> | null = null;
    this.#until = async ({ character_key }) => {
      read ??= quietHoursOf(tx, keys);
      const hours = (await read).get(character_key);
      return hours ? quietUntil(now, hours) : null;
    };
  }

  /** @returns whether somebody is passed over now */
  async passes(wait: StoredWait): Promise<boolean> {
    const until = await this.#until(wait);
    if (until) this.#found.push({ wait, until: until.toISOString() });
    return until !== null;
  }

  /** Notes when their lines are to be looked at again. */
  async note(tx: Tx, changes: ChangeRecorder): Promise<void> {
    const news = this.#found.filter(({ wait, until }) => wait.quiet_until !== until);
    if (news.length === 0) return;
    for (const [quiet_until, some] of Map.groupBy(news, ({ until }) => until)) {
      const ids = some.map(({ wait }) => wait.id);
      await readByIds(ids, (few) => tx.updateTable('waits').set({ quiet_until }).where('id', 'in', few).returning('id').execute());
    }
    changes.collect(deadlineChanges).moved = true;
  }
}

/** R9.13: quiet hours end, and whoever was passed over for them is asked, or, where they have others by then, passed over until those end. */
export const quietDue: DeadlineSource = {
  name: 'quiet hours',
  earliest: async (db) => {
    const first = await passedOver(db).select('quiet_until').orderBy('quiet_until').limit(1).executeTakeFirst();
    return first?.quiet_until ?? null;
  },
  expire: async (_ctx, tx, changes, until) => {
    const over = await tx
      .updateTable('waits')
      .set({ quiet_until: null })
      .where('ended_at', 'is', null)
      .where('quiet_until', 'is not', null)
      .where('quiet_until', '<=', until)
      .returning(['respawn_id', 'date'])
      .execute();
    for (const { respawn_id, date } of over) changes.collect(affectedWaitlists).hours(respawn_id, date);
  },
};

/** Whether a character is passed over in any line. */
export const isPassedOver = async (db: Db | Tx, character_key: string): Promise<boolean> =>
  (await passedOver(db).select('id').where('character_key', '=', character_key).limit(1).executeTakeFirst()) !== undefined;

/** A character has other quiet hours now, or none: in its lines it is asked anew once the write is done. */
export async function passOverAnew(tx: Tx, changes: ChangeRecorder, character_key: string): Promise<void> {
  await tx
    .updateTable('waits')
    .set({ quiet_until: null })
    .where('character_key', '=', character_key)
    .where('ended_at', 'is', null)
    .execute();
  changes.collect(affectedWaitlists).character(character_key);
  changes.collect(deadlineChanges).moved = true;
}

const passedOver = (db: Db | Tx) => db.selectFrom('waits').where('ended_at', 'is', null).where('quiet_until', 'is not', null);
