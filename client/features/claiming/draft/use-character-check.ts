import { useShallow } from 'zustand/react/shallow';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { Claim } from '../../../../shared/schemas/claim.ts';
import { getCharacterClaims, getCharacterDates } from '../../../api/calls.ts';
import { useBoard } from '../../../state/board-store.ts';
import type { Period } from './claim-dates.ts';
import type { HeldClaim } from './row-check.ts';
import { type Loaded, useAnswers } from './use-answers.ts';

/** Section 9 of the specification. */
const CHECK_PAUSE_MS = 300;
/** YYYY-MM-DD: a question begins with the first and the last date. */
const DATE_LENGTH = 10;

export interface CharacterCheck {
  in: (period: Period) => Loaded<HeldClaim[]>;
  askAgain: () => void;
}

const ofCharacter = (claims: { values: () => Iterable<Claim> }, name: string): Claim[] =>
  [...claims.values()].filter((claim) => nameKey(claim.character_name) === name);

/** What a character has claimed already on some dates: it may claim only one respawn a date. Those of a whole event are one call. */
export function useCharacterCheck(character_name: string, periods: readonly Period[]): CharacterCheck {
  const name = nameKey(character_name);
  const question = ({ first, last }: Period): string => `${first}${last}${name}`;
  // What the board shows of this character; it changes exactly when one of its claims does.
  const held = useBoard(useShallow((board) => ofCharacter(board.byKind.claim, name)));
  const answers = useAnswers({
    questions: name ? periods.map(question) : [],
    load: async (asked, signal) => {
      const [first, last] = [asked.slice(0, DATE_LENGTH), asked.slice(DATE_LENGTH, 2 * DATE_LENGTH)];
      if (first !== last) return getCharacterDates(character_name, { from: first, to: last }, signal);
      const { claimsForDate } = await getCharacterClaims(character_name, first, null, signal);
      // Whoever has hours held on a date has no other claim there, and nobody waits for those of a whole event.
      const hold = ofCharacter(useBoard.getState().byKind.claim, name).find((claim) => claim.is_held && claim.date === first);
      return claimsForDate.map((claim) => ({ ...claim, first_date: first, last_date: last, held_for: hold?.character_name }));
    },
    pauseMs: CHECK_PAUSE_MS,
    again: held,
    versionOf: () => held,
  });
  return { in: (period) => answers.of(question(period)), askAgain: answers.askAgain };
}
