import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { refreshBoard, useLoadFailure } from '../../live/refresh.ts';
import { useBoard } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { FailedLoad } from '../../ui/alert.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { VisitorPage } from '../../ui/visitor-page.tsx';
import { ComingClaims } from './claims/coming-claims.tsx';
import { AskedOffer } from './line/asked-offer.tsx';
import { HeldForMe } from './line/held-for-me.tsx';
import { MyLines } from './line/my-lines.tsx';
import styles from './mine.module.css';
import { LastDays } from './past/last-days.tsx';

/** What the characters of this browser claim, wait for and are offered, and what became of it lately. */
export function MinePage(): ReactNode {
  const { t } = useTranslation();
  const title = t('mine.title');
  usePageTitle(title);
  const isChecked = useSession((session) => session.status === 'ready');
  const hasProfile = useSession((session) => session.current !== null);
  const isHere = useBoard((board) => board.status === 'ready');
  const failure = useLoadFailure();
  // An admin or a visitor has no claims of their own here.
  if (isChecked && !hasProfile) return <VisitorPage title={t('mine.nobody.title')} text={t('mine.nobody.text')} />;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{title}</h1>
        <div className={styles.links}>
          <ButtonLink variant="quiet" to="/notifications">
            {t('shell.profile.notifications')}
          </ButtonLink>
          <ButtonLink to="/input">{t('board.claimSpot')}</ButtonLink>
        </div>
      </header>
      {failure ? <FailedLoad {...failure} onTryAgain={refreshBoard} /> : null}
      {isChecked && isHere ? <Mine /> : failure ? null : <MineSkeleton title={t('mine.coming.title')} />}
    </div>
  );
}

function Mine(): ReactNode {
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <AskedOffer />
        <HeldForMe />
        <ComingClaims />
      </div>
      <MyLines />
      <div className={styles.wide}>
        <LastDays />
      </div>
    </div>
  );
}

function MineSkeleton({ title }: { title: string }): ReactNode {
  return (
    <div className={styles.columns}>
      <Panel title={title} className={styles.column}>
        <Loading className={styles.skeletons}>
          {[64, 64, 64].map((height, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed row of placeholders
            <Skeleton key={at} height={height} />
          ))}
        </Loading>
      </Panel>
    </div>
  );
}
