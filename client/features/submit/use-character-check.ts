import { nameKey } from '../../../shared/rules/names.ts';
import { getCharacterClaims } from '../../api/calls.ts';
import type { HeldClaim } from './row-check.ts';
import { type ByDate, useByDate } from './use-by-date.ts';

/** Section 9 of the specification. */
const CHECK_PAUSE_MS = 300;

/** What a character has claimed already on some dates: it may claim only one respawn a date. */
export function useCharacterCheck(character_name: string, dates: readonly string[]): ByDate<HeldClaim[]> {
  return useByDate({
    subject: nameKey(character_name) || null,
    dates,
    load: async (date, signal) => {
      const { claimsForDate } = await getCharacterClaims(character_name, date, null, signal);
      return claimsForDate.map((claim) => ({ ...claim, date }));
    },
    pauseMs: CHECK_PAUSE_MS,
  });
}
