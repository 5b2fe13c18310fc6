import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { claimKey } from '../../lib/claims.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useNearTimeText } from '../../lib/time-text.ts';
import { refreshBoard, useLoadFailure } from '../../live/refresh.ts';
import { useActiveEvent, useBoard } from '../../state/board-store.ts';
import { useNow, useServerSaveTime } from '../../state/clock.ts';
import { inOrder, nextDate, type OwnClaimRow } from '../../state/own-claims.ts';
import { useSession } from '../../state/session-store.ts';
import { FailedLoad } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Cluster, Stack } from '../../ui/layout.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { VisitorPage } from '../../ui/visitor-page.tsx';
import { OfferNote } from '../claiming/own/offer-note.tsx';
import { confirmTimeOf, type OwnConfirmTime, useOwnFacts } from '../claiming/own/own-actions.ts';
import { OwnClaimButtons } from '../claiming/own/own-claim-buttons.tsx';
import { WeeklySign } from '../claiming/weekly-sign.tsx';
import { ClaimHistory } from './claim-history.tsx';
import { MissedClaims } from './missed-claims.tsx';
import { MyClaimRow, useMyClaims } from './my-claim-row.tsx';
import styles from './my-claims.module.css';
import { MissedOffer, MyWaitlist } from './my-waitlist.tsx';
import { WeekStrip } from './week-strip.tsx';
import { WeeklyClaims } from './weekly-claims.tsx';

/** Claims, waitlist entries, offers and recent history of this browser's characters. */
export function MyClaimsPage(): ReactNode {
  const { t } = useTranslation();
  const title = t('myClaims.title');
  usePageTitle(title);
  const isChecked = useSession((session) => session.status === 'ready');
  const hasProfile = useSession((session) => session.current !== null);
  const isHere = useBoard((board) => board.status === 'ready');
  const failure = useLoadFailure();
  // An admin or a visitor has no claims of their own here.
  if (isChecked && !hasProfile)
    return (
      <VisitorPage title={t('myClaims.signedOut.title')} text={t('myClaims.signedOut.text')} />
    );
  return (
    <Stack gap={4} className={styles.page}>
      <Cluster as="header" rowGap={2} gap={4} justify="space-between" className={styles.head}>
        <h1>{title}</h1>
        <Cluster>
          <ButtonLink variant="quiet" to="/notifications">
            {t('shell.profile.notifications')}
          </ButtonLink>
          <ButtonLink to="/input">{t('board.claimSpot')}</ButtonLink>
        </Cluster>
      </Cluster>
      {failure ? <FailedLoad {...failure} onTryAgain={refreshBoard} /> : null}
      {isChecked && isHere ? (
        <MyClaims />
      ) : failure ? null : (
        <MyClaimsSkeleton title={t('myClaims.upcoming.title')} />
      )}
    </Stack>
  );
}

function MyClaims(): ReactNode {
  return (
    <>
      <MissedOffer />
      <MissedClaims />
      <WeekStrip />
      <ComingClaims />
      <MyWaitlist />
      <WeeklyClaims />
      <ClaimHistory />
    </>
  );
}

function MyClaimsSkeleton({ title }: { title: string }): ReactNode {
  return (
    <Panel title={title}>
      <Loading className={styles.skeletons}>
        {[40, 40, 40].map((height, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed row of placeholders
          <Skeleton key={at} height={height} />
        ))}
      </Loading>
    </Panel>
  );
}

/** Current and upcoming claims; past ones are collapsed. */
function ComingClaims(): ReactNode {
  const { t } = useTranslation();
  const { claims, withCharacter } = useMyClaims();
  const event = useActiveEvent();
  const { date, hour } = useServerSaveTime();
  const { coming, over } = inOrder(
    claims.filter((claim) => !claim.is_held),
    event,
    { date, hour },
  );
  const rows = (claims: readonly OwnClaimRow[]): ReactNode => (
    <ul>
      {claims.map((claim) => (
        <MyClaim key={claimKey(claim)} claim={claim} withCharacter={withCharacter} />
      ))}
    </ul>
  );
  return (
    <Panel title={t('myClaims.upcoming.title')} flush className={styles.panel}>
      <div className={styles.list}>
        {coming.length > 0 ? (
          rows(coming)
        ) : (
          <p className={styles.none}>{t('myClaims.upcoming.none')}</p>
        )}
        {over.length > 0 ? (
          <details className={styles.over}>
            <summary>{t('board.earlierClaims', { count: over.length })}</summary>
            {rows(over)}
          </details>
        ) : null}
      </div>
    </Panel>
  );
}

interface MyClaimProps {
  claim: OwnClaimRow;
  withCharacter: boolean;
}

function MyClaim({ claim, withCharacter }: MyClaimProps): ReactNode {
  const { t } = useTranslation();
  const { date, hour } = useServerSaveTime();
  const { hour_start: start, hour_end: end } = claim;
  const confirm = confirmTimeOf(claim, useOwnFacts());
  const on = nextDate(claim, useActiveEvent(), { date, hour });
  const isOn = !claim.is_secondary_claim && on === date && start <= hour && hour < end;
  return (
    <MyClaimRow
      of={claim}
      withCharacter={withCharacter}
      isOn={isOn}
      badges={
        <>
          {isOn ? <Badge tone="accent">{t('time.now')}</Badge> : null}
          {claim.standing_id === null ? null : <WeeklySign />}
          {claim.split_part_number ? (
            <Badge>{t('board.splitPart', { part: claim.split_part_number })}</Badge>
          ) : null}
          {claim.is_secondary_claim ? (
            <Badge>
              {t('board.priority', { priority: claim.secondary_priority })} {t('board.secondary')}
            </Badge>
          ) : null}
        </>
      }
      actions={<OwnClaimButtons claim={claim} />}
    >
      {claim.event_name === undefined ? null : (
        <p className="muted fine tabular">
          {claim.event_name === null
            ? t('myClaims.outside.noEvent')
            : t('myClaims.outside.inEvent', { event: claim.event_name })}
        </p>
      )}
      {confirm ? <ConfirmHint confirm={confirm} /> : null}
      <OfferNote claim_id={claim.id} />
    </MyClaimRow>
  );
}

/** Until when, or from when, the claim can be confirmed. */
function ConfirmHint({
  confirm: { opens_at, closes_at, isOpen },
}: {
  confirm: OwnConfirmTime;
}): ReactNode {
  const { t } = useTranslation();
  const nearTimeText = useNearTimeText();
  const now = useNow();
  return (
    <p className={classes('muted fine tabular', isOpen && styles.now)}>
      {isOpen
        ? t('myClaims.confirm.deadline', { until: nearTimeText(closes_at.getTime(), now) })
        : t('myClaims.confirm.window', {
            from: nearTimeText(opens_at.getTime(), now),
            until: nearTimeText(closes_at.getTime(), now),
          })}
    </p>
  );
}
