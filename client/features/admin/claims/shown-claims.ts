import { useEffect, useMemo, useRef, useState } from 'react';
import { isOnBoard } from '../../../../shared/rules/board.ts';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import { addDays } from '../../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn, ClaimRow } from '../../../../shared/schemas/claim.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import { MAX_LIST, MAX_PAGE } from '../../../../shared/schemas/fields.ts';
import { getAdminClaims } from '../../../api/admin-calls.ts';
import {
  queryClient,
  type ServerPages,
  useServerPages,
  useServerQueryKeepingLast,
} from '../../../api/query.ts';
import { groupBy } from '../../../lib/words/order.ts';
import { refreshBoard } from '../../../live/refresh.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { type OnProgress, useReloadOn } from '../pages/pages.tsx';
import { isOfCharacter, isOfPast, lastClaimChange } from './claim-changes.ts';
import type { ClaimIndex } from './claim-groups.ts';
import { type ClaimsFailure, useLoadedClaims } from './claims-by-calls.ts';

export interface ShownClaims {
  /** No claim is in two of them. */
  sources: readonly ClaimIndex[];
  /** The claims outside the event, if its own could not be read alone. */
  others: ClaimIndex | null;
  /** `failed`: some are missing or out of date. */
  status: 'loading' | 'ready' | 'failed';
  failures: readonly ClaimsFailure[];
  retry: () => void;
  /** How many of the claims off the board are loaded. */
  earlier: { count: number; total: number; isAll: boolean };
  /** Reads older ones. @throws ApiError; the signal's reason once it is aborted */
  readMore: (signal: AbortSignal) => Promise<void>;
  /** Sources of all claims, for a file. @throws ApiError; the signal's reason once it is aborted */
  readAll: (signal: AbortSignal, onProgress: OnProgress) => Promise<readonly ClaimIndex[]>;
}

/**
 * The claims of the active event, live; without one, all claims. The board has those from today on; of earlier ones the newest are
 * read, and again whenever the activity log reports a change to them; older ones on demand.
 */
export function useShownClaims(): ShownClaims {
  const event = useActiveEvent();
  const { date: today } = useServerSaveTime();
  const loaded = useLoadedClaims(event?.id ?? null, today);
  const { index, known } = loaded;
  const ended = useBoard((board) => endedEvents(board.byKind.event.values(), today));
  const lastChange = useBoard((board) =>
    lastClaimChange(board.byKind.activity.values(), isOfPast(today)),
  );
  const wantsAll = event === null;
  const to = addDays(today, -1);
  const query = useEarlierClaims({ enabled: wantsAll, to, lastChange });
  const { readMore } = query;
  const earlier = wantsAll ? query.earlier : NO_CLAIMS;
  const failures: ClaimsFailure[] = [...loaded.failures];
  if (wantsAll && query.status === 'failed')
    failures.push({ sentence: 'loadFailed', error: query.error });
  const isIncomplete = failures.some(({ sentence }) => sentence === 'loadFailed');
  const status = isIncomplete ? 'failed' : wantsAll ? query.status : 'ready';

  const over = useMemo(() => offBoard(earlier.rows, ended, today), [earlier, ended, today]);
  const past = useMemo(() => withoutBoard(over, known), [over, known]);
  const sources = useMemo(() => [index, past], [index, past]);
  // The board shows the others.
  const shownElsewhere = useMemo(() => earlier.count - claimsIn(past), [earlier, past]);
  return {
    sources,
    others: loaded.others,
    status,
    failures,
    retry: () => {
      refreshBoard();
      loaded.retry();
      if (wantsAll) query.retry();
    },
    earlier: {
      count: earlier.count - shownElsewhere,
      total: earlier.total - shownElsewhere,
      isAll: earlier.next === null,
    },
    readMore,
    readAll: async (signal, onProgress) => {
      const [failure] = loaded.failures;
      if (failure) throw failure.error;
      // After a failure everything is read again.
      const from = status === 'ready' ? earlier : NO_CLAIMS;
      const hidden = from === earlier ? shownElsewhere : 0;
      const onPage = ({ count, total }: Omit<EarlierClaims, 'rows'>): void =>
        onProgress({ done: count - hidden, all: total - hidden });
      const all = await readEarlier(from, { to, most: Number.POSITIVE_INFINITY, signal, onPage });
      const rest = withoutBoard(offBoard(all.rows.slice(from.rows.length), ended, today), known);
      return from === earlier ? [...sources, rest] : [index, rest];
    },
  };
}

interface OutsideClaims {
  /** null: they are not loaded. */
  claims: ClaimIndex | null;
  /** How many are from today on; undefined until the server answers. */
  upcoming: number | undefined;
  /** They are missing or out of date. */
  error: unknown;
  retry: () => void;
}

/**
 * The claims outside the active event, of other events or of none, the newest; read again whenever the activity log reports a change of
 * claims. Without an active event there are none: the others are shown then.
 * @param isWanted whether to read them, and not only to count them
 */
export function useOutsideClaims(isWanted: boolean): OutsideClaims {
  const event = useActiveEvent();
  const { date: today } = useServerSaveTime();
  const onBoard = useBoard((board) => board.byKind.claim);
  const lastChange = useBoard((board) =>
    lastClaimChange(board.byKind.activity.values(), () => true),
  );
  const except_event = event?.id ?? 0;
  const counted = useServerQueryKeepingLast({
    queryKey: ['claims outside', except_event, 'count', today],
    queryFn: ({ signal }) => getAdminClaims({ except_event, from: today, limit: 1 }, signal),
    enabled: event !== null,
  });
  const read = useServerQueryKeepingLast({
    queryKey: ['claims outside', except_event],
    queryFn: ({ signal }) => getAdminClaims({ except_event }, signal),
    enabled: event !== null && isWanted,
    structuralSharing: false,
    gcTime: 0,
  });
  useReloadOn(lastChange, {
    isReading: counted.isFetching,
    reload: async () => (event ? counted.refetch() : undefined),
  });
  useReloadOn(lastChange, {
    isReading: read.isFetching,
    reload: async () => (isWanted && event ? read.refetch() : undefined),
  });
  const records = event && isWanted ? read.data?.records : undefined;
  const claims = useMemo(
    () =>
      records
        ? withoutBoard(
            groupBy(records, ({ respawn_id }) => respawn_id),
            onBoard,
          )
        : null,
    [records, onBoard],
  );
  const upcoming = event ? (counted.data?.total ?? undefined) : undefined;
  return {
    claims,
    upcoming,
    error: isWanted ? read.error : null,
    retry: () => void read.refetch(),
  };
}

/**
 * A character's claims that the board doesn't have, newest first, page by page: of past dates and, with an active event, those outside of
 * it. They are read again whenever the activity log reports a change to such claims.
 */
export function useEarlierClaimsOf(character: string): ServerPages<ClaimRow> {
  const { date: today } = useServerSaveTime();
  const onBoard = useBoard((board) => board.byKind.claim);
  const event = useActiveEvent();
  const isPast = isOfPast(today);
  const isTheirs = isOfCharacter(character);
  const lastChange = useBoard(({ byKind }) =>
    lastClaimChange(
      byKind.activity.values(),
      (details) => (event !== null || isPast(details)) && isTheirs(details),
    ),
  );
  const except_event = event?.id;
  const to = addDays(today, -1);
  const pages = useServerPages({
    queryKey: ['claims of', nameKey(character), except_event ?? to],
    read: (page, signal) =>
      getAdminClaims(
        { character, ...(except_event === undefined ? { to } : { except_event }), ...page },
        signal,
      ),
  });
  useReloadOn(lastChange, pages);
  const records = useMemo(
    () => pages.records.filter(({ id }) => onBoard.get(id) === undefined),
    [pages.records, onBoard],
  );
  const shownElsewhere = pages.count - new Set(records.map(({ id }) => id)).size;
  return {
    ...pages,
    records,
    count: pages.count - shownElsewhere,
    total: pages.total - shownElsewhere,
  };
}

interface EarlierOptions {
  enabled: boolean;
  /** The last server-save date. */
  to: string;
  /** The last log entry about these claims: another one means that they have to be read again. */
  lastChange: number;
}

interface EarlierClaimsQuery {
  earlier: EarlierClaims;
  /** `failed`: the last read failed; earlier results are kept. */
  status: 'loading' | 'ready' | 'failed';
  error: unknown;
  retry: () => void;
  /** Reads older ones. @throws ApiError; the signal's reason once it is aborted */
  readMore: (signal: AbortSignal) => Promise<void>;
}

/** Several changes often arrive together. */
const SETTLE_MS = 300;
/** How many claims are read at first, and how many more on demand. */
const READ_AHEAD = MAX_LIST;

/** The newest earlier claims, read again after each change to them. Reads run one at a time; changes during one cause one more. */
function useEarlierClaims({ enabled, to, lastChange }: EarlierOptions): EarlierClaimsQuery {
  const queryKey = ['earlier claims', to];
  const [enqueue] = useState(createQueue);
  const readChange = useRef(lastChange);
  /** The result of the last read, which the cache gets a moment later, and the date up to which it was read. */
  const known = useRef({ to, claims: NO_CLAIMS });
  // Around a server save, the previous day's claims stay while those up to the new day are read.
  const { data, error, isFetching, refetch } = useServerQueryKeepingLast({
    queryKey,
    queryFn: ({ signal }) =>
      enqueue(async () => {
        readChange.current = lastChange;
        // As many as before, so that a change removes none from the screen.
        const claims = await readEarlier(NO_CLAIMS, {
          to,
          most: Math.max(READ_AHEAD, known.current.claims.count),
          signal,
        });
        known.current = { to, claims };
        return claims;
      }),
    enabled,
    // The log says after a reconnect whether any changed.
    meta: { followsBoard: true },
    // Comparing ten thousand rows with the previous ones costs more than drawing them.
    structuralSharing: false,
    gcTime: 0,
  });
  useEffect(() => {
    if (!enabled || isFetching || readChange.current === lastChange) return;
    const timer = setTimeout(() => void refetch(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [enabled, isFetching, lastChange, refetch]);
  return {
    earlier: data ?? NO_CLAIMS,
    status: error && (data || !isFetching) ? 'failed' : data ? 'ready' : 'loading',
    error,
    retry: () => void refetch(),
    // In the same queue, so that a refresh neither starts from fewer claims nor loses these.
    readMore: (signal) =>
      enqueue(async () => {
        // If those up to the new day could not be read, the known ones lack the day that ended.
        const from = known.current.to === to ? known.current.claims : NO_CLAIMS;
        const claims = await readEarlier(from, {
          to,
          most: known.current.claims.count + READ_AHEAD,
          signal,
        });
        known.current = { to, claims };
        queryClient.setQueryData<EarlierClaims>(queryKey, claims);
      }),
  };
}

/** Claims of past dates, newest first; each with all its rows. */
interface EarlierClaims {
  rows: readonly ClaimRow[];
  /** How many claims they are. */
  count: number;
  /** How many there are on the server. */
  total: number;
  /** The next page begins below this id; null: all are read. */
  next: number | null;
}

const NO_CLAIMS: EarlierClaims = { rows: [], count: 0, total: 0, next: null };

interface Reading {
  /** The last server-save date. */
  to: string;
  /** Stops after this many claims. */
  most: number;
  signal: AbortSignal;
  onPage?: (read: Omit<EarlierClaims, 'rows'>) => void;
}

/**
 * Reads on from the known claims: the newest in one answer of the largest size, those before page by page.
 * @returns the known claims with those that were read
 * @throws ApiError; the signal's reason once it is aborted
 */
async function readEarlier(
  known: EarlierClaims,
  { to, most, signal, onPage }: Reading,
): Promise<EarlierClaims> {
  const rows = [...known.rows];
  let { count, total, next } = known;
  for (
    let isFirst = known === NO_CLAIMS;
    isFirst || (next !== null && count < most);
    isFirst = false
  ) {
    signal.throwIfAborted();
    const page = await getAdminClaims(
      { to, ...(next === null ? {} : { limit: MAX_PAGE, before: next }) },
      signal,
    );
    signal.throwIfAborted();
    const ids = new Set<number>();
    for (const row of page.records) {
      ids.add(row.id);
      rows.push(row);
    }
    count += ids.size;
    total = Math.max(page.total ?? total, count);
    next = ids.size < (next === null ? MAX_LIST : MAX_PAGE) ? null : smallest(ids);
    onPage?.({ count, total, next });
  }
  return { rows, count, total, next };
}

function smallest(ids: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const id of ids) least = Math.min(least, id);
  return least;
}

/** Runs async functions one after another, whether the one before succeeds or fails. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  };
}

/** Whether a board without an active event no longer has a claim that ends then. */
const isOver = (event_id: number | null, last_date: string, today: string): boolean =>
  !isOnBoard({ event_id }, last_date, { active_event: null, today });

/** The ended events as a text, which stays equal while only their claim counts change. */
export function endedEvents(events: Iterable<Event>, today: string): string {
  const ended = [...events].filter(({ id, end_time }) => isOver(id, eventDate(end_time), today));
  return ended.map(({ id }) => ` ${id} `).join('');
}

/**
 * The claims that the board doesn't have, by respawn: without an active event it has those from today on, and those for every day of
 * an event until the event ends.
 * @param ended the result of `endedEvents`
 */
export function offBoard(all: readonly ClaimOnRespawn[], ended: string, today: string): ClaimIndex {
  const index = new Map<number, ClaimOnRespawn[]>();
  for (const claim of all) {
    const { event_id, date } = claim;
    if (date === null ? !ended.includes(` ${event_id} `) : !isOver(event_id, date, today)) continue;
    const there = index.get(claim.respawn_id);
    if (there) there.push(claim);
    else index.set(claim.respawn_id, [claim]);
  }
  return index;
}

/** Leaves out claims that the board has: around a server save it still has yesterday's. Returns the same index if there are none. */
export function withoutBoard(
  index: ClaimIndex,
  onBoard: { get: (id: number) => object | undefined },
): ClaimIndex {
  const isHeld = ({ id }: ClaimOnRespawn): boolean => onBoard.get(id) !== undefined;
  if (![...index.values()].some((claims) => claims.some(isHeld))) return index;
  return new Map(
    [...index].map(([respawn_id, claims]) => [
      respawn_id,
      claims.filter((claim) => !isHeld(claim)),
    ]),
  );
}

/** How many claims an index has; a split claim counts once. */
function claimsIn(index: ClaimIndex): number {
  const ids = new Set<number>();
  for (const claims of index.values()) for (const { id } of claims) ids.add(id);
  return ids.size;
}
