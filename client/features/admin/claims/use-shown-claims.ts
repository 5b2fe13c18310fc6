import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { addDays } from '../../../../shared/rules/server-save.ts';
import { useBoard } from '../../../store/board-store.ts';
import { useServerSaveTime } from '../../../store/clock.ts';
import { useActiveEvent } from '../../../store/use-active-event.ts';
import type { ClaimIndex } from './claim-groups.ts';
import { type EarlierClaims, NO_CLAIMS, readEarlier } from './earlier-claims.ts';
import { endedEvents, lastOffBoardChange, offBoard, withoutBoard } from './off-board.ts';

export interface ShownClaims {
  /** No claim is in two of them. */
  sources: readonly ClaimIndex[];
  /** `loading`: the claims off the board are not here yet. `failed`: they are not, or are as they last were. */
  status: 'loading' | 'ready' | 'failed';
  error: unknown;
  askAgain: () => void;
  /** What is known of the claims off the board. */
  earlier: EarlierClaims;
  /** Reads more of them. @throws ApiError; what the signal is aborted with */
  readMore: (signal: AbortSignal) => Promise<void>;
  /** Reads all the others, to be saved without being shown. @throws ApiError; what the signal is aborted with */
  readRest: (signal: AbortSignal, onProgress: (done: number, all: number) => void) => Promise<ClaimIndex>;
}

type Loaded = { status: 'loading' } | { status: 'ready' } | { status: 'failed'; error: unknown };

/** Several changes often come at once. */
const SETTLE_MS = 300;
/** Claims off the board that are read unasked. */
const READ_AHEAD = 10_000;

/**
 * The claims of the active event, live; without one all claims there are. The board knows those from today on,
 * of the others the newest are read, and again whenever the log tells of a change to them; older ones on demand.
 */
export function useShownClaims(): ShownClaims {
  const event = useActiveEvent();
  const { date: today } = useServerSaveTime();
  const onBoard = useBoard((board) => board.claimsByRespawn);
  const claim = useBoard((board) => board.byKind.claim);
  const ended = useBoard((board) => endedEvents(board.byKind.event.values(), today));
  const lastChange = useBoard((board) => lastOffBoardChange(board.byKind.activity.values(), today));
  const [earlier, setEarlier] = useState(NO_CLAIMS);
  const [loaded, setLoaded] = useState<Loaded>({ status: 'loading' });
  const [tries, setTries] = useState(0);
  const wantsAll = event === null;
  const to = addDays(today, -1);
  const load = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    try {
      // As many as one has before one, so that a change takes nothing off the screen.
      setEarlier(await readEarlier(NO_CLAIMS, { to, most: Math.max(READ_AHEAD, earlier.count), signal }));
      setLoaded({ status: 'ready' });
    } catch (error) {
      if (!signal.aborted) setLoaded({ status: 'failed', error });
    }
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new day, a change off the board and another try are reasons to ask anew
  useEffect(() => {
    if (!wantsAll) return;
    const abort = new AbortController();
    const timer = setTimeout(() => void load(abort.signal), SETTLE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wantsAll, today, lastChange, tries]);

  const over = useMemo(() => offBoard(wantsAll ? earlier.rows : [], ended, today), [wantsAll, earlier, ended, today]);
  const others = useMemo(() => withoutBoard(over, claim), [over, claim]);
  const sources = useMemo(() => [onBoard, others], [onBoard, others]);
  return {
    sources,
    status: wantsAll ? loaded.status : 'ready',
    error: wantsAll && loaded.status === 'failed' ? loaded.error : null,
    askAgain: () => {
      setLoaded({ status: 'loading' });
      setTries((count) => count + 1);
    },
    earlier: wantsAll ? earlier : NO_CLAIMS,
    readMore: async (signal) => {
      const more = await readEarlier(earlier, { to, most: earlier.count + READ_AHEAD, signal });
      // Read anew meanwhile: that is newer.
      setEarlier((now) => (now === earlier ? more : now));
    },
    readRest: async (signal, onProgress) => {
      const onPage = ({ count, total }: EarlierClaims): void => onProgress(count, total);
      const all = await readEarlier(earlier, { to, most: Number.POSITIVE_INFINITY, signal, onPage });
      return offBoard(all.rows.slice(earlier.rows.length), ended, today);
    },
  };
}
