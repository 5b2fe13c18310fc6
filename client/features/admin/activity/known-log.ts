import type { ActivityEntry, ActivityQuery } from '../../../../shared/schemas/activity.ts';

/** Entries that are read at once: section 9 of the specification. */
export const PAGE_SIZE = 100;

/** A tab that stays open keeps so many as new ones come on top; older ones are read again when they are asked for. */
export const MOST_KEPT = 1_000;

/** What is known of the log under one filter, the newest first. */
export interface KnownLog {
  /** The filter as a text. */
  question: string;
  entries: readonly ActivityEntry[];
  /** The newest entry that was there when it was read: later ones arrive live. */
  seen: number;
  total: number;
  filtered: number;
  hasOlder: boolean;
}

export const questionOf = (query: Partial<ActivityQuery>): string => JSON.stringify(query);
export const queryIn = (question: string): Partial<ActivityQuery> => JSON.parse(question);
