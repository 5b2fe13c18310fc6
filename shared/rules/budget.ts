import { DomainError } from '../errors.ts';
import type { Claim } from '../schemas/claim.ts';
import type { MemberType } from '../schemas/member-type.ts';
import { claimOnRespawns } from './claim-parts.ts';
import { type EventPeriod, eventDate } from './event-period.ts';
import type { HourRange } from './hours.ts';
import { nameKey } from './names.ts';
import { datesBetween, HOURS_IN_DAY } from './server-save.ts';
import type { PlannedClaim } from './submission.ts';

export type Budget = Pick<MemberType, 'max_hours_per_day' | 'max_hours_per_event'>;

export const lengthOf = (parts: readonly HourRange[]): number =>
  parts.reduce((sum, part) => sum + part.hour_end - part.hour_start, 0);

/** The requested hours of a claim, on each of its dates. */
export interface RequestedHours {
  dates: readonly string[];
  hours: number;
}

export const requestedHours = (planned: readonly PlannedClaim[]): RequestedHours[] =>
  planned
    .filter((claim) => !claim.is_secondary_claim)
    .map(({ dates, parts }) => ({ dates, hours: lengthOf(parts) }));

/**
 * R9.27, R9.28: the requested hours fit the budget, with those the character already has.
 * @param used hours that the character has in the event
 * @throws DomainError budget.day, budget.event
 */
export function assertWithinBudget(
  requested: readonly RequestedHours[],
  budget: Budget,
  event: { used: number } | null,
): void {
  const { max_hours_per_day: day, max_hours_per_event: most } = budget;
  for (const { dates, hours } of requested) {
    const [date] = dates;
    // R4.6: on a date a character has one claim.
    if (day !== null && hours > day && date !== undefined)
      throw new DomainError('budget.day', { limit: day, left: day, asked: hours, date });
  }
  if (most === null || event === null) return;
  const hours = requested.reduce((sum, each) => sum + each.hours * each.dates.length, 0);
  const left = Math.max(0, most - event.used);
  if (hours > left) throw new DomainError('budget.event', { limit: most, left, asked: hours });
}

/**
 * R9.6: how many hours of one date may be offered within the budget, none to all 24.
 * @param event hours that the character has in it, and those that are held for it there
 */
export function mostWithinBudget(
  { max_hours_per_day: day, max_hours_per_event: most }: Budget,
  event: { used: number } | null,
): number {
  const left = most === null || event === null ? HOURS_IN_DAY : most - event.used;
  return Math.max(0, Math.min(day ?? HOURS_IN_DAY, left));
}

/**
 * R9.28: a character's hours in an event: of primary claims, on each of their dates; held hours count when
 * it is accepted.
 * @param claims the event's, or more
 */
export function hoursInEvent(
  claims: Iterable<Claim>,
  character_name: string,
  event: EventPeriod & { id: number },
): number {
  const name = nameKey(character_name);
  const days = datesBetween(eventDate(event.start_time), eventDate(event.end_time)).length;
  let hours = 0;
  for (const claim of claims) {
    if (
      claim.event_id !== event.id ||
      claim.is_secondary_claim ||
      claim.is_held ||
      nameKey(claim.character_name) !== name
    )
      continue;
    hours += lengthOf(claimOnRespawns(claim)) * (claim.date === null ? days : 1);
  }
  return hours;
}
