import { DomainError } from '../errors.ts';
import type { HourRange } from './hours.ts';
import { HOURS_IN_DAY } from './server-save.ts';
import { lengthOf } from './stretch.ts';

/** Section 9 of the specification: what a secondary claim waits with; 0 marks a primary one. */
export const SECONDARY_PRIORITY = 5;

/** A submission without a respawn has 0 in its place. */
const FIRST_ID = 1;

const TYPES_WITH_SECONDARY: readonly string[] = ['elite', 'vice'];

/** R5.5: whether a member type can be allowed secondary claims. */
export const canHaveSecondary = (member_type: string): boolean =>
  TYPES_WITH_SECONDARY.includes(member_type);

/** R5.5: only elite and vice, and only where their type allows it. */
export function mayClaimSecondary(member_type: string, allow_secondary_claims: number): boolean {
  return canHaveSecondary(member_type) && allow_secondary_claims === 1;
}

/** R5.6: a secondary claim lasts as long as its primary, cut at SS+24. */
export function secondaryEnd(hour_start: number, primary_duration: number): number {
  return Math.min(hour_start + primary_duration, HOURS_IN_DAY);
}

/**
 * R5.7: the hours of a secondary claim once its primary was given others. It follows how long that lasts, and nothing else:
 * one that was given a length of its own keeps it for as long as the primary keeps its. What is over stays, and what runs runs
 * to the end of its hour.
 * @param begun how many hours of its date have started, 0 to 24
 */
export function secondaryFollows(
  secondary: HourRange,
  { before, after }: { before: HourRange; after: HourRange },
  begun: number,
): HourRange {
  const { hour_start, hour_end } = secondary;
  if (lengthOf(before) === lengthOf(after) || hour_end < begun) return { hour_start, hour_end };
  return {
    hour_start,
    hour_end: Math.max(secondaryEnd(hour_start, lengthOf(after)), Math.min(hour_end, begun)),
  };
}

export interface SecondaryPlace {
  respawn_id: number;
  hour_start: number;
}

/**
 * R5.6: a secondary claim needs another respawn, and a start within the day.
 * @throws DomainError for a missing field, or if a part of the primary claim is on that respawn
 */
export function assertSecondaryFits(
  claim: { respawn_id?: number | null | undefined; hour_start?: number | null | undefined },
  primary: readonly { respawn_id: number | null }[],
): asserts claim is SecondaryPlace {
  const { respawn_id, hour_start } = claim;
  if (respawn_id == null || respawn_id < FIRST_ID)
    throw new DomainError('secondary.respawnRequired');
  if (hour_start == null || hour_start < 0 || hour_start >= HOURS_IN_DAY)
    throw new DomainError('secondary.hourOutOfRange');
  if (primary.some((part) => part.respawn_id === respawn_id))
    throw new DomainError('secondary.samePrimary');
}
