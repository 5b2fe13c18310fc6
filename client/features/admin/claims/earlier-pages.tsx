import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from './claims.module.css';
import type { ShownClaims } from './shown/use-shown-claims.ts';

/** Says that there are older claims than those that are here, and reads them. */
export function EarlierPages({ shown: { earlier, readMore } }: { shown: ShownClaims }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  if (earlier.isAll) return null;

  const load = async (): Promise<void> => {
    const abort = new AbortController();
    running.current = abort;
    setBusy(true);
    try {
      await readMore(abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) showToast({ tone: 'bad', text: `${t('admin.claims.loadFailed')}: ${errorText(error)}` });
    }
    setBusy(false);
  };
  return (
    <div className={styles.earlier}>
      <p>{t('admin.claims.earlier', { loaded: earlier.count, total: earlier.total })}</p>
      <Button busy={busy} onClick={() => void load()}>
        {t('admin.claims.loadEarlier')}
      </Button>
    </div>
  );
}
