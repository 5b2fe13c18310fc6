import { useRef } from 'react';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { type BoardState, useBoard } from '../../../store/board-store.ts';
import { type BoardQuery, type BoardView, boardView, type Now, reuse } from './board-view.ts';

/** What the board shows; the same object until that changes, however many claims do. */
export function useBoardView({ search, show, sort, category }: BoardQuery, event: ActiveEvent | null, { date, hour }: Now): BoardView {
  const last = useRef<{ of: readonly unknown[]; view: BoardView } | null>(null);
  return useBoard(({ byKind, claimsByRespawn }: BoardState): BoardView => {
    const of = [byKind.respawn, byKind.category, claimsByRespawn, event, date, hour, search, show, sort, category];
    // React asks several times in each rendering, and so does every change of the board that is about something else.
    if (last.current?.of.every((value, i) => value === of[i])) return last.current.view;
    const facts = { respawns: byKind.respawn.values(), categories: byKind.category.values(), claimsByRespawn, event, now: { date, hour } };
    const view = reuse(last.current?.view ?? null, boardView(facts, { search, show, sort, category }));
    last.current = { of, view };
    return view;
  });
}
