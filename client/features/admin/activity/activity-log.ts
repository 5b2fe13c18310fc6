import { useEffect, useEffectEvent, useMemo } from 'react';
import {
  type ActivityAction,
  CLAIM_HISTORY,
  CLAIM_HISTORY_ACTIONS,
  isActivityAction,
} from '../../../../shared/activity-actions.ts';
import { isCredential } from '../../../../shared/rules/access-keys.ts';
import { namesInEntry } from '../../../../shared/rules/entry-names.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import { addDays, instantOf, type ServerSaveClock } from '../../../../shared/rules/server-save.ts';
import type { ActivityEntry, ActivityQuery } from '../../../../shared/schemas/activity.ts';
import type { PageQuery } from '../../../../shared/schemas/fields.ts';
import { getActivityLog } from '../../../api/calls.ts';
import {
  keepPages,
  type ServerPage,
  type ServerPages,
  useServerPages,
  useSettled,
} from '../../../api/query.ts';
import { KEPT_LOG_ENTRIES, useBoard } from '../../../state/board-store.ts';
import { useServerSaveClock } from '../../../state/clock.ts';
import type { TableView } from '../table/table-view.ts';
import { foldEntries } from './fold-entries.ts';

/** Which entries are shown; an empty field matches any. The dates are server-save dates, both included. */
export interface ActivityFilter {
  action: ActivityAction | typeof CLAIM_HISTORY | '';
  /** The beginning of a character's or a spot's name. */
  name: string;
  admin: string;
  /** Leaves out members, visitors and the server, unless an action or a name is chosen. */
  adminsOnly: boolean;
  from: string;
  to: string;
}

/** The filter in the address: `?search=mira&action=claim_deleted&admin=thora&from=2026-11-01&to=2026-11-21`. */
export function filterOf(view: TableView, adminsOnly: boolean): ActivityFilter {
  const action = view.valueOf('action');
  const name = view.search.trim();
  return {
    action: isActivityAction(action) || action === CLAIM_HISTORY ? action : '',
    name,
    admin: view.valueOf('admin'),
    adminsOnly: adminsOnly && action === '' && name === '',
    from: view.valueOf('from'),
    to: view.valueOf('to'),
  };
}

function queryOf(filter: ActivityFilter): Partial<ActivityQuery> {
  const { action, name, admin, adminsOnly, from, to } = filter;
  return {
    ...(action && { action }),
    ...(name && { name }),
    ...(admin && { admin }),
    ...(adminsOnly && { by: 'admins' as const }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

/** The server's filter, for entries that arrive live. */
function matchesFilter(
  filter: ActivityFilter,
  clock: ServerSaveClock,
): (entry: ActivityEntry) => boolean {
  const { action, adminsOnly, from, to } = filter;
  const admin = nameKey(filter.admin);
  const name = nameKey(filter.name);
  const matchesAction = ({ action: one }: ActivityEntry): boolean =>
    action === CLAIM_HISTORY
      ? CLAIM_HISTORY_ACTIONS.includes(one)
      : action === '' || one === action;
  const isNamed = ({ action: one, details }: ActivityEntry): boolean =>
    name === '' || namesInEntry(one, details).some((key) => key.startsWith(name));
  const begins = from ? instantOf(from, 0, clock).toISOString() : '';
  const ends = to ? instantOf(addDays(to, 1), 0, clock).toISOString() : '';
  return (entry) =>
    matchesAction(entry) &&
    isNamed(entry) &&
    (!adminsOnly || entry.actor_kind === 'admin' || entry.actor_kind === 'command_line') &&
    (admin === '' || nameKey(entry.admin_username ?? '') === admin) &&
    entry.timestamp >= begins &&
    (ends === '' || entry.timestamp < ends);
}

interface LogPage extends ServerPage<ActivityEntry> {
  /** All entries of the log; `total` counts those that match the filter. */
  unfiltered: number;
  /** The newest entry that existed when the page was read: later ones arrive live. */
  seen: number;
  /** Other entries of the same writes. */
  related: readonly ActivityEntry[];
}

export async function readLog(
  filter: ActivityFilter,
  { limit, before: below }: PageQuery,
  signal: AbortSignal,
): Promise<LogPage> {
  // A pasted key names no entry, and must not reach the address of a request.
  const isSecret = isCredential(filter.name);
  const before = newestOf(useBoard.getState().byKind.activity.values());
  const query = {
    ...(limit !== undefined && { limit }),
    page: 1,
    ...queryOf(isSecret ? { ...filter, name: '' } : filter),
    ...(below !== undefined && { before: below }),
  };
  const { logs, related = [], total, filtered } = await getActivityLog(query, signal);
  return {
    records: isSecret ? [] : logs,
    related: isSecret ? [] : related,
    total: isSecret ? 0 : filtered,
    unfiltered: total,
    seen: Math.max(before, newestOf(logs)),
  };
}

const newestOf = (entries: Iterable<ActivityEntry>): number =>
  Math.max(0, ...[...entries].map((entry) => entry.id));

/** While the tab stays open and new entries arrive on top, it keeps this many; older ones are read again on demand. */
const MAX_KEPT = 1_000;
/** Don't ask the server for each letter of a name. */
const TYPING_MS = 250;

interface ActivityLog {
  /** null: not loaded. Without those that a listed action caused. */
  entries: readonly ActivityEntry[] | null;
  /** Entries that an action caused, in order. */
  causedBy: (entry: ActivityEntry) => readonly ActivityEntry[];
  /** Entries that arrived since and match, newest first. */
  fresh: readonly ActivityEntry[];
  /** The newest entry that arrived since, whether it matches or not; 0: none. */
  newest: number;
  /** Puts the fresh entries on top of the others. */
  takeFresh: () => void;
  total: number;
  filtered: number;
  pages: ServerPages<ActivityEntry, LogPage>;
}

export function useActivityLog(filter: ActivityFilter): ActivityLog {
  const clock = useServerSaveClock();
  const live = useBoard((board) => board.byKind.activity);
  const question = JSON.stringify(queryOf(filter));
  const settledQuery = useSettled(question, TYPING_MS);
  const isCurrent = settledQuery === question;
  const queryKey = ['activity log', settledQuery];
  const read = useServerPages({
    queryKey,
    read: (page, signal) => readLog(filter, page, signal),
    enabled: isCurrent,
    meta: { followsBoard: true },
  });
  const pages: typeof read = isCurrent
    ? read
    : { ...read, status: 'loading', error: null, pages: [] };
  const [first] = pages.pages;

  // The live connection doesn't deliver entries from while it was down.
  const isLive = useBoard((board) => board.connection === 'live');
  const readAgain = useEffectEvent(() => void read.reload());
  useEffect(() => {
    if (isLive) readAgain();
  }, [isLive]);

  const matches = useMemo(() => matchesFilter(filter, clock), [filter, clock]);
  const seen = first?.seen ?? Number.POSITIVE_INFINITY;
  const later = useMemo(() => [...live.values()].filter((entry) => entry.id > seen), [live, seen]);
  const fresh = useMemo(() => later.filter(matches).sort((a, b) => b.id - a.id), [later, matches]);
  // Undoing an entry arrives live. An action unknown to this version, as a newer server may send it, is skipped.
  const loaded = first
    ? pages.records
        .filter(({ action }) => isActivityAction(action))
        .map((entry) => live.get(entry.id) ?? entry)
    : null;
  const related = pages.pages.flatMap((page) => page.related);
  const { entries, causedBy } = foldEntries(loaded, [...related, ...live.values()]);

  const takeFresh = (): void => {
    if (!first || !loaded || later.length === 0) return;
    // The live store keeps no more than this, so entries before them may be missing.
    if (later.length >= KEPT_LOG_ENTRIES) return void read.reload();
    const records = [...fresh, ...loaded].slice(0, MAX_KEPT);
    const total = (first.total ?? 0) + fresh.length;
    keepPages<LogPage>(queryKey, [
      {
        records,
        related: [...later, ...related],
        total,
        unfiltered: first.unfiltered + later.length,
        seen: newestOf(later),
      },
    ]);
  };
  return {
    entries,
    causedBy,
    fresh,
    newest: newestOf(later),
    takeFresh,
    total: (first?.unfiltered ?? 0) + later.length,
    filtered: (first?.total ?? 0) + fresh.length,
    pages,
  };
}
