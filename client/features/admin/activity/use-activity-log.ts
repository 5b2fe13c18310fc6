import { useEffect, useMemo, useState } from 'react';
import { isActivityAction } from '../../../../shared/activity-actions.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { getActivityLog } from '../../../api/calls.ts';
import { LIVE_LOG_KEPT, useBoard } from '../../../state/board-store.ts';
import { useServerSaveClock } from '../../../state/clock.ts';
import { type ActivityFilter, matchesFilter, queryOf } from './use-activity-view.ts';
import { type KnownLog, MOST_KEPT, type OlderEntries, PAGE_SIZE, queryIn, questionOf, useOlderEntries } from './use-older-entries.ts';

/** A name that is being typed is not asked letter by letter. */
const SETTLE_MS = 250;

interface ActivityLog {
  /** null: not here yet. */
  entries: readonly ActivityEntry[] | null;
  /** Entries that arrived since and match. */
  fresh: readonly ActivityEntry[];
  /** The newest that arrived since, whether it matches or not; 0: none did. */
  newest: number;
  /** Puts them on top of the others. */
  takeFresh: () => void;
  total: number;
  filtered: number;
  /** Why the log could not be read; what was read before stays. */
  failure: unknown;
  askAgain: () => void;
  older: OlderEntries;
}

const newestOf = (entries: Iterable<ActivityEntry>): number => Math.max(0, ...[...entries].map((entry) => entry.id));

/** The log as the filter asks for it, page by page, and live. */
export function useActivityLog(filter: ActivityFilter): ActivityLog {
  const clock = useServerSaveClock();
  const live = useBoard((board) => board.byKind.activity);
  // What happened while the connection was down may be more than what comes with it.
  const isLive = useBoard((board) => board.connection === 'live');
  const [known, setKnown] = useState<KnownLog | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  const question = questionOf(queryOf(filter));

  // biome-ignore lint/correctness/useExhaustiveDependencies: a connection that is back and another try are reasons to ask anew
  useEffect(() => {
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      const before = newestOf(useBoard.getState().byKind.activity.values());
      try {
        const { logs, total, filtered } = await getActivityLog({ limit: PAGE_SIZE, page: 1, ...queryIn(question) }, abort.signal);
        if (abort.signal.aborted) return;
        setFailure(null);
        setKnown({ question, entries: logs, seen: Math.max(before, newestOf(logs)), total, filtered, hasOlder: logs.length === PAGE_SIZE });
      } catch (error) {
        if (!abort.signal.aborted) setFailure(error);
      }
    };
    const timer = setTimeout(() => void load(), SETTLE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [question, isLive, tries]);

  const current = known?.question === question ? known : null;
  const matches = useMemo(() => matchesFilter(filter, clock), [filter, clock]);
  const later = useMemo(() => [...live.values()].filter((entry) => current !== null && entry.id > current.seen), [live, current]);
  const fresh = useMemo(() => later.filter(matches).sort((a, b) => b.id - a.id), [later, matches]);
  // What was undone meanwhile is known live; an action that is not known here, as a newer server may answer, is skipped.
  const entries = useMemo(
    () => current?.entries.filter(({ action }) => isActivityAction(action)).map((entry) => live.get(entry.id) ?? entry) ?? null,
    [current, live],
  );
  const older = useOlderEntries(current, setKnown);
  const askAgain = (): void => {
    setFailure(null);
    setTries((count) => count + 1);
  };

  return {
    entries,
    fresh,
    newest: newestOf(later),
    takeFresh: () => {
      if (!current || !entries || later.length === 0) return;
      // Those before them may have been dropped.
      if (later.length >= LIVE_LOG_KEPT) return askAgain();
      const all = [...fresh, ...entries];
      setKnown({
        ...current,
        entries: all.slice(0, MOST_KEPT),
        seen: newestOf(later),
        total: current.total + later.length,
        filtered: current.filtered + fresh.length,
        hasOlder: current.hasOlder || all.length > MOST_KEPT,
      });
    },
    total: (current?.total ?? 0) + later.length,
    filtered: (current?.filtered ?? 0) + fresh.length,
    failure,
    askAgain,
    older,
  };
}
