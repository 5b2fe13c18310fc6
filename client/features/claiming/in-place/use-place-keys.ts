import { type KeyboardEvent, useRef } from 'react';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { firstFit, longestAt, stretchTo } from '../../../../shared/rules/stretch.ts';
import { type Choose, chooseFor } from './claimants.ts';
import { changePlacing, startPlacing, stopPlacing, usePlacing } from './placing.ts';
import type { Spot } from './standing.ts';
import { isModified, take } from './take.ts';
import type { Ask } from './use-ask.ts';

/** Hours that are being chosen with the keyboard: from where they began to where they reach. */
interface Keyed {
  box: HTMLElement;
  from: number;
  to: number;
  /** A stretch was chosen, not only an hour pointed at. */
  isStretch: boolean;
}

interface PlaceKeys {
  onKeyDownCapture: (event: KeyboardEvent) => void;
  onBlurCapture: () => void;
}

/** Shift and arrows choose a stretch in the timeline's grid and in a card's strip, where plain arrows point at hours; Enter asks about them. */
export function usePlaceKeys(date: string, ask: Ask): PlaceKeys {
  const keyed = useRef<Keyed | null>(null);
  const forget = (): void => {
    keyed.current = null;
    if (usePlacing.getState().placing?.phase === 'drawing') stopPlacing();
  };
  const show = (spot: Spot, next: Keyed, anchor: HTMLElement): void => {
    const { claimant, range } = chooseFor(spot, choiceOf(next));
    if (!range) return;
    const isGoingOn = keyed.current?.box === next.box && usePlacing.getState().placing !== null;
    keyed.current = next;
    if (isGoingOn) changePlacing({ range, claimant });
    else startPlacing({ ...spot, claimant, range, phase: 'drawing', anchor });
  };
  return {
    onKeyDownCapture: (event) => {
      const { target, key, shiftKey } = event;
      const box = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-hours-of]') : null;
      if (!box || !(target instanceof HTMLElement) || isModified(event)) return;
      const before = keyed.current?.box === box ? keyed.current : null;
      const isStrip = target === box;
      const spot = { respawn_id: Number(box.dataset.hoursOf), date };
      const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (key === 'Escape' && before) {
        forget();
        take(event);
      } else if ((key === 'Enter' || (isStrip && key === ' ')) && (before || isStrip)) {
        keyed.current = null;
        stopPlacing();
        if (ask(spot, chooseFor(spot, choiceOf(before)), target)) take(event);
      } else if (step && (shiftKey || isStrip)) {
        take(event);
        const next = shiftKey ? stretched(box, spot, target, before, step) : pointed(box, spot, before, step);
        // Where nobody may, the keyboard is told why, as the pointer is.
        const none = next ? null : chooseFor(spot, firstFit);
        if (next) show(spot, next, target);
        else if (none?.isRefused) ask(spot, none, target);
      } else if (before && key !== 'Shift' && key !== 'Tab') forget();
    },
    onBlurCapture: () => {
      if (keyed.current) forget();
    },
  };
}

/** The hours that the keyboard has chosen; of one that is only pointed at the longest claim. */
function choiceOf(keyed: Keyed | null): Choose {
  if (!keyed) return firstFit;
  const { from, to, isStretch } = keyed;
  return (limits) => (isStretch ? stretchTo(from, to, limits) : longestAt(from, limits));
}

/** A stretch with one hour more, or one less; it begins at the cell that has the focus. */
function stretched(box: HTMLElement, spot: Spot, target: HTMLElement, before: Keyed | null, step: number): Keyed | null {
  const cell = Number(target.dataset.hour);
  const from = before?.from ?? (Number.isNaN(cell) ? chooseFor(spot, firstFit).range?.hour_start : cell);
  if (from === undefined) return null;
  const to = (before?.to ?? from) + (before || !Number.isNaN(cell) ? step : 0);
  // Where it cannot go on, it does not run ahead unseen.
  const { range } = chooseFor(spot, (limits) => stretchTo(from, to, limits));
  if (!range) return null;
  return { box, from, to: to < from ? range.hour_start : range.hour_end - 1, isStretch: true };
}

/** The next hour that can be had, in a strip: its hours are no cells of their own. */
function pointed(box: HTMLElement, spot: Spot, before: Keyed | null, step: number): Keyed | null {
  const first = before ? before.to + step : chooseFor(spot, firstFit).range?.hour_start;
  for (let hour = first ?? HOURS_IN_DAY; hour >= 0 && hour < HOURS_IN_DAY; hour += step) {
    if (chooseFor(spot, (limits) => stretchTo(hour, hour, limits)).range) return { box, from: hour, to: hour, isStretch: false };
  }
  return before;
}
