import { type EventPeriod, eventDate } from '../../../shared/rules/event-period.ts';
import { datesBetween } from '../../../shared/rules/server-save.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import { inBatches } from '../../db/batches.ts';
import type { Db } from '../../db/open.ts';
import { MANY_ROWS } from '../../db/unit-of-work.ts';

/** What a claim occupies on a date: mostly four hours and a day. */
const ROWS_PER_DATE = 5;

/** Roughly how many rows claims occupy on so many dates each. */
export const occupiedRows = (claims: number, dates = 1): number => claims * dates * ROWS_PER_DATE;

export const daysOf = ({ start_time, end_time }: EventPeriod): number => datesBetween(eventDate(start_time), eventDate(end_time)).length;

/** Roughly how many rows the claims of an event occupy. */
export const rowsOfEvent = (event: Pick<Event, 'type' | 'claim_count' | 'start_time' | 'end_time'>): number =>
  occupiedRows(event.claim_count, event.type === 'single_claim' ? daysOf(event) : 1);

/** How many hours some claims, or the claims on some spots, occupy; not counted beyond what a write takes long for. */
export async function countHours(db: Db, by: 'claim_id' | 'respawn_id', ids: readonly number[]): Promise<number> {
  let count = 0;
  for (const some of inBatches(ids)) {
    const hours = db.selectFrom('occupied_hours').select('hour').where(by, 'in', some).limit(MANY_ROWS);
    const { n } = await db
      .selectFrom(hours.as('hours'))
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    count += Number(n);
    if (count >= MANY_ROWS) break;
  }
  return count;
}
