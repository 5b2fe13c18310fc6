import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDayText } from '../../lib/time-text.ts';
import { HoursText, useLocalHours } from '../../ui/hours/hours-text.tsx';
import styles from './claiming.module.css';

interface WhenTextProps {
  /** null: every date of an event. */
  date: string | null;
  start: number;
  end: number;
  /** The server-save date now. */
  today: string;
}

/** "Today, SS+10 to SS+14", and the reader's own time beside it. */
export function WhenText({ date, start, end, today }: WhenTextProps): ReactNode {
  const { t } = useTranslation();
  const dayOf = useDay(today);
  const localHours = useLocalHours();
  const on = date ?? today;
  return (
    <span className={styles.when}>
      <span className="nowrap">
        {date === null ? t('board.everyDay') : dayOf(date)},{' '}
        <HoursText date={on} start={start} end={end} />
      </span>{' '}
      <span className="faint small">{localHours(on, start, end)}</span>
    </span>
  );
}

/** "Today", or "Sun 22 Nov". */
export function useDay(today: string): (date: string) => string {
  const { t } = useTranslation();
  const dayText = useDayText();
  return (date) => (date === today ? t('time.today') : dayText(date));
}
