import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import type { BoardView } from '../view/board-view.ts';
import { DayStepper, type DayStepperProps } from './day-stepper.tsx';
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
