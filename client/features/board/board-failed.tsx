import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { refreshBoard } from '../../live/refresh.ts';
import { useLoadFailure } from '../../live/use-load-failure.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './state.module.css';

export function BoardFailed(): ReactNode {
  const { t } = useTranslation();
  const failure = useLoadFailure();
  return (
    <div className={styles.state} role="alert">
      <EmptyState
        page
        title={t('board.failed.title')}
        text={
          <>
            {failure ? <span className={styles.line}>{failure.sentence}</span> : null}
            {failure?.reason ? <span className={styles.line}>{failure.reason}</span> : null}
            <span className={styles.line}>{t('board.failed.text')}</span>
          </>
        }
        action={
          <Button variant="primary" onClick={refreshBoard}>
            {t('common.tryAgain')}
          </Button>
        }
      />
    </div>
  );
}
