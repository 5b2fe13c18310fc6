import { useEffect, useMemo } from 'react';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import { hoursOver } from '../../../../shared/rules/claim-time.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { occupiedOn } from '../../../lib/occupied.ts';
import { type BoardState, useBoard } from '../../../state/board-store.ts';
import { keepLastClaim, keptLastClaim, type LastClaim, newestOf } from '../../../state/last-claim.ts';
import { claimsOf } from '../../../state/own-claims.ts';
import type { Profile } from '../../../state/saved-profiles.ts';
import { useSession } from '../../../state/session-store.ts';
import { isBusyElsewhere } from '../../claiming/in-place/standing.ts';
import type { Now } from '../view/board-view.ts';
import { mayClaimAgain } from './again.ts';

/** The viewer's last claim, where it can be made again on the date in view; the same object while it can. */
export function useAgain(date: string, now: Now, event: ActiveEvent | null): LastClaim | null {
  const profile = useSession((session) => session.current);
  const who = profile && nameKey(profile.characterName);
  const newest = useBoard((board) => (who ? JSON.stringify(newestOf(claimsOf([who], board.claimsByRespawn))) : 'null'));
  useEffect(() => {
    const claim: LastClaim | null = JSON.parse(newest);
    if (who && claim) keepLastClaim(who, claim);
  }, [who, newest]);
  const last = useMemo((): LastClaim | null => JSON.parse(newest) ?? (who && keptLastClaim(who)), [who, newest]);
  const occupancy = useBoard((board) => board.byKind.occupancy);
  const isBusy = useMemo(
    () => who !== null && isBusyElsewhere(occupancy.values(), who, { first: date, last: date }),
    [occupancy, who, date],
  );
  // A single_claim event has no hours of a day to come back to.
  const may = useBoard(
    (board) => profile !== null && last !== null && event?.type !== 'single_claim' && isOffered(board, { last, profile, date, now }),
  );
  return may && !isBusy ? last : null;
}

interface Offer {
  last: LastClaim;
  profile: Profile;
  date: string;
  now: Now;
}

function isOffered({ byKind, claimsByRespawn, occupiedByRespawn }: BoardState, { last, profile, date, now }: Offer): boolean {
  const config = byKind.config.get(CONFIG_ID);
  const type = byKind.member_type.get(profile.memberType);
  const isClosed = !config?.submission_enabled || type?.can_submit === 0 || (type && now.date < type.earliest_submission_date);
  if (isClosed || byKind.respawn.get(last.respawn_id)?.is_enabled !== 1) return false;
  return mayClaimAgain({
    last,
    date,
    over: hoursOver(date, { today: now.date, hour: now.hour, may_enter_past: false }),
    voucher: type?.voucher_duration_hours ?? config.voucher_duration_hours,
    mine: claimsOf([nameKey(profile.characterName)], claimsByRespawn),
    onSpot: claimsByRespawn.get(last.respawn_id) ?? [],
    elsewhere: occupiedOn(occupiedByRespawn.get(last.respawn_id), date),
  });
}
