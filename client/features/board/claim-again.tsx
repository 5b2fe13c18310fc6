import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { hoursOver } from '../../../shared/rules/claim-time.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { maxDurationAt } from '../../../shared/rules/start-hours.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { claimSearch } from '../../lib/claim-request.ts';
import { occupiedOn } from '../../lib/occupied.ts';
import { type BoardState, useBoard } from '../../state/board-store.ts';
import { claimantOf } from '../../state/claim-draft.ts';
import { claimTimeNow } from '../../state/claim-time.ts';
import { claimableRefusal } from '../../state/claimable.ts';
import { type LastClaim, useLastClaim } from '../../state/last-claim.ts';
import { claimsOfCharacters } from '../../state/own-claims.ts';
import { useClaimPage } from '../../state/permissions.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useSession } from '../../state/session-store.ts';
import { claimsOn } from '../claiming/day-claims.ts';
import { hasClaimElsewhere } from '../claiming/draft/check.ts';
import styles from './board-page.module.css';
import type { Now } from './board-view.ts';

/** The viewer's last claim, if it can be repeated on the date in view; the same object while it can. */
export function useClaimAgain(date: string, now: Now, event: ActiveEvent | null): LastClaim | null {
  const profile = useSession((session) => session.current);
  const who = profile && nameKey(profile.characterName);
  const last = useLastClaim(who);
  const occupancy = useBoard((board) => board.byKind.occupancy);
  const isBusy = useMemo(
    () => who !== null && hasClaimElsewhere(occupancy.values(), who, { first: date, last: date }),
    [occupancy, who, date],
  );
  // A single_claim event has no per-day hours to repeat.
  const may = useBoard(
    (board) =>
      profile !== null &&
      last !== null &&
      event?.type !== 'single_claim' &&
      isOffered(board, { last, profile, date, now }),
  );
  return may && !isBusy ? last : null;
}

interface Offer {
  last: LastClaim;
  profile: Profile;
  date: string;
  now: Now;
}

function isOffered(board: BoardState, { last, profile, date, now }: Offer): boolean {
  const { byKind, claimsByRespawn, occupiedByRespawn } = board;
  const config = byKind.config.get(CONFIG_ID);
  const type = byKind.member_type.get(profile.memberType);
  const time = { ...claimTimeNow(false), today: now.date, hour: now.hour };
  if (
    !config ||
    claimableRefusal(board, claimantOf(profile), { date, time }) ||
    byKind.respawn.get(last.respawn_id)?.is_enabled !== 1
  )
    return false;
  return mayClaimAgain({
    last,
    date,
    over: hoursOver(date, { today: now.date, hour: now.hour, may_enter_past: false }),
    voucher: type?.voucher_duration_hours ?? config.voucher_duration_hours,
    mine: claimsOfCharacters([nameKey(profile.characterName)], board),
    onSpot: claimsByRespawn.get(last.respawn_id) ?? [],
    elsewhere: occupiedOn(occupiedByRespawn.get(last.respawn_id), date),
  });
}

export interface AgainFacts {
  last: HourRange;
  /** The server-save date in view, and how many hours of it are over. */
  date: string;
  over: number;
  /** The longest claim of the viewer's member type, in hours. */
  voucher: number;
  mine: readonly ClaimOnRespawn[];
  /** The claims on that spot, and the hours that other events occupy there on the date. */
  onSpot: readonly ClaimOnRespawn[];
  elsewhere?: readonly HourRange[];
}

/** Whether the last claim's hours can be claimed on a date, by the rule the form uses. */
export function mayClaimAgain({
  last,
  date,
  over,
  voucher,
  mine,
  onSpot,
  elsewhere = [],
}: AgainFacts): boolean {
  const holding = (claims: readonly ClaimOnRespawn[]): ClaimOnRespawn[] =>
    claimsOn(date, claims).filter((claim) => !claim.is_secondary_claim);
  // A character has one claim a date.
  if (holding(mine).length > 0) return false;
  const taken = [...holding(onSpot), ...elsewhere];
  return (
    maxDurationAt(last.hour_start, voucher, { taken, over }) >= last.hour_end - last.hour_start
  );
}

/** "Again: 4 h at SS+16": opens the form with the viewer's last claim filled in. */
export function AgainLink({ again, date }: { again: LastClaim; date: string }): ReactNode {
  const { t } = useTranslation();
  const claimPage = useClaimPage();
  const { respawn_id, hour_start, hour_end } = again;
  const hours = hour_end - hour_start;
  return (
    <a
      className={styles.again}
      href={claimPage + claimSearch({ respawn_id, date, hour: hour_start, hours })}
    >
      {t('board.claimAgain', { hours, hour: hour_start })}
    </a>
  );
}
