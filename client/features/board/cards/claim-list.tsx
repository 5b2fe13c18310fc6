import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { claimKey } from '../../../lib/claim-order.ts';
import { classes } from '../../../ui/classes.ts';
import { Found } from '../../../ui/found.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { canBeWaitedFor, type Waits } from '../../claiming/use-waits.ts';
import { HeldText } from '../../claiming/waitlist/held-text.tsx';
import { waitingFor } from '../../claiming/waitlist/line-on.ts';
import { WaitButton } from '../../claiming/waitlist/wait-button.tsx';
import { useJustChanged } from '../live-changes.ts';
import { ReleaseRest } from '../own/release-rest.tsx';
import styles from './claim-list.module.css';

export interface ClaimListProps {
  claims: readonly ClaimOnRespawn[];
  /** The server-save date they are shown for. */
  date: string;
  /** The viewer's character, as a name's key. */
  viewer: string | null;
  /** The SS hour, when the date is today. */
  hour: number | null;
  /** What is searched is marked in the names. */
  search: string;
  /** On a tile: hours and name below each other. */
  narrow?: boolean;
  /** Who waits for some of them, and whether the viewer may; left out where nothing of it is shown. */
  line?: readonly Wait[];
  waits?: Waits;
  /** In a picture no minutes run. */
  photo?: boolean;
}

export function ClaimList({ claims, narrow = false, ...rest }: ClaimListProps): ReactNode {
  return (
    <ul className={classes(styles.list, narrow && styles.narrow)}>
      {claims.map((claim) => (
        <ClaimRow key={claimKey(claim)} claim={claim} {...rest} />
      ))}
    </ul>
  );
}

function ClaimRow({
  claim,
  date,
  viewer,
  hour,
  search,
  line = [],
  waits = 'off',
  photo = false,
}: Omit<ClaimListProps, 'claims'> & { claim: ClaimOnRespawn }): ReactNode {
  const { t } = useTranslation();
  const fresh = useJustChanged((changed) => changed.rows.has(claimKey(claim)));
  const mine = nameKey(claim.character_name) === viewer;
  const isNow = hour !== null && claim.hour_start <= hour && hour < claim.hour_end;
  const isHeld = claim.is_held === 1;
  const isOn = isNow && !claim.is_secondary_claim && !isHeld;
  const isOffered = waits === 'offered' && canBeWaitedFor(claim, hour ?? 0, mine);
  const named = (name: string, shown: ReactNode): ReactNode =>
    isOffered ? (
      <WaitButton claim={claim} date={date} count={waitingFor(claim, line).length} name={name}>
        {shown}
      </WaitButton>
    ) : (
      <span>{shown}</span>
    );
  return (
    <li className={classes(styles.row, mine && styles.mine, isHeld && styles.held)}>
      <HoursText date={date} start={claim.hour_start} end={claim.hour_end} className={styles.hours} />
      <span className={styles.who}>
        {isHeld ? (
          <HeldText name={claim.character_name} until={photo ? null : claim.held_until} search={search} inside={named} />
        ) : (
          named(claim.character_name, <Found text={claim.character_name} search={search} />)
        )}
        {fresh ? <span className={styles.fresh}>{t('board.new')}</span> : null}
      </span>
      {claim.split_part_number ? <span className={styles.part}>{t('board.splitPart', { part: claim.split_part_number })}</span> : null}
      {mine ? <span className={styles.word}>{t('board.you')}</span> : null}
      {claim.is_secondary_claim ? (
        <span className={styles.part}>
          {t('board.priority', { priority: claim.secondary_priority })}
          <span className="visually-hidden"> {t('board.secondary')}</span>
        </span>
      ) : null}
      {isOn ? <span className={styles.word}>{t('time.now')}</span> : null}
      <MemberTypeBadge memberType={claim.member_type} />
      {isOn && mine && !photo ? (
        <span className={styles.deeds}>
          <ReleaseRest claim={claim} />
        </span>
      ) : null}
    </li>
  );
}
