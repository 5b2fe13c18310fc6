import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import styles from './activity.module.css';
import type { OlderEntries } from './use-older-entries.ts';

/** How near the end of the list may come before the next page is asked for. */
const AHEAD = '600px';

/** The end of the list: it loads the next page when it comes near, and when it is pressed. */
export function OlderPages({ older: { status, load }, isFiltered }: { older: OlderEntries; isFiltered: boolean }): ReactNode {
  const { t } = useTranslation();
  const end = useRef<HTMLDivElement>(null);
  const loadNext = useEffectEvent(load);
  useEffect(() => {
    if (status !== 'more' || !end.current) return;
    const observer = new IntersectionObserver(([seen]) => seen?.isIntersecting && loadNext(), { rootMargin: AHEAD });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [status]);
  if (status === 'none') {
    return <p className={styles.end}>{t(isFiltered ? 'admin.activity.endFiltered' : 'admin.activity.end')}</p>;
  }
  if (status === 'failed') {
    return (
      <Alert
        tone="bad"
        title={t('admin.activity.loadFailed')}
        action={
          <Button small onClick={load}>
            {t('common.tryAgain')}
          </Button>
        }
      />
    );
  }
  return (
    <div ref={end} className={styles.end}>
      <Button busy={status === 'loading'} onClick={load}>
        {t(status === 'loading' ? 'admin.activity.loadingMore' : 'admin.activity.loadMore')}
      </Button>
    </div>
  );
}
