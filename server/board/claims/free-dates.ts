import { eventDate } from '../../../shared/rules/event-period.ts';
import { addDays, datesBetween, HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import { breathe, inBatches } from '../../db/batches.ts';
import type { Tx } from '../../db/open.ts';

/** Rows that one statement deletes at most: 5 ms of SQLite's time, during which nothing else of this server goes on. */
export const FREED_PER_STATEMENT = 2_000;
const SPOT_DATES_PER_STATEMENT = Math.floor(FREED_PER_STATEMENT / HOURS_IN_DAY);

/** Server-save dates, both ends included. */
export interface DateRange {
  first: string;
  last: string;
}

const daysIn = ({ first, last }: DateRange): number => datesBetween(first, last).length;

/** The dates of one range that another lacks: none, or those at one end or both. */
export function datesOutside(range: DateRange, other: DateRange): DateRange[] {
  if (range.last < other.first || range.first > other.last) return [range];
  const outside: DateRange[] = [];
  if (range.first < other.first) outside.push({ first: range.first, last: addDays(other.first, -1) });
  if (range.last > other.last) outside.push({ first: addDays(other.last, 1), last: range.last });
  return outside;
}

/**
 * Deletes the hours and days that claims of a whole event occupy on some dates, in statements of a bounded number of rows:
 * a claim of an event that lasts a year occupies up to 9,000, and 300 of them 440,000.
 */
export async function freeDates(tx: Tx, claim_ids: readonly number[], range: DateRange): Promise<void> {
  for (const ids of inBatches(claim_ids)) {
    const parts = await tx.selectFrom('claim_parts').select('respawn_id').distinct().where('claim_id', 'in', ids).execute();
    const dates = datesBetween(range.first, range.last);
    // The spot and the date come first in the primary key: nothing else is read.
    for (const someDates of inBatches(dates, SPOT_DATES_PER_STATEMENT)) {
      const [first = '', last = first] = [someDates[0], someDates.at(-1)];
      for (const spots of inBatches(parts, Math.floor(SPOT_DATES_PER_STATEMENT / someDates.length))) {
        await tx
          .deleteFrom('occupied_hours')
          .where(
            'respawn_id',
            'in',
            spots.map(({ respawn_id }) => respawn_id),
          )
          .where('date', '>=', first)
          .where('date', '<=', last)
          .where('claim_id', 'in', ids)
          .execute();
        await breathe();
      }
    }
  }
  // Of each claim all days are looked at.
  for (const ids of inBatches(claim_ids, Math.max(1, Math.floor(FREED_PER_STATEMENT / daysIn(range))))) {
    await tx
      .deleteFrom('occupied_days')
      .where('claim_id', 'in', ids)
      .where('date', '>=', range.first)
      .where('date', '<=', range.last)
      .execute();
    await breathe();
  }
}

/** Frees all dates of those claims that last as long as their event, before they are deleted. */
export async function freeWholeEvents(tx: Tx, claim_ids: readonly number[]): Promise<void> {
  const whole = await tx
    .selectFrom('claims')
    .innerJoin('events', 'events.id', 'claims.event_id')
    .select(['claims.id', 'claims.event_id', 'events.start_time', 'events.end_time'])
    .where('claims.id', 'in', claim_ids)
    .where('claims.date', 'is', null)
    .execute();
  for (const claims of Map.groupBy(whole, ({ event_id }) => event_id).values()) {
    const [{ start_time, end_time } = { start_time: '', end_time: '' }] = claims;
    const ids = claims.map(({ id }) => id);
    await freeDates(tx, ids, { first: eventDate(start_time), last: eventDate(end_time) });
  }
}
