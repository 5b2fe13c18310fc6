import type { Outcome } from './command.ts';
import type { Made } from './model.ts';
import type { Holds } from './waits.ts';

/** Why the model would refuse a command, in the server's codes, and its effect if it would not. */
export interface Judgement {
  reasons: ReadonlySet<string>;
  /** Applies the command. @returns what is wrong with the answer; null: nothing, or there was no answer. */
  apply: (outcome: Outcome | null, stored: Stored) => string | null;
  /** It is answered without a write: nothing else happens beside it. */
  isIdle?: boolean;
}

/** Stored records that the model does not know, for commands whose answer was lost. */
export interface Stored {
  /** In the order in which they were made; who finds theirs takes them out. */
  claims: number[];
  waits: number[];
  offers: number[];
  weekly: number[];
  /** Claims that weekly claims made when they were created or resumed, by the weekly claim's id. */
  madeWith: ReadonlyMap<number, readonly Made[]>;
  events: ReadonlyMap<string, number>;
  keys: ReadonlyMap<string, number>;
  /** Current and former holds. */
  holds: Holds;
}

export const refuse = (...reasons: string[]): Judgement => ({
  reasons: new Set(reasons),
  apply: () => null,
});
export const allow = (apply: Judgement['apply']): Judgement => ({ reasons: new Set(), apply });
/** For commands whose effect depends only on success. */
export const simply = (change: () => void): Judgement =>
  allow(() => {
    change();
    return null;
  });
/** For what is so already. */
export const IDLE: Judgement = { reasons: new Set(), apply: () => null, isIdle: true };
/** @param reasons none: it is done */
export const unless = (reasons: ReadonlySet<string>, change: () => void): Judgement =>
  reasons.size > 0 ? { reasons, apply: () => null } : simply(change);

export function idIn(data: unknown): number | null {
  return typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'number'
    ? data.id
    : null;
}
