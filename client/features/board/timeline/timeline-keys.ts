import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { occupiedOn } from '../../../lib/occupied.ts';
import { useBoard } from '../../../state/board-store.ts';
import { claimsOn } from '../../claiming/day-claims.ts';
import { type DayCell, dayCells, FIRST_LANE, laneOf } from './day-cells.ts';
import type { TimelineRow } from './timeline-rows.ts';

interface GridKeysOptions {
  frame: RefObject<HTMLDivElement | null>;
  rows: readonly TimelineRow[];
  date: string;
  /** How many hours of the day are over. */
  over: number;
  firstHour: number;
}

interface GridKeys {
  /** The grid's only tab stop. */
  active: CellPosition | null;
  onKeyDown: (event: KeyboardEvent) => void;
  onFocus: (event: FocusEvent<HTMLElement>) => void;
}

/** Thousands of cells, one tab stop: arrow keys move from cell to cell, and Tab leaves. */
export function useGridKeys({ frame, rows, date, over, firstHour }: GridKeysOptions): GridKeys {
  const [chosen, setChosen] = useState<CellPosition | null>(null);
  const moved = useRef(false);
  const isThere =
    chosen !== null && rows.some((row) => row.kind === 'spot' && row.id === chosen.id);
  const first = rows.find((row) => row.kind === 'spot');
  const active = isThere
    ? chosen
    : first?.kind === 'spot'
      ? { id: first.id, hour: firstHour, lane: 0 }
      : null;
  const cellsOf = (id: number): DayCell[] => {
    const { claimsByRespawn, occupiedByRespawn } = useBoard.getState();
    return dayCells(
      claimsOn(date, claimsByRespawn.get(id) ?? []),
      over,
      occupiedOn(occupiedByRespawn.get(id), date),
    );
  };

  useLayoutEffect(() => {
    if (!moved.current || !active) return;
    moved.current = false;
    frame.current?.querySelector<HTMLElement>(`[data-spot="${active.id}"] [tabindex="0"]`)?.focus();
  }, [frame, active]);

  return {
    active,
    onKeyDown: (event) => {
      const next =
        active && !event.altKey && !event.metaKey && positionAfter(event, active, rows, cellsOf);
      if (!next) return;
      event.preventDefault();
      moved.current = true;
      setChosen({ ...next });
    },
    onFocus: ({ target }) => {
      const id = Number(target.closest<HTMLElement>('[data-spot]')?.dataset.spot);
      const { hour, lane } = target.dataset;
      if (!id || hour === undefined) return;
      const place = { id, hour: Number(hour), lane: Number(lane) };
      // Keep the column: moving down past a long claim continues at the same hour.
      const cell = active?.id === id ? cellAt(cellsOf(id), active) : undefined;
      if (!cell || cell.hour_start !== place.hour || laneOf(cell) !== place.lane) setChosen(place);
    },
  };
}

/** The cell that the keyboard is on: an hour of a spot, in one of its lanes. */
export interface CellPosition {
  id: number;
  hour: number;
  lane: number;
}

/** The cell at an hour; where its lane has nothing there, the first lane's, which covers the whole day. */
export function cellAt(
  cells: readonly DayCell[],
  { hour, lane }: Pick<CellPosition, 'hour' | 'lane'>,
): DayCell | undefined {
  const covering = cells.filter((cell) => cell.hour_start <= hour && hour < cell.hour_end);
  return (
    covering.find((cell) => laneOf(cell) === lane) ??
    covering.find((cell) => laneOf(cell) === FIRST_LANE)
  );
}

const ROWS_A_PAGE = 10;
/** Rows to go down for a key. */
const ROWS: { [key in string]?: number } = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -ROWS_A_PAGE,
  PageDown: ROWS_A_PAGE,
};

/**
 * The position after a key: arrows to the neighbor, Home and End to the ends of the day, with Control to the first and last spot.
 * @returns null when the key is none of the timeline's
 */
export function positionAfter(
  key: { key: string; ctrlKey: boolean },
  from: CellPosition,
  rows: readonly TimelineRow[],
  cellsOf: (id: number) => readonly DayCell[],
): CellPosition | null {
  const ids = rows.flatMap((row) => (row.kind === 'spot' ? [row.id] : []));
  const index = ids.indexOf(from.id);
  const onRow = (to: number): CellPosition => ({
    ...from,
    id: ids[Math.max(0, Math.min(to, ids.length - 1))] ?? from.id,
    lane: FIRST_LANE,
  });
  const down = ROWS[key.key];
  if (down !== undefined) return onRow(index + down);
  if (key.key === 'Home' || key.key === 'End') {
    const hour = key.key === 'Home' ? 0 : HOURS_IN_DAY - 1;
    const row = key.ctrlKey
      ? onRow(key.key === 'Home' ? 0 : ids.length - 1)
      : { ...from, lane: FIRST_LANE };
    return { ...row, hour };
  }
  if (key.key !== 'ArrowLeft' && key.key !== 'ArrowRight') return null;
  const cells = cellsOf(from.id);
  const current = cellAt(cells, from);
  const next = cells[(current ? cells.indexOf(current) : 0) + (key.key === 'ArrowLeft' ? -1 : 1)];
  return next ? { id: from.id, hour: next.hour_start, lane: laneOf(next) } : from;
}
