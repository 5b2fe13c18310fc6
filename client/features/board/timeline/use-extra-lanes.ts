import { useShallow } from 'zustand/react/shallow';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { useBoard } from '../../../store/board-store.ts';
import { claimsOn } from '../day-claims.ts';
import { dayCells, waitingLanes } from './day-cells.ts';

/** Where more wait for the same hours than a row has room for: the lanes to add, by spot. The same map until that changes. */
export function useExtraLanes(date: string): ReadonlyMap<number, number> {
  return useBoard(
    useShallow(({ claimsByRespawn }) => {
      const extra = new Map<number, number>();
      for (const [id, claims] of claimsByRespawn) {
        const waiting = claims.filter((claim) => claim.is_secondary_claim);
        if (waiting.length < 2) continue;
        const lanes = waitingLanes(dayCells(claimsOn(date, waiting), HOURS_IN_DAY));
        if (lanes > 1) extra.set(id, lanes - 1);
      }
      return extra;
    }),
  );
}
