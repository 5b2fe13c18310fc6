import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerSaveTime } from '../../state/clock.ts';
import { useNearDay } from '../../state/near-day.ts';
import { HoursText, useLocalHours } from '../../ui/hours/hours-text.tsx';
import styles from './claiming.module.css';

interface WhenTextProps {
  /** null: every date of an event. */
  date: string | null;
  start: number;
  end: number;
}

/** "Today, SS+10 to SS+14", and the reader's own time beside it. */
export function WhenText({ date, start, end }: WhenTextProps): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const dayOf = useNearDay();
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
