import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { claimKey } from '../../../lib/claim-order.ts';
import { useActiveEvent } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { openOverlay } from '../../../state/overlays.ts';
import { inOrder } from '../../../state/own-claims.ts';
import { useDeeds } from '../../../state/own-deeds.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import styles from '../mine.module.css';
import { useMine } from '../use-mine.ts';
import { MyClaim } from './my-claim.tsx';

/** What one's characters have claimed from now on, what is on first; what is over folds away. */
export function ComingClaims(): ReactNode {
  const { t } = useTranslation();
  const { claims, profileOf, withCharacter } = useMine();
  const event = useActiveEvent();
  const { date, hour } = useServerSaveTime();
  const deedsOf = useDeeds();
  const { coming, over } = inOrder(
    claims.filter((claim) => !claim.is_held),
    event,
    { date, hour },
  );
  const rows = (shown: readonly ClaimOnRespawn[]): ReactNode => (
    <ul className={styles.rows}>
      {shown.map((claim) => (
        <MyClaim
          key={claimKey(claim)}
          claim={claim}
          profile={profileOf(claim)}
          withCharacter={withCharacter}
          deeds={deedsOf(claim)}
          onRelease={() => openOverlay('release', { claim })}
        />
      ))}
    </ul>
  );
  return (
    <Panel title={t('mine.coming.title')} flush className={styles.panel}>
      <div className={styles.list}>
        {coming.length > 0 ? (
          rows(coming)
        ) : (
          <EmptyState
            title={t('mine.coming.none')}
            text={t('mine.coming.noneText')}
            action={
              <ButtonLink to="/input" variant="primary">
                {t('board.claimSpot')}
              </ButtonLink>
            }
          />
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
