import { CONFIG_ID } from '../../shared/kinds.ts';
import {
  countMissed,
  countsMissed,
  type MissedPause,
  type MissedRules,
  missedPause,
} from '../../shared/rules/missed-claims.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { BoardState } from './board-store.ts';
import { serverNow } from './clock.ts';

/** R9.29: why a character can't claim; null: it can, or this browser doesn't know its missed claims, and the server judges. */
export function pauseIn(board: BoardState, character_name: string): MissedPause | null {
  const rules = board.byKind.config.get(CONFIG_ID);
  const missed = board.missed.get(nameKey(character_name));
  return rules && missed ? missedPause(missed, rules, serverNow()) : null;
}

/** The missed claims of a character that count, before they keep it from claiming; null: none do. */
export function missedIn(
  board: Pick<BoardState, 'byKind' | 'missed'>,
  character_name: string,
  now: Date,
): { rules: MissedRules; count: number; pause: MissedPause | null } | null {
  const rules = board.byKind.config.get(CONFIG_ID);
  const missed = board.missed.get(nameKey(character_name));
  if (!rules || !missed || !countsMissed(rules)) return null;
  const pause = missedPause(missed, rules, now);
  const count = countMissed(missed, rules, now);
  return pause || count > 0 ? { rules, count, pause } : null;
}
