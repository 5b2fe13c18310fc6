import { useMemo } from 'react';
import type { OccupiedHours } from '../../../../shared/schemas/occupancy.ts';
import { occupiedOn } from '../../../lib/occupied.ts';
import { useBoard } from '../../../state/board-store.ts';

/** The hours of a spot on a date that claims of other events occupy; the same list until they change. */
export function useElsewhere(respawn_id: number, date: string): readonly OccupiedHours[] {
  const all = useBoard((board) => board.occupiedByRespawn.get(respawn_id));
  return useMemo(() => occupiedOn(all, date), [all, date]);
}
