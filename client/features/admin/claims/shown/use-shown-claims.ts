import { useMemo } from 'react';
import { addDays } from '../../../../../shared/rules/server-save.ts';
import { useActiveEvent, useBoard } from '../../../../state/board-store.ts';
import { useServerSaveTime } from '../../../../state/clock.ts';
import type { ClaimIndex } from './claim-groups.ts';
import { claimsIn, endedEvents, lastOffBoardChange, offBoard, withoutBoard } from './off-board.ts';
import { type EarlierClaims, NO_CLAIMS, readEarlier, useEarlierClaims } from './use-earlier-claims.ts';

export interface ShownClaims {
  /** No claim is in two of them. */
  sources: readonly ClaimIndex[];
  /** `loading`: the claims off the board are not here yet. `failed`: they are not, or are as they last were. */
  status: 'loading' | 'ready' | 'failed';
  error: unknown;
  askAgain: () => void;
  /** Of the claims off the board, how many are shown, of how many; `isAll`: there are no others. */
  earlier: { count: number; total: number; isAll: boolean };
  /** Reads more of them. @throws ApiError; what the signal is aborted with */
  readMore: (signal: AbortSignal) => Promise<void>;
  /** Sources of all claims, to be saved without being shown. @throws ApiError; what the signal is aborted with */
  readAll: (signal: AbortSignal, onProgress: (done: number, all: number) => void) => Promise<readonly ClaimIndex[]>;
}

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
  const wantsAll = event === null;
  const to = addDays(today, -1);
  const { earlier: read, loaded, askAgain, readMore } = useEarlierClaims({ wanted: wantsAll, to, lastChange });
  const earlier = wantsAll ? read : NO_CLAIMS;
  const status = wantsAll ? loaded.status : 'ready';

  const over = useMemo(() => offBoard(earlier.rows, ended, today), [earlier, ended, today]);
  const others = useMemo(() => withoutBoard(over, claim), [over, claim]);
  const sources = useMemo(() => [onBoard, others], [onBoard, others]);
  // The board shows the rest of what was read.
  const shownElsewhere = useMemo(() => earlier.count - claimsIn(others), [earlier, others]);
  return {
    sources,
    status,
    error: wantsAll && loaded.status === 'failed' ? loaded.error : null,
    askAgain,
    earlier: { count: earlier.count - shownElsewhere, total: earlier.total - shownElsewhere, isAll: earlier.next === null },
    readMore,
    readAll: async (signal, onProgress) => {
      // What could not be read, or not anew, is no beginning.
      const known = status === 'ready' ? earlier : NO_CLAIMS;
      const hidden = known === earlier ? shownElsewhere : 0;
      const onPage = ({ count, total }: Omit<EarlierClaims, 'rows'>): void => onProgress(count - hidden, total - hidden);
      const all = await readEarlier(known, { to, most: Number.POSITIVE_INFINITY, signal, onPage });
      const rest = withoutBoard(offBoard(all.rows.slice(known.rows.length), ended, today), claim);
      return known === earlier ? [...sources, rest] : [onBoard, rest];
    },
  };
}
