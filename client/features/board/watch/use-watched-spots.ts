import { useMemo } from 'react';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { useStars } from '../../../state/stars.ts';
import type { Now } from '../view/board-view.ts';
import { huntsAround, orderOfHunts, standingIn } from './hours-around.ts';

/** No screen shows more, from wherever one sits. */
const MOST_ROWS = 60;

export interface WatchedSpots {
  ids: readonly number[];
  /** How many more there are. */
  more: number;
  /** How many hunt now. */
  hunting: number;
}

/** The spots that are claimed in the hours around now, and those with a star. */
export function useWatchedSpots({ date, hour }: Now): WatchedSpots {
  const respawns = useBoard((board) => board.byKind.respawn);
  const claimsByRespawn = useBoard((board) => board.claimsByRespawn);
  const event = useActiveEvent();
  const starred = useStars((stars) => stars.ids);
  return useMemo(() => {
    let hunting = 0;
    const spots = [...respawns.values()].flatMap((spot) => {
      const shown = spot.is_enabled ? huntsAround(claimsByRespawn.get(spot.id) ?? [], event, { date, hour }) : [];
      if (shown.length === 0 && !(spot.is_enabled && starred.has(spot.id))) return [];
      // Hours that are held are nobody's hunt yet.
      const { on } = standingIn(shown);
      if (on && on.claim.is_held !== 1) hunting += 1;
      return [{ id: spot.id, name: spot.name, order: orderOfHunts(shown) }];
    });
    const ids = inNameOrder(spots, ({ name }) => name)
      .sort((a, b) => a.order - b.order)
      .map(({ id }) => id);
    return { ids: ids.slice(0, MOST_ROWS), more: Math.max(0, ids.length - MOST_ROWS), hunting };
  }, [respawns, claimsByRespawn, event, starred, date, hour]);
}
