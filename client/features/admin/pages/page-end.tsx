import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { FailedLoad } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import styles from './pages.module.css';
import type { Pages } from './use-pages.ts';

interface PageEndProps {
  pages: Pages<{ id: number }>;
  /** What is said where a page could not be loaded. */
  failed: string;
}

/** Below what is here of a list: that it is loading, what failed, or how much more there is. */
export function PageEnd({ pages, failed }: PageEndProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { status, error, count, total, load } = pages;
  if (status === 'failed') {
    return <FailedLoad sentence={failed} reason={errorText(error)} onTryAgain={() => void load()} />;
  }
  if (status === 'loading' && count === 0) {
    return (
      <Loading className={styles.loading}>
        {[1, 2, 3].map((row) => (
          <Skeleton key={row} height={36} />
        ))}
      </Loading>
    );
  }
  if (count >= total) return null;
  return (
    <div className={styles.more}>
      <span>{t('admin.pages.shown', { shown: count, total })}</span>
      <Button small busy={status === 'loading'} onClick={() => void load()}>
        {t('admin.pages.more')}
      </Button>
    </div>
  );
}
