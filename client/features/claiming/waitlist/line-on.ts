import { useMemo } from 'react';
import { type HourRange, rangesOverlap } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { useBoard } from '../../../state/board-store.ts';
import type { Waits } from '../use-waits.ts';

const NOBODY: readonly Wait[] = [];

/** Who waits on a spot on a date, in their order; the same list until that changes. */
export function useLineOn(respawn_id: number, date: string, waits: Waits): readonly Wait[] {
  const all = useBoard((board) => (waits === 'off' ? undefined : board.waitsByRespawn.get(respawn_id))) ?? NOBODY;
  return useMemo(() => {
    const onDate = all.filter((wait) => wait.date === date);
    return onDate.length > 0 ? onDate : NOBODY;
  }, [all, date]);
}

/** Those of them who wait for some of these hours, but for whom they are held. */
export const waitingFor = (hours: HourRange, line: readonly Wait[]): Wait[] =>
  line.filter((wait) => wait.status === 'waiting' && rangesOverlap(wait, hours));

/** @param viewer a name's key */
export const ownIn = (line: readonly Wait[], viewer: string | null): Wait | undefined =>
  line.find((wait) => nameKey(wait.character_name) === viewer);
