import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ClaimRow } from '../../../../../shared/schemas/claim.ts';
import { MAX_LIST, MAX_PAGE } from '../../../../../shared/schemas/fields.ts';
import { getAdminClaims } from '../../../../api/calls.ts';

type Loaded = { status: 'loading' } | { status: 'ready' } | { status: 'failed'; error: unknown };

interface Wanted {
  /** False: nothing is read. */
  wanted: boolean;
  /** The last server-save date. */
  to: string;
  /** Moves with each change to these claims: they are read anew. */
  lastChange: number;
}

interface KnownEarlier {
  earlier: EarlierClaims;
  loaded: Loaded;
  askAgain: () => void;
  /** Reads more of them. @throws ApiError; what the signal is aborted with */
  readMore: (signal: AbortSignal) => Promise<void>;
}

/** Several changes often come at once. */
const SETTLE_MS = 300;
/** As many claims are read unasked, and as many more on demand. */
const READ_AHEAD = 10_000;

/** The newest earlier claims, read anew with each change to them: one reading at a time, and one more for all that changed meanwhile. */
export function useEarlierClaims({ wanted, to, lastChange }: Wanted): KnownEarlier {
  const [earlier, setEarlier] = useState(NO_CLAIMS);
  const [loaded, setLoaded] = useState<Loaded>({ status: 'loading' });
  const [tries, setTries] = useState(0);
  const known = useRef(NO_CLAIMS);
  const [take] = useState(inTurn);
  const reread = useRef<(() => void) | null>(null);
  const keep = (claims: EarlierClaims): void => {
    known.current = claims;
    setEarlier(claims);
  };
  const load = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    try {
      // As many as one has before one, so that a change takes nothing off the screen.
      keep(await readEarlier(NO_CLAIMS, { to, most: Math.max(READ_AHEAD, known.current.count), signal }));
      setLoaded({ status: 'ready' });
    } catch (error) {
      if (!signal.aborted) setLoaded({ status: 'failed', error });
    }
  });

  useEffect(() => {
    if (!wanted) return;
    const abort = new AbortController();
    let isWaiting = false;
    reread.current = () => {
      if (isWaiting) return;
      isWaiting = true;
      void take(async () => {
        await new Promise((settled) => setTimeout(settled, SETTLE_MS));
        isWaiting = false;
        if (!abort.signal.aborted) await load(abort.signal);
      });
    };
    return () => {
      reread.current = null;
      abort.abort();
    };
  }, [wanted, take]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new day, a change and another try are reasons to ask anew
  useEffect(() => reread.current?.(), [wanted, to, lastChange, tries]);

  return {
    earlier,
    loaded,
    askAgain: () => {
      setLoaded({ status: 'loading' });
      setTries((count) => count + 1);
    },
    // In its turn: what it reads on from is not read anew meanwhile.
    readMore: (signal) => take(async () => keep(await readEarlier(known.current, { to, most: known.current.count + READ_AHEAD, signal }))),
  };
}

/** Claims of past dates, from the newest back; each with all its rows. */
export interface EarlierClaims {
  rows: readonly ClaimRow[];
  /** How many claims they are. */
  count: number;
  /** How many there are in all. */
  total: number;
  /** The next page begins before this one; null: that is all of them. */
  next: number | null;
}

export const NO_CLAIMS: EarlierClaims = { rows: [], count: 0, total: 0, next: null };

interface Reading {
  /** The last server-save date. */
  to: string;
  /** Stops when so many are here. */
  most: number;
  signal: AbortSignal;
  onPage?: (read: Omit<EarlierClaims, 'rows'>) => void;
}

/**
 * Reads on from what is known: the newest that one answer holds at once, those before them page by page.
 * @returns all that is known then
 * @throws ApiError; what the signal is aborted with
 */
export async function readEarlier(known: EarlierClaims, { to, most, signal, onPage }: Reading): Promise<EarlierClaims> {
  const rows = [...known.rows];
  let { count, total, next } = known;
  for (let isFirst = known === NO_CLAIMS; isFirst || (next !== null && count < most); isFirst = false) {
    signal.throwIfAborted();
    const page = await getAdminClaims({ to, ...(next === null ? {} : { limit: MAX_PAGE, before: next }) }, signal);
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

/** Runs works one after the other, each when the one before it has ended, well or not. */
function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  };
}
