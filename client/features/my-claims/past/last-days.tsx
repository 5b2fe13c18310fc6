import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { claimKey } from '../../../lib/claim-order.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveClock } from '../../../state/clock.ts';
import { useOwnWaits } from '../../../state/own-waits.ts';
import { useSession } from '../../../state/session-store.ts';
import { FailedLoad } from '../../../ui/alert.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import styles from '../mine.module.css';
import { useMine } from '../use-mine.ts';
import { pastEntries } from './past-entries.ts';
import { PastRow } from './past-row.tsx';
import { useMyEndings } from './use-my-endings.ts';

/** How far back is told. */
const DAYS = 30;

/** What became of claims and waits lately; read anew as soon as one of them leaves the board. */
export function LastDays(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const profiles = useSession((session) => session.profiles);
  const { withCharacter } = useMine();
  const seen = useSeen();
  const clock = useServerSaveClock();
  const { status, error, endings, waits, askAgain } = useMyEndings(profiles, DAYS, seen);
  const entries = useMemo(() => pastEntries(endings, waits, clock), [endings, waits, clock]);
  return (
    <Panel title={t('mine.past.title', { days: DAYS })} flush className={styles.panel}>
      <div className={styles.list}>
        {status === 'failed' ? (
          <FailedLoad sentence={t('mine.past.failed')} reason={errorText(error)} onTryAgain={askAgain} className={styles.failed} />
        ) : null}
        {status === 'loading' ? (
          <Loading className={styles.skeletons}>
            {[44, 44, 44].map((height, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a fixed row of placeholders
              <Skeleton key={at} height={height} />
            ))}
          </Loading>
        ) : null}
        {status === 'ready' && entries.length === 0 ? (
          <EmptyState boxed title={t('mine.past.none')} text={t('mine.past.noneText')} />
        ) : null}
        {entries.length > 0 ? (
          <ul>
            {entries.map((entry) => (
              <PastRow key={entry.key} entry={entry} withCharacter={withCharacter} />
            ))}
          </ul>
        ) : null}
      </div>
    </Panel>
  );
}

/** Names all that is one's own on the board: it changes when one of them goes, or becomes another. */
function useSeen(): string {
  const { claims } = useMine();
  const waits = useOwnWaits();
  // What went while the connection was down is found when it is back.
  const isLive = useBoard((board) => board.connection === 'live');
  const ofClaims = claims.map((claim) => `${claimKey(claim)} ${claim.hour_end} ${claim.is_held}`);
  return [isLive, ...ofClaims, ...waits.map(({ wait }) => `${wait.id} ${wait.status}`)].join();
}
