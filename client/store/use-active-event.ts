import type { Event } from '../../shared/schemas/event.ts';
import { useBoard } from './board-store.ts';

/** The event that is on, or null. Admins know the others, too. */
export function useActiveEvent(): Event | null {
  return useBoard((board) => {
    for (const event of board.byKind.event.values()) if (event.is_active) return event;
    return null;
  });
}
