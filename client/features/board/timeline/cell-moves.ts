import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { type DayCell, FIRST_LANE, laneOf } from './day-cells.ts';
import type { TimelineRow } from './timeline-rows.ts';

/** The cell that the keyboard is on: an hour of a spot, in one of its lanes. */
export interface Place {
  id: number;
  hour: number;
  lane: number;
}

/** The cell at an hour; where its lane has nothing there, the first lane's, which covers the whole day. */
export function cellAt(cells: readonly DayCell[], { hour, lane }: Pick<Place, 'hour' | 'lane'>): DayCell | undefined {
  const covering = cells.filter((cell) => cell.hour_start <= hour && hour < cell.hour_end);
  return covering.find((cell) => laneOf(cell) === lane) ?? covering.find((cell) => laneOf(cell) === FIRST_LANE);
}

const ROWS_A_PAGE = 10;
/** Rows to go down for a key. */
const ROWS: { [key in string]?: number } = { ArrowUp: -1, ArrowDown: 1, PageUp: -ROWS_A_PAGE, PageDown: ROWS_A_PAGE };

/**
 * Where a key leads: arrows to the neighbouring cell or spot, Home and End to the ends of the day, with Control to
 * the first and last spot.
 * @returns null when the key is none of the timeline's
 */
export function placeAfter(
  key: { key: string; ctrlKey: boolean },
  from: Place,
  rows: readonly TimelineRow[],
  cellsOf: (id: number) => readonly DayCell[],
): Place | null {
  const ids = rows.flatMap((row) => (row.kind === 'spot' ? [row.id] : []));
  const index = ids.indexOf(from.id);
  const onRow = (to: number): Place => ({ ...from, id: ids[Math.max(0, Math.min(to, ids.length - 1))] ?? from.id, lane: FIRST_LANE });
  const down = ROWS[key.key];
  if (down !== undefined) return onRow(index + down);
  if (key.key === 'Home' || key.key === 'End') {
    const hour = key.key === 'Home' ? 0 : HOURS_IN_DAY - 1;
    const row = key.ctrlKey ? onRow(key.key === 'Home' ? 0 : ids.length - 1) : { ...from, lane: FIRST_LANE };
    return { ...row, hour };
  }
  if (key.key !== 'ArrowLeft' && key.key !== 'ArrowRight') return null;
  const cells = cellsOf(from.id);
  const current = cellAt(cells, from);
  const next = cells[(current ? cells.indexOf(current) : 0) + (key.key === 'ArrowLeft' ? -1 : 1)];
  return next ? { id: from.id, hour: next.hour_start, lane: laneOf(next) } : from;
}
