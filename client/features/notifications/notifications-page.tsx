import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../lib/page-title.ts';
import { useBoard } from '../../state/board-store.ts';
import { useNotificationsPaused } from '../../state/permissions.ts';
import { useSession } from '../../state/session-store.ts';
import { readStoredPush } from '../../state/stored-push.ts';
import { Alert } from '../../ui/alert.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { VisitorPage } from '../../ui/visitor-page.tsx';
import { CharacterNotifications } from './character-notifications.tsx';
import { type BrowserState, useBrowserState } from './device.ts';
import styles from './notifications.module.css';

export function NotificationsPage(): ReactNode {
  const { t } = useTranslation();
  const title = t('shell.profile.notifications');
  usePageTitle(title);
  const isChecked = useSession((session) => session.status === 'ready');
  const profiles = useSession((session) => session.profiles);
  const isOffline = useBoard((board) => board.connection === 'offline');
  const browser = useBrowserState();
  const isPaused = useNotificationsPaused();
  useEffect(() => void readStoredPush(), []);
  if (isChecked && profiles.length === 0)
    return (
      <VisitorPage
        title={t('notifications.signedOut.title')}
        text={t('notifications.signedOut.text')}
      />
    );
  return (
    <Stack gap={4} className={styles.page}>
      <Stack as="header" gap={1} className={styles.head}>
        <h1>{title}</h1>
        <p className="muted">{t('notifications.about')}</p>
      </Stack>
      {isPaused ? (
        <Alert title={t('notifications.paused.title')}>{t('notifications.paused.text')}</Alert>
      ) : null}
      {browser === 'ready' ? null : <BrowserHelp browser={browser} />}
      {isOffline ? <Alert>{t('notifications.offline')}</Alert> : null}
      {isChecked ? (
        profiles.map((profile) => (
          <CharacterNotifications
            key={profile.characterName}
            profile={profile}
            canTurnOn={browser === 'ready'}
          />
        ))
      ) : (
        <Loading>
          <Skeleton height={160} />
        </Loading>
      )}
    </Stack>
  );
}

function BrowserHelp({ browser }: { browser: Exclude<BrowserState, 'ready'> }): ReactNode {
  const { t } = useTranslation();
  return (
    <Alert tone="accent" title={t(`notifications.browser.${browser}.title`)}>
      {browser === 'install' ? (
        <Stack as="ol" gap={1} className={styles.steps}>
          <li>{t('notifications.browser.install.share')}</li>
          <li>{t('notifications.browser.install.add')}</li>
          <li>{t('notifications.browser.install.open')}</li>
        </Stack>
      ) : (
        <p>{t(`notifications.browser.${browser}.text`)}</p>
      )}
    </Alert>
  );
}
