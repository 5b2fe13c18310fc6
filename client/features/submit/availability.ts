import { isWithinEvent } from '../../../shared/rules/event-period.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import type { Event } from '../../../shared/schemas/event.ts';

/** Claims of one respawn that the board holds for a date; a claim without a date covers its whole event. */
export function boardClaimsOn(
  date: string,
  onRespawn: readonly ClaimOnRespawn[],
  events: { get: (id: number) => Event | undefined },
): ClaimOnRespawn[] {
  return onRespawn.filter((claim) => {
    if (claim.date !== null) return claim.date === date;
    const event = claim.event_id === null ? undefined : events.get(claim.event_id);
    return event !== undefined && isWithinEvent(date, event);
  });
}

/**
 * What is known of one respawn's day. The server's answer knows the claims of every event, the board learns of
 * a new claim at once: where both know one, the board's is newer.
 */
export function claimsOfDay(answered: readonly ClaimOnRespawn[], onBoard: readonly ClaimOnRespawn[]): ClaimOnRespawn[] {
  const key = (claim: ClaimOnRespawn): string => `${claim.id}/${claim.split_part_number ?? 0}`;
  const known = new Map<string, ClaimOnRespawn>();
  for (const claim of [...answered, ...onBoard]) known.set(key(claim), claim);
  return [...known.values()].sort((a, b) => a.hour_start - b.hour_start || a.is_secondary_claim - b.is_secondary_claim || a.id - b.id);
}

export interface Taken extends HourRange {
  date: string;
  character_name: string;
}

/** The hours that claims hold on a date: secondary claims occupy nothing (R2.3). */
export function takenOn(date: string, claims: readonly ClaimOnRespawn[]): Taken[] {
  return claims
    .filter((claim) => !claim.is_secondary_claim)
    .map(({ hour_start, hour_end, character_name }) => ({ date, hour_start, hour_end, character_name }));
}

/**
 * Without the hours the submitter holds: while a submission is under way, or its answer was lost, they are most
 * likely this very submission's.
 */
export function takenByOthers(taken: readonly Taken[], character_name: string): Taken[] {
  return taken.filter((range) => nameKey(range.character_name) !== nameKey(character_name));
}
