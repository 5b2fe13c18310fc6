import { useShallow } from 'zustand/react/shallow';
import { nameKey } from '../../../shared/rules/names.ts';
import { getCharacterClaims } from '../../api/calls.ts';
import { useBoard } from '../../store/board-store.ts';
import type { HeldClaim } from './row-check.ts';
import { type Loaded, useAnswers } from './use-answers.ts';

/** Section 9 of the specification. */
const CHECK_PAUSE_MS = 300;
/** YYYY-MM-DD, which a question begins with. */
const DATE_LENGTH = 10;

export interface CharacterCheck {
  on: (date: string) => Loaded<HeldClaim[]>;
  askAgain: () => void;
}

/** What a character has claimed already on some dates: it may claim only one respawn a date. */
export function useCharacterCheck(character_name: string, dates: readonly string[]): CharacterCheck {
  const name = nameKey(character_name);
  const question = (date: string): string => `${date} ${name}`;
  // What the board shows of this character; it changes exactly when one of its claims does.
  const held = useBoard(useShallow((board) => [...board.byKind.claim.values()].filter((claim) => nameKey(claim.character_name) === name)));
  const answers = useAnswers({
    questions: name ? dates.map(question) : [],
    load: async (asked, signal) => {
      const date = asked.slice(0, DATE_LENGTH);
      const { claimsForDate } = await getCharacterClaims(character_name, date, null, signal);
      return claimsForDate.map((claim) => ({ ...claim, date }));
    },
    pauseMs: CHECK_PAUSE_MS,
    again: held,
    versionOf: () => held,
  });
  return { on: (date) => answers.of(question(date)), askAgain: answers.askAgain };
}
