import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { occupiedOn } from '../../../lib/occupied.ts';
import { useBoard } from '../../../state/board-store.ts';
import { claimsOn } from '../../claiming/day-claims.ts';
import { cellAt, type Place, placeAfter } from './cell-moves.ts';
import { type DayCell, dayCells, laneOf } from './day-cells.ts';
import type { TimelineRow } from './timeline-rows.ts';

interface GridKeysOptions {
  frame: RefObject<HTMLDivElement | null>;
  rows: readonly TimelineRow[];
  date: string;
  /** How many hours of the day are over. */
  over: number;
  /** Where Tab comes in first. */
  firstHour: number;
}

interface GridKeys {
  /** The one cell that Tab stops at. */
  active: Place | null;
  onKeyDown: (event: KeyboardEvent) => void;
  onFocus: (event: FocusEvent<HTMLElement>) => void;
}

/** Thousands of cells, one tab stop: arrow keys move from cell to cell, and Tab leaves. */
export function useGridKeys({ frame, rows, date, over, firstHour }: GridKeysOptions): GridKeys {
  const [chosen, setChosen] = useState<Place | null>(null);
  const moved = useRef(false);
  const isThere = chosen !== null && rows.some((row) => row.kind === 'spot' && row.id === chosen.id);
  const first = rows.find((row) => row.kind === 'spot');
  const active = isThere ? chosen : first?.kind === 'spot' ? { id: first.id, hour: firstHour, lane: 0 } : null;
  const cellsOf = (id: number): DayCell[] => {
    const { claimsByRespawn, occupiedByRespawn } = useBoard.getState();
    return dayCells(claimsOn(date, claimsByRespawn.get(id) ?? []), over, occupiedOn(occupiedByRespawn.get(id), date));
  };

  useLayoutEffect(() => {
    if (!moved.current || !active) return;
    moved.current = false;
    frame.current?.querySelector<HTMLElement>(`[data-spot="${active.id}"] [tabindex="0"]`)?.focus();
  }, [frame, active]);

  return {
    active,
    onKeyDown: (event) => {
      const next = active && !event.altKey && !event.metaKey && placeAfter(event, active, rows, cellsOf);
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
      // The hour one came from is kept: down through a long claim leads on at the same hour.
      const cell = active?.id === id ? cellAt(cellsOf(id), active) : undefined;
      if (!cell || cell.hour_start !== place.hour || laneOf(cell) !== place.lane) setChosen(place);
    },
  };
}
