import { type Dispatch, type SetStateAction, useState } from 'react';
import type { ActivityEntry, ActivityQuery } from '../../../../shared/schemas/activity.ts';
import { getActivityLog } from '../../../api/calls.ts';

type Asked = { question: string; status: 'loading' | 'failed' } | null;

export interface OlderEntries {
  status: 'none' | 'more' | 'loading' | 'failed';
  load: () => void;
}

/** The pages behind the first; each begins where the last one ended, so that new entries do not shift them. */
export function useOlderEntries(known: KnownLog | null, setKnown: Dispatch<SetStateAction<KnownLog | null>>): OlderEntries {
  const [asked, setAsked] = useState<Asked>(null);
  const status = asked && asked.question === known?.question ? asked.status : known?.hasOlder ? 'more' : 'none';
  const load = async (): Promise<void> => {
    const last = known?.entries.at(-1);
    if (!known || !last || status === 'loading' || status === 'none') return;
    const { question } = known;
    setAsked({ question, status: 'loading' });
    try {
      const { logs } = await getActivityLog({ limit: PAGE_SIZE, page: 1, before: last.id, ...queryIn(question) });
      setKnown((now) => {
        // The filter was changed meanwhile, or the log read anew.
        if (now?.question !== question || now.entries.at(-1)?.id !== last.id) return now;
        return { ...now, entries: [...now.entries, ...logs], hasOlder: logs.length === PAGE_SIZE };
      });
      setAsked(null);
    } catch {
      setAsked({ question, status: 'failed' });
    }
  };
  return { status, load: () => void load() };
}

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
