import { DomainError, type ErrorCode } from '../errors.ts';
import { type HourRange, rangesOverlap } from './hours.ts';
import type { PlannedClaim, PlannedPart } from './submission.ts';

/** Hours of one respawn on one date that a primary claim holds. */
export interface TakenRange extends HourRange {
  respawn_id: number;
  date: string;
}

/** A claim that a character already has on a date. */
export interface HeldDay {
  date: string;
  respawn_name: string;
  hour_start: number;
  hour_end: number;
}

/** R4.6: a character may claim only one respawn a date; a secondary claim does not count. */
export function assertCharacterIsFree(
  claim: Pick<PlannedClaim, 'character_name' | 'dates' | 'is_secondary_claim' | 'requested_start'>,
  held: readonly HeldDay[],
): void {
  if (claim.is_secondary_claim) return;
  const inTheWay = held.filter((day) => claim.dates.includes(day.date));
  const [first] = inTheWay;
  if (!first) return;
  throw new DomainError('claim.characterHasClaim', {
    date: first.date,
    hour: claim.requested_start,
    character_name: claim.character_name,
    claims: inTheWay.map((day) => ({ ...day })),
  });
}

/** R2.3, R4.7: no two primary claims share an hour of a respawn; a secondary one may wait on a taken hour. */
export function assertHoursAreFree(claim: PlannedClaim, taken: readonly TakenRange[]): void {
  if (claim.is_secondary_claim) return;
  for (const date of claim.dates) {
    for (const part of claim.parts) {
      const conflict = taken.some(
        (range) =>
          range.respawn_id === part.respawn_id && range.date === date && rangesOverlap(range, part),
      );
      if (conflict) throw timeConflict(claim, part, date);
    }
  }
}

/** The refusal for taken hours, in the sentence for this kind of claim. */
export function timeConflict(
  claim: Pick<PlannedClaim, 'date' | 'is_split_claim'>,
  part: Pick<PlannedPart, 'part_number' | 'hour_start'>,
  date: string,
): DomainError {
  const code: ErrorCode = claim.is_split_claim
    ? claim.date === null
      ? 'split.timeConflictInEvent'
      : 'split.timeConflict'
    : claim.date === null
      ? 'claim.timeConflictInEvent'
      : 'claim.timeConflict';
  return new DomainError(code, {
    date,
    hour: part.hour_start,
    ...(claim.is_split_claim ? { part: part.part_number } : {}),
  });
}
