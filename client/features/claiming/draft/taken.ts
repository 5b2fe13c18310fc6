import { eventDate } from '../../../../shared/rules/event-period.ts';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import type { OccupiedHours } from '../../../../shared/schemas/occupancy.ts';
import { byHour, claimKey } from '../../../lib/claim-order.ts';
import { occupiedIn } from '../../../lib/occupied.ts';
import { compareText } from '../../../lib/words/order.ts';
import type { Period } from './claim-dates.ts';

/** A claim on a respawn, and the dates that it covers. */
export interface DatedClaim extends ClaimOnRespawn {
  first_date: string;
  last_date: string;
}

type Dates = Pick<Period, 'first' | 'last'>;

/** Claims of one respawn that the board holds for some dates; a claim without a date covers its whole event. */
export function boardClaimsIn(
  { first, last }: Dates,
  onRespawn: readonly ClaimOnRespawn[],
  events: { get: (id: number) => Event | undefined },
): DatedClaim[] {
  return onRespawn.flatMap((claim) => {
    const event = claim.event_id === null ? undefined : events.get(claim.event_id);
    const first_date = claim.date ?? (event && eventDate(event.start_time));
    const last_date = claim.date ?? (event && eventDate(event.end_time));
    if (first_date === undefined || last_date === undefined || last_date < first || first_date > last) return [];
    return [{ ...claim, first_date, last_date }];
  });
}

/**
 * What is known of one respawn's dates. The server's answer knows the claims of every event, the board learns of
 * a new claim at once: where both know one, the board's is newer.
 */
export function claimsKnown(answered: readonly DatedClaim[], onBoard: readonly DatedClaim[]): DatedClaim[] {
  const known = new Map<string, DatedClaim>();
  for (const claim of [...answered, ...onBoard]) known.set(claimKey(claim), claim);
  return [...known.values()].sort((a, b) => compareText(a.first_date, b.first_date) || byHour(a, b));
}

export interface Taken extends HourRange {
  /** The first of the dates on which they are. */
  date: string;
  character_name: string;
}

/** The hours that claims hold within some dates: secondary claims occupy nothing (R2.3). */
export function takenIn({ first }: Dates, claims: readonly DatedClaim[]): Taken[] {
  return claims
    .filter((claim) => !claim.is_secondary_claim)
    .map(({ first_date, hour_start, hour_end, character_name }) => {
      return { date: first_date < first ? first : first_date, hour_start, hour_end, character_name };
    });
}

/** The hours that claims of other events occupy within some dates. */
export const takenElsewhere = (dates: Dates, occupied: readonly OccupiedHours[] | undefined): Taken[] =>
  occupiedIn(occupied, dates).map(({ first_date, hour_start, hour_end, character_name }) => {
    return { date: first_date < dates.first ? dates.first : first_date, hour_start, hour_end, character_name };
  });

/**
 * Without the hours the submitter holds: while a submission is under way, or its answer was lost, they are most
 * likely this very submission's.
 */
export function takenByOthers(taken: readonly Taken[], character_name: string): Taken[] {
  return taken.filter((range) => nameKey(range.character_name) !== nameKey(character_name));
}
