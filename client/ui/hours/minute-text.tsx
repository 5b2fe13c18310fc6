import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatterIn, useTimeZone } from '../../lib/time-zone.ts';
import { formatLocale } from '../../lib/words/local-time.ts';
import styles from './minute-text.module.css';

const MINUTE = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;

/** "20 Nov 2026, 20:00": an instant on the reader's clock. */
export function MinuteText({ at }: { at: string }): ReactNode {
  const { i18n } = useTranslation();
  const here = useTimeZone();
  return (
    <time dateTime={at} className={styles.time}>
      {formatterIn(here, formatLocale(i18n.language), MINUTE).format(new Date(at))}
    </time>
  );
}
