import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { refreshBoard, useLoadFailure } from '../../live/refresh.ts';
import { useBoard } from '../../state/board-store.ts';
import { Alert, FailedLoad } from '../../ui/alert.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import styles from './form/claim-form.module.css';

/** The page around the form, or around what stands in its place. */
export function FormPage({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </div>
  );
}

/** While the board is on its way, or why it is not. */
export function LoadingPage({ title }: { title: string }): ReactNode {
  const failure = useLoadFailure();
  return <FormPage title={title}>{failure ? <FailedLoad {...failure} onTryAgain={refreshBoard} /> : <FormSkeleton />}</FormPage>;
}

/** The form's layout while the board is on its way. */
function FormSkeleton(): ReactNode {
  const { t } = useTranslation();
  const isOffline = useBoard((board) => board.connection === 'offline');
  return (
    <>
      {isOffline ? (
        <Alert tone="bad" className={styles.notice}>
          {t('errors.network.failed')}
        </Alert>
      ) : null}
      <Loading>
        <div className={styles.form}>
          <div className={styles.steps}>
            <Panel title={t('submit.where')}>
              <Skeleton height={52} />
            </Panel>
            <Panel title={t('submit.when')}>
              <Skeleton height={54} />
              <Skeleton height={102} className={styles.later} />
              <Skeleton width={200} height={34} className={styles.later} />
            </Panel>
          </div>
          <div className={styles.aside}>
            <Panel title={t('submit.summary.title')}>
              <Skeleton height={120} />
            </Panel>
          </div>
        </div>
      </Loading>
    </>
  );
}
