import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { FailedLoad } from '../../../ui/alert.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { Backups } from './backups.tsx';
import { Checks } from './checks.tsx';
import { Facts } from './facts.tsx';
import { Notices } from './notices.tsx';
import { PausedNotifications } from './paused-notifications.tsx';
import styles from './system.module.css';
import { useSystem } from './use-system.ts';

/** The server itself, for owners: whether all is well and what to do where it is not, its backups, its facts. */
export function SystemTab(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { system, failure, ask } = useSystem();
  return (
    <div className={styles.tab}>
      {failure ? <FailedLoad sentence={t('admin.system.failed')} reason={errorText(failure)} onTryAgain={ask} /> : null}
      {system ? (
        <>
          {system.notifications.paused_at ? <PausedNotifications paused_at={system.notifications.paused_at} onResumed={ask} /> : null}
          <Notices system={system} />
          <Facts system={system} />
          <Backups backup={system.backup} onBegun={ask} />
          <Checks checkup={system.checkup} onBegun={ask} />
        </>
      ) : null}
      {system || failure ? null : (
        <Loading>
          <Skeleton height={140} />
          <Skeleton height={140} />
          <Skeleton height={320} />
        </Loading>
      )}
    </div>
  );
}
