import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatLocale } from '../lib/format-locale.ts';
import styles from './date-text.module.css';

interface Formats {
  day: Intl.DateTimeFormat;
  minute: Intl.DateTimeFormat;
}
// Building a formatter costs far more than using one, and a table asks for thousands of dates.
const formats = new Map<string, Formats>();

function formatsFor(locale: string): Formats {
  const known = formats.get(locale);
  if (known) return known;
  const made = {
    day: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' }),
    minute: new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' }),
  };
  formats.set(locale, made);
  return made;
}

/** The day of an instant where the reader is, such as 21 Nov 2026; the minute on hover. */
export function DateText({ at }: { at: string }): ReactNode {
  const { i18n } = useTranslation();
  const { day, minute } = formatsFor(formatLocale(i18n.language));
  const instant = new Date(at);
  return (
    <time dateTime={at} title={minute.format(instant)} className={styles.date}>
      {day.format(instant)}
    </time>
  );
}
