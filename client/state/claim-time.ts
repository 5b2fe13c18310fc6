import { CONFIG_ID } from '../../shared/kinds.ts';
import { type ClaimTime, DEFAULT_HORIZON_DAYS } from '../../shared/rules/claim-time.ts';
import { serverSaveTime } from '../../shared/rules/server-save.ts';
import { type BoardState, useBoard } from './board-store.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from './clock.ts';

// A change set of a server before this one has a configuration without it.
const horizonOf = ({ byKind }: BoardState): number =>
  byKind.config.get(CONFIG_ID)?.horizon_days ?? DEFAULT_HORIZON_DAYS;

/** The time that the rules need for claims in progress. Re-renders every minute. */
export function useClaimTime(may_enter_past: boolean): ClaimTime {
  const { date: today, hour } = useServerSaveTime();
  return {
    today,
    hour,
    horizon_days: useBoard(horizonOf),
    may_enter_past,
    clock: useServerSaveClock(),
  };
}

/** The same at the moment of a press. */
export function claimTimeNow(may_enter_past: boolean): ClaimTime {
  const clock = useServerSaveClock.getState();
  const { date: today, hour } = serverSaveTime(serverNow(), clock);
  return { today, hour, horizon_days: horizonOf(useBoard.getState()), may_enter_past, clock };
}
