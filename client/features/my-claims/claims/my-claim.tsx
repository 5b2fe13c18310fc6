import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import type { OwnConfirmTime, OwnDeeds } from '../../../state/own-deeds.ts';
import type { Profile } from '../../../state/saved-profiles.ts';
import { Badge } from '../../../ui/badge.tsx';
import { classes } from '../../../ui/classes.ts';
import { ImHereButton } from '../../../ui/im-here-button.tsx';
import { ReleaseButton } from '../../../ui/release-button.tsx';
import styles from '../mine.module.css';
import { MineRow } from '../mine-row.tsx';
import { useClockTime } from '../use-clock-time.ts';

interface MyClaimProps {
  claim: ClaimOnRespawn;
  /** Whose key it goes by; none where the character was just signed out. */
  profile: Profile | undefined;
  withCharacter: boolean;
  deeds: OwnDeeds;
  onRelease: () => void;
}

/** One of one's own claims, or a part of a split one, and what can be done with it. */
export function MyClaim({ claim, profile, withCharacter, deeds, onRelease }: MyClaimProps): ReactNode {
  const { t } = useTranslation();
  const { date, hour } = useServerSaveTime();
  const { hour_start: start, hour_end: end } = claim;
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name) ?? '';
  const isOffline = useBoard((board) => board.connection === 'offline');
  const isOn = !claim.is_secondary_claim && (claim.date ?? date) === date && start <= hour && hour < end;
  return (
    <MineRow
      of={claim}
      withCharacter={withCharacter}
      isOn={isOn}
      badges={
        <>
          {isOn ? <Badge tone="accent">{t('time.now')}</Badge> : null}
          {claim.split_part_number ? <Badge>{t('board.splitPart', { part: claim.split_part_number })}</Badge> : null}
          {claim.is_secondary_claim ? (
            <Badge>
              {t('board.priority', { priority: claim.secondary_priority })} {t('board.secondary')}
            </Badge>
          ) : null}
        </>
      }
      actions={
        profile && (deeds.confirm?.isOpen || deeds.release) ? (
          <>
            {deeds.confirm?.isOpen ? <ImHereButton claim={claim} spot={spot} access_key={profile.accessKey} isOffline={isOffline} /> : null}
            {deeds.release ? (
              <ReleaseButton spot={spot} isRunning={deeds.release.stays !== null} isOffline={isOffline} onPress={onRelease} />
            ) : null}
          </>
        ) : null
      }
    >
      {deeds.confirm ? <ConfirmHint confirm={deeds.confirm} /> : null}
    </MineRow>
  );
}

/** Until when it has to be said, or from when on it can be. */
function ConfirmHint({ confirm: { opens_at, closes_at, isOpen } }: { confirm: OwnConfirmTime }): ReactNode {
  const { t } = useTranslation();
  const clockTime = useClockTime();
  return (
    <p className={classes(styles.facts, isOpen && styles.now)}>
      {isOpen
        ? t('mine.confirm.until', { until: clockTime(closes_at.getTime()) })
        : t('mine.confirm.from', { from: clockTime(opens_at.getTime()), until: clockTime(closes_at.getTime()) })}
    </p>
  );
}
