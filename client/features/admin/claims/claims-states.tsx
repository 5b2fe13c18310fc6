import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { refreshBoard, useLoadFailure } from '../../../live/refresh.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { Alert, FailedLoad } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import tab from '../tab.module.css';
import type { ShownClaims } from './shown/use-shown-claims.ts';

/** The claims could not be had, or not the newest: what is known stays on the screen. Of an event's the dashboard itself says no more. */
export function ClaimsFailed({ shown }: { shown: ShownClaims }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const event = useActiveEvent();
  const failure = useLoadFailure();
  const isOffline = useBoard((board) => board.connection === 'offline');
  if (event && isOffline) {
    const reason = `${failure?.reason ?? failure?.sentence ?? ''} ${t('admin.claims.lastKnown')}`;
    return <FailedLoad sentence={t('admin.claims.eventLoadFailed')} reason={reason} onTryAgain={refreshBoard} />;
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
