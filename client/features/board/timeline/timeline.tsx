import { type ReactNode, useMemo } from 'react';
import type { BoardView } from '../view/board-view.ts';
import { TimelineGrid, type TimelineGridProps } from './timeline-grid.tsx';
import { timelineRows } from './timeline-rows.ts';

export interface TimelineProps extends Omit<TimelineGridProps, 'rows' | 'withCategory'> {
  view: BoardView;
}

/** The board as one day: spots down, hours across. */
export function Timeline({ view, ...day }: TimelineProps): ReactNode {
  const rows = useMemo(() => timelineRows(view), [view]);
  return <TimelineGrid {...day} rows={rows} withCategory={view.sections === null} />;
}
