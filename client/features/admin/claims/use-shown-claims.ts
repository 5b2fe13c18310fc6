import { useEffect, useMemo, useState } from 'react';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { getAdminClaims } from '../../../api/calls.ts';
import { useBoard } from '../../../store/board-store.ts';
import { useServerSaveTime } from '../../../store/clock.ts';
import { useActiveEvent } from '../../../store/use-active-event.ts';
import type { ClaimIndex } from './claim-groups.ts';
import { endedEvents, lastOffBoardChange, offBoard, withoutBoard } from './off-board.ts';

export interface ShownClaims {
  /** No claim is in two of them. */
  sources: readonly ClaimIndex[];
  /** `loading`: the claims off the board are not here yet. `failed`: they are not, or are as they last were. */
  status: 'loading' | 'ready' | 'failed';
  error: unknown;
  askAgain: () => void;
}

type Loaded = { status: 'loading' } | { status: 'ready' } | { status: 'failed'; error: unknown };

/** Several changes often come at once. */
const SETTLE_MS = 300;
const NONE: readonly ClaimOnRespawn[] = [];

/**
 * The claims of the active event, live; without one all claims there are. The board knows those from today on,
 * the others are read, and again whenever the log tells of a change to them.
 */
export function useShownClaims(): ShownClaims {
  const event = useActiveEvent();
  const { date: today } = useServerSaveTime();
  const onBoard = useBoard((board) => board.claimsByRespawn);
  const claim = useBoard((board) => board.byKind.claim);
  const ended = useBoard((board) => endedEvents(board.byKind.event.values(), today));
  const lastChange = useBoard((board) => lastOffBoardChange(board.byKind.activity.values(), today));
  const [all, setAll] = useState(NONE);
  const [loaded, setLoaded] = useState<Loaded>({ status: 'loading' });
  const [tries, setTries] = useState(0);
  const wantsAll = event === null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new day, a change off the board and another try are reasons to ask anew
  useEffect(() => {
    if (!wantsAll) return;
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      try {
        const claims = await getAdminClaims(abort.signal);
        if (abort.signal.aborted) return;
        setAll(claims);
        setLoaded({ status: 'ready' });
      } catch (error) {
        if (!abort.signal.aborted) setLoaded({ status: 'failed', error });
      }
    };
    const timer = setTimeout(() => void load(), SETTLE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wantsAll, today, lastChange, tries]);

  const over = useMemo(() => offBoard(wantsAll ? all : NONE, ended, today), [wantsAll, all, ended, today]);
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
  };
}
