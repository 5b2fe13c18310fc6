import { CONFIG_ID } from '../../../shared/kinds.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { occupiedOn } from '../../lib/occupied.ts';
import { type BoardState, useBoard } from '../../state/board-store.ts';
import { claimsOf } from '../../state/own-claims.ts';
import { claimTimeNow, useClaimsForOthers } from '../../state/permissions.ts';
import { useSession } from '../../state/session-store.ts';
import { claimsOn } from './day-claims.ts';

/** `off`: nothing of waiting is shown. `seen`: who waits. `offered`: whoever looks may wait, too, for what others hold. */
export type Waits = 'off' | 'seen' | 'offered';

/** How far waiting goes on a date, for all its cards and rows at once; what is pressed is judged by the rules themselves. */
export function useWaits(date: string, today: string, event: ActiveEvent | null): Waits {
  const profiles = useSession((session) => session.profiles);
  const isAdmin = useClaimsForOthers();
  return useBoard((board) => {
    const settings = board.byKind.config.get(CONFIG_ID);
    // One of a server before this one has no such switch.
    if (settings?.waits_enabled !== 1 || event?.type === 'single_claim') return 'off';
    if (settings.submission_enabled !== 1 || date < today) return 'seen';
    return isAdmin || profiles.some(({ characterName }) => isFreeOn(date, nameKey(characterName), board)) ? 'offered' : 'seen';
  });
}

/** Nobody waits on a date on which they have a claim. */
const isFreeOn = (date: string, name: string, { claimsByRespawn }: BoardState): boolean =>
  !claimsOf([name], claimsByRespawn).some((claim) => claim.date === date && !claim.is_secondary_claim);

/**
 * Whether a claim on the board is somebody else's and some of it is to come.
 * @param over how many hours of its date are over
 */
export const canBeWaitedFor = (claim: ClaimOnRespawn, over: number, mine: boolean): boolean =>
  !mine && !claim.is_secondary_claim && claim.date !== null && claim.hour_end > over;

/** What somebody else holds at an hour of a spot, if that is to come. */
export function claimAt(respawn_id: number, date: string, hour: number): (HourRange & { respawn_id: number }) | undefined {
  const { current } = useSession.getState();
  const viewer = current && nameKey(current.characterName);
  const { today, hour: now } = claimTimeNow(false);
  const over = date === today ? now : 0;
  const { claimsByRespawn, occupiedByRespawn } = useBoard.getState();
  const isAt = ({ hour_start, hour_end }: HourRange): boolean => hour_start <= hour && hour < hour_end;
  const isViewers = ({ character_name }: { character_name: string }): boolean => nameKey(character_name) === viewer;
  const claim = claimsOn(date, claimsByRespawn.get(respawn_id) ?? []).find((one) => isAt(one) && canBeWaitedFor(one, over, isViewers(one)));
  if (claim) return claim;
  const elsewhere = occupiedOn(occupiedByRespawn.get(respawn_id), date).find((one) => isAt(one) && one.hour_end > over && !isViewers(one));
  return elsewhere && { ...elsewhere, respawn_id };
}
