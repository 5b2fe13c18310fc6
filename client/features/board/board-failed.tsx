import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './state.module.css';

export function BoardFailed(): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.state} role="alert">
      <EmptyState
        page
        title={t('board.failed.title')}
        text={t('board.failed.text')}
        action={
          <Button variant="primary" onClick={() => location.reload()}>
            {t('common.tryAgain')}
          </Button>
        }
      />
    </div>
  );
}
