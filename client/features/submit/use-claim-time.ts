import { CONFIG_ID } from '../../../shared/live.ts';
import { type ClaimTime, DEFAULT_HORIZON_DAYS } from '../../../shared/rules/claim-time.ts';
import { useBoard } from '../../store/board-store.ts';
import { useServerSaveTime } from '../../store/clock.ts';

/** When the form's claims are made, by the clock that goes on while it is open. */
export function useClaimTime(may_enter_past: boolean): ClaimTime {
  const { date: today, hour } = useServerSaveTime();
  // A change set of a server before this one has a configuration without it.
  const horizon_days = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.horizon_days) ?? DEFAULT_HORIZON_DAYS;
  return { today, hour, horizon_days, may_enter_past };
}
