import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../lib/error-text.ts';
import { useBoard } from '../../../store/board-store.ts';
import { useActiveEvent } from '../../../store/use-active-event.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import tab from '../tab.module.css';
import type { ShownClaims } from './shown/use-shown-claims.ts';

/** The claims could not be had, or not the newest: what is known stays on the screen. */
export function ClaimsFailed({ shown }: { shown: ShownClaims }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const event = useActiveEvent();
  const isOffline = useBoard((board) => board.connection === 'offline');
  if (event && isOffline) {
    return (
      <Alert tone="bad" title={t('admin.claims.eventLoadFailed')}>
        {t('admin.claims.lastKnown')}
      </Alert>
    );
  }
  if (shown.status !== 'failed') return null;
  return (
    <Alert
      tone="bad"
      title={t('admin.claims.loadFailed')}
      action={
        <Button small onClick={shown.askAgain}>
          {t('common.tryAgain')}
        </Button>
      }
    >
      {errorText(shown.error)} {t('admin.claims.someMissing')}
    </Alert>
  );
}

/** As the list will stand: a head and some days, twice. */
export function ClaimsSkeleton(): ReactNode {
  return (
    <Loading>
      <div className={tab.placeholders}>
        {[52, 44, 44, 52, 44, 44].map((height, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed row of placeholders
          <Skeleton key={at} height={height} />
        ))}
      </div>
    </Loading>
  );
}
