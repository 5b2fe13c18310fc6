import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatterIn, useTimeZone } from '../../lib/time-zone.ts';
import { formatLocale } from '../../lib/words/local-time.ts';
import styles from './date-text.module.css';

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const MINUTE = { dateStyle: 'full', timeStyle: 'short' } as const;

/** The day of an instant where the reader is, such as 21 Nov 2026; the minute on hover. */
export function DateText({ at }: { at: string }): ReactNode {
  const { i18n } = useTranslation();
  const here = useTimeZone();
  const locale = formatLocale(i18n.language);
  const instant = new Date(at);
  return (
    <time dateTime={at} title={formatterIn(here, locale, MINUTE).format(instant)} className={styles.date}>
      {formatterIn(here, locale, DAY).format(instant)}
    </time>
  );
}
