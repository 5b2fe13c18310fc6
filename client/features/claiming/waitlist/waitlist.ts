import { useMemo } from 'react';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import { type HourRange, rangesOverlap } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import type { OccupiedHours } from '../../../../shared/schemas/occupancy.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { occupiedOn } from '../../../lib/occupied.ts';
import { type BoardState, useBoard } from '../../../state/board-store.ts';
import { claimTimeNow } from '../../../state/claim-time.ts';
import { openOverlay } from '../../../state/overlays.ts';
import { claimsOfCharacters } from '../../../state/own-claims.ts';
import { useClaimsForOthers } from '../../../state/permissions.ts';
import { useSession } from '../../../state/session-store.ts';
import { claimsOn } from '../day-claims.ts';
import type { PressedHour } from '../in-place/hours-box.ts';

/** `off`: waitlists are hidden. `visible`: they are shown. `open`: the viewer may join them. */
export type WaitlistMode = 'off' | 'visible' | 'open';

/** The mode of a date, once for all its cards and rows; the rules check each entry (`waitlist/entry-draft.ts`). */
export function useWaitlistMode(
  date: string,
  today: string,
  event: ActiveEvent | null,
): WaitlistMode {
  const profiles = useSession((session) => session.profiles);
  const isAdmin = useClaimsForOthers();
  return useBoard((board) => {
    const settings = board.byKind.config.get(CONFIG_ID);
    if (settings?.waits_enabled !== 1 || event?.type === 'single_claim') return 'off';
    if (settings.submission_enabled !== 1 || date < today) return 'visible';
    return isAdmin ||
      profiles.some(({ characterName }) => isFreeOn(date, nameKey(characterName), board))
      ? 'open'
      : 'visible';
  });
}

/** A character with a claim on a date joins no waitlist of that date. */
const isFreeOn = (date: string, name: string, board: BoardState): boolean =>
  !claimsOfCharacters([name], board).some(
    (claim) => claim.date === date && !claim.is_secondary_claim,
  );

/**
 * Whether the viewer can join a waitlist for a claim: it is another member's, and some of its hours are in the future.
 * @param over how many hours of its date are over
 */
export const hasWaitlist = (claim: ClaimOnRespawn, over: number, mine: boolean): boolean =>
  !mine && !claim.is_secondary_claim && claim.date !== null && claim.hour_end > over;

/** Opens the waitlist of the claim at a pressed hour. Returns false where there is none to join. */
export function joinAt({ box, respawn_id, hour }: PressedHour, date: string): boolean {
  const { current } = useSession.getState();
  const viewer = current && nameKey(current.characterName);
  const { today, hour: now } = claimTimeNow(false);
  const over = date === today ? now : 0;
  const { claimsByRespawn, occupiedByRespawn } = useBoard.getState();
  const isAt = ({ hour_start, hour_end }: HourRange): boolean =>
    hour_start <= hour && hour < hour_end;
  const isViewers = ({ character_name }: { character_name: string }): boolean =>
    nameKey(character_name) === viewer;
  const claim =
    claimsOn(date, claimsByRespawn.get(respawn_id) ?? []).find(
      (one) => isAt(one) && hasWaitlist(one, over, isViewers(one)),
    ) ??
    occupiedOn(occupiedByRespawn.get(respawn_id), date).find(
      (one) => isAt(one) && one.hour_end > over && !isViewers(one),
    );
  if (!claim) return false;
  const { hour_start, hour_end } = claim;
  openOverlay('joinWaitlist', { request: { respawn_id, date, hour_start, hour_end, anchor: box } });
  return true;
}

const NO_ENTRIES: readonly Wait[] = [];

/** The waitlist of a spot on a date, by position; the same list until it changes. */
export function useWaitlist(respawn_id: number, date: string, mode: WaitlistMode): readonly Wait[] {
  const all =
    useBoard((board) => (mode === 'off' ? undefined : board.waitsByRespawn.get(respawn_id))) ??
    NO_ENTRIES;
  return useMemo(() => {
    const onDate = all.filter((entry) => entry.date === date);
    return onDate.length > 0 ? onDate : NO_ENTRIES;
  }, [all, date]);
}

/** The entries for some of these hours; without those that have an offer. */
export const waitingFor = (hours: HourRange, waitlist: readonly Wait[]): Wait[] =>
  waitlist.filter((entry) => entry.status === 'waiting' && rangesOverlap(entry, hours));

/** @param viewer a name's key */
export const ownEntry = (waitlist: readonly Wait[], viewer: string | null): Wait | undefined =>
  waitlist.find((entry) => nameKey(entry.character_name) === viewer);

/** The hours of a spot on a date that claims of other events occupy; the same list until they change. */
export function useHoursElsewhere(respawn_id: number, date: string): readonly OccupiedHours[] {
  const all = useBoard((board) => board.occupiedByRespawn.get(respawn_id));
  return useMemo(() => occupiedOn(all, date), [all, date]);
}
