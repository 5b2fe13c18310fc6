import { useEffect } from 'react';
import { type Nearness, useNear } from '../../lib/use-near.ts';

/**
 * Ids of the spots that were near the view since the board was opened. Another order, another filter and a first claim make
 * new cards of them, and what was seen does not begin as a name again.
 */
export type DrawnSpots = Set<number>;

/** Whether a spot is drawn whole: from when it comes near the view. */
export function useDrawn(id: number, drawn: DrawnSpots, already: boolean): Nearness {
  const near = useNear(already || drawn.has(id));
  const [isNear] = near;
  useEffect(() => {
    if (isNear) drawn.add(id);
  }, [id, drawn, isNear]);
  return near;
}
