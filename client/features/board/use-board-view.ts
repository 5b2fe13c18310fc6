import { useRef } from 'react';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { type BoardState, useBoard } from '../../store/board-store.ts';
import { type BoardQuery, type BoardView, boardView, type Now, reuse } from './board-view.ts';

/** What the board shows; the same object until that changes, however many claims do. */
export function useBoardView(query: BoardQuery, event: ActiveEvent | null, now: Now): BoardView {
  const last = useRef<BoardView | null>(null);
  const select = ({ byKind, claimsByRespawn }: BoardState): BoardView => {
    const facts = { respawns: byKind.respawn.values(), categories: byKind.category.values(), claimsByRespawn, event, now };
    last.current = reuse(last.current, boardView(facts, query));
    return last.current;
  };
  return useBoard(select);
}
