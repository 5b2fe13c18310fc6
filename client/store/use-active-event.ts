import { useShallow } from 'zustand/react/shallow';
import type { ActiveEvent } from '../../shared/schemas/event.ts';
import { useBoard } from './board-store.ts';

/**
 * The event that is on, or null. Admins know the others, too. Its count of claims is left out: every claim moves
 * it, and whoever holds this would render for claims on any spot.
 */
export function useActiveEvent(): ActiveEvent | null {
  return useBoard(
    useShallow((board) => {
      for (const event of board.byKind.event.values()) {
        if (!event.is_active) continue;
        const { id, name, type, start_time, end_time, single_claim_template } = event;
        return { id, name, type, start_time, end_time, single_claim_template };
      }
      return null;
    }),
  );
}
