import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../../ui/button.tsx';
import { DateChips } from '../../../ui/fields/date-chips.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/icons.tsx';
import styles from './bar.module.css';

export interface DateRowProps {
  /** Those to choose from; none in a single_claim event, whose days are all alike. */
  dates: readonly string[];
  date: string;
  today: string;
  onDate: (date: string) => void;
}

/** The day in view, of cards and timeline alike: one back, one on, any of them, or today. */
export function DateRow({ dates, date, today, onDate }: DateRowProps): ReactNode {
  const { t } = useTranslation();
  const step = (days: -1 | 1, label: string, icon: ReactNode): ReactNode => {
    const to = dates[dates.indexOf(date) + days];
    // Not `disabled`: whoever steps to the last day with the keyboard would lose the focus there.
    return (
      <IconButton
        label={label}
        icon={icon}
        variant="plain"
        className={styles.step}
        aria-disabled={to === undefined || undefined}
        onClick={() => to !== undefined && onDate(to)}
      />
    );
  };
  return (
    <>
      {step(-1, t('board.timeline.previousDay'), <ChevronLeftIcon />)}
      <div className={styles.chips}>
        <DateChips low label={t('board.dates')} dates={dates} value={date} today={today} onChange={onDate} />
      </div>
      {step(1, t('board.timeline.nextDay'), <ChevronRightIcon />)}
      {dates.includes(today) ? (
        <Button className={styles.today} aria-disabled={date === today || undefined} onClick={() => date !== today && onDate(today)}>
          {t('time.today')}
        </Button>
      ) : null}
    </>
  );
}
