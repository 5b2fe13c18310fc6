import type { Outcome } from './deed.ts';

/** Why the model would refuse a deed, in the server's codes, and what becomes of it where it would not. */
export interface Judgement {
  reasons: ReadonlySet<string>;
  /** Does the deed. @returns what is wrong with the answer; null: nothing. Without an answer nobody saw one. */
  apply: (outcome: Outcome | null, stored: Stored) => string | null;
}

/** What is stored and the model has not heard of, for deeds whose answer was lost. */
export interface Stored {
  /** In the order in which they were made; who finds theirs takes them out. */
  claims: number[];
  events: ReadonlyMap<string, number>;
  keys: ReadonlyMap<string, number>;
}
