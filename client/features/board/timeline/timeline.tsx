import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../../ui/button.tsx';
import { DateChips } from '../../../ui/fields/date-chips.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/icons.tsx';
import type { BoardView } from '../view/board-view.ts';
import styles from './timeline.module.css';
import { TimelineGrid } from './timeline-grid.tsx';
import { timelineRows } from './timeline-rows.ts';

export interface TimelineProps extends DayStepperProps {
  view: BoardView;
  /** The SS time in hours with a fraction, when the date is today. */
  now: number | null;
  /** The viewer's character, as a name's key. */
  viewer: string | null;
  /** Why there is nothing to show, when there is not. */
  noSpots: ReactNode;
}

/** The board as one day: spots down, hours across. */
export function Timeline({ view, now, viewer, noSpots, ...days }: TimelineProps): ReactNode {
  const { t } = useTranslation();
  const rows = useMemo(() => timelineRows(view), [view]);
  return (
    <>
      <div className={styles.tools}>
        <DayStepper {...days} />
        <Button className={styles.print} onClick={() => window.print()}>
          {t('board.timeline.print')}
        </Button>
      </div>
      {noSpots ?? (
        <TimelineGrid rows={rows} date={days.date} today={days.today} now={now} viewer={viewer} withCategory={view.sections === null} />
      )}
    </>
  );
}

export interface DayStepperProps {
  /** Those to choose from; none in a single_claim event, whose days are all alike. */
  dates: readonly string[];
  date: string;
  today: string;
  onDate: (date: string) => void;
}

/** The day in view: one back, one on, any of them, or today. */
function DayStepper({ dates, date, today, onDate }: DayStepperProps): ReactNode {
  const { t } = useTranslation();
  const chips = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void date;
    chips.current?.querySelector('input:checked')?.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [date]);
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
  if (dates.length === 0) return null;
  return (
    <>
      {step(-1, t('board.timeline.previousDay'), <ChevronLeftIcon />)}
      <div ref={chips} className={styles.chips}>
        <DateChips label={t('board.dates')} dates={dates} value={date} today={today} onChange={onDate} />
      </div>
      {step(1, t('board.timeline.nextDay'), <ChevronRightIcon />)}
      {dates.includes(today) ? (
        <Button aria-disabled={date === today || undefined} onClick={() => date !== today && onDate(today)}>
          {t('time.today')}
        </Button>
      ) : null}
    </>
  );
}
