import { useMemo } from 'react';
import { type ClaimTime, hoursOver } from '../../../../shared/rules/claim-time.ts';
import { fitsAt, roomAt } from '../../../../shared/rules/free-at.ts';
import { occupiedIn } from '../../../lib/occupied.ts';
import { useBoard } from '../../../state/board-store.ts';
import type { RowView } from '../../claiming/draft/row-view.ts';

/** What spots are looked for by: the hours of one date of the form. */
interface Wanted {
  /** null: all of a single_claim event, every claim of which counts. */
  date: string | null;
  hour_start: number;
  duration: number;
  over: number;
}

/**
 * R2.5: whether a spot has the hours that are chosen in the form, on every date, as far as the board tells.
 * @returns null while no hours are chosen that a spot could have: a split claim's parts have spots of their own
 */
export function useFitsChosen(rows: readonly RowView[], time: ClaimTime): ((respawn_id: number) => boolean) | null {
  const claims = useBoard((board) => board.claimsByRespawn);
  const occupied = useBoard((board) => board.occupiedByRespawn);
  return useMemo(() => {
    const wanted = rows.flatMap(({ row, period, duration }): Wanted[] => {
      if (row.split || row.hour_start === null) return [];
      const date = period.event_id === null ? row.date : null;
      return [{ date, hour_start: row.hour_start, duration, over: hoursOver(period.last, time) }];
    });
    if (wanted.length === 0) return null;
    return (respawn_id) => {
      const held = (claims.get(respawn_id) ?? []).filter((claim) => !claim.is_secondary_claim);
      return wanted.every(({ date, over, ...asked }) => {
        const here = held.filter((claim) => date === null || claim.date === null || claim.date === date);
        const taken = [...here, ...occupiedIn(occupied.get(respawn_id), date === null ? null : { first: date, last: date })];
        return fitsAt(asked, roomAt(asked, taken, over));
      });
    };
  }, [rows, time, claims, occupied]);
}
