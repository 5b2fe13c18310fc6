import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { longestAt, stretchTo } from '../../../../shared/rules/stretch.ts';
import { type RequestedHours, requestedHoursIn } from '../../../lib/claim-request.ts';
import { useFollowPointer } from '../../../lib/follow-pointer.ts';
import type { Spot } from '../../../state/claim-draft.ts';
import { closeOverlay } from '../../../state/overlays.ts';
import { hideTip } from '../../../ui/tooltip.tsx';
import {
  type Choose,
  type Chosen,
  chooseFor,
  discardDraft,
  draftNow,
  stepDraft,
  type TakeHours,
  usualFit,
} from './choose-hours.ts';
import {
  boxAround,
  consume,
  hourAt,
  isModified,
  isRow,
  type PressedHour,
  pressedAt,
  spotOf,
} from './hours-box.ts';

const CLAIM_PAGES = ['/input', '/admin/input'];

interface ClaimHandlers extends ClaimKeys {
  onPointerDown: (event: PointerEvent) => void;
  onMouseDown: (event: MouseEvent) => void;
  onClickCapture: (event: MouseEvent) => void;
}

interface ClaimingOn {
  /** The server-save date in view. */
  date: string;
  /** No claims can be made in this view. */
  isOff: boolean;
  take: TakeHours;
  /** Handles a press on hours of a card's strip that cannot be claimed; returns false if it did nothing. */
  takeOccupied?: ((pressed: PressedHour) => boolean) | undefined;
}

/**
 * Claiming in place, for all cards and rows of a board at once: dragging draws hours, a press chooses the longest claim there, Shift
 * and arrow keys choose a stretch. No card and no row renders for it.
 */
export function useClaimHandlers({
  date,
  isOff,
  take,
  takeOccupied,
}: ClaimingOn): Partial<ClaimHandlers> {
  const keys = useClaimKeys(date, take);
  const follow = useFollowPointer<Drag>({
    onMove: drawHours,
    onRelease: ({ spot, drawn, box }) => {
      if (drawn) take(spot, drawn, box);
      return drawn !== null;
    },
    onCancel: ({ drawn }) => drawn && discardDraft(),
  });
  useEffect(
    () => () => {
      discardDraft();
      closeOverlay('joinWaitlist');
    },
    [],
  );

  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0 || event.shiftKey || isModified(event)) return;
    const pressed = pressedAt(event.target, event.clientX);
    // A finger scrolls the rows of the timeline sideways.
    if (!pressed || (event.pointerType !== 'mouse' && isRow(pressed.box))) return;
    const { box, respawn_id, hour } = pressed;
    const still = event.pointerType === 'mouse' ? STILL : STILL_TOUCH;
    follow(event, {
      box,
      spot: { respawn_id, date },
      hour,
      x: event.clientX,
      still,
      drawn: null,
    });
  };

  const onMouseDown = (event: MouseEvent): void => {
    // A drag neither selects text nor drags a link away.
    if (event.button === 0 && pressedAt(event.target, event.clientX)) event.preventDefault();
  };

  const onClickCapture = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0 || event.shiftKey || isModified(event)) return;
    const request = requestOf(event, date);
    if (!request) return;
    const { spot, choose, anchor } = request;
    const pressed = pressedAt(event.target, event.clientX);
    if (take(spot, chooseFor(spot, choose), anchor) || (pressed && takeOccupied?.(pressed)))
      consume(event);
  };

  return isOff ? {} : { onPointerDown, onMouseDown, onClickCapture, ...keys };
}

interface ClaimRequest {
  spot: Spot;
  choose: Choose;
  anchor: HTMLElement;
}

/** Reads a click's request: from the address of a link to the claim form, or from the pressed hour of a card's strip. */
function requestOf({ target, clientX }: MouseEvent, date: string): ClaimRequest | null {
  if (!(target instanceof Element)) return null;
  const link = target.closest('a');
  if (link) {
    const hours = CLAIM_PAGES.includes(link.pathname)
      ? requestedHoursIn(new URLSearchParams(link.search))
      : null;
    if (!hours?.respawn_id || !hours.date) return null;
    return {
      spot: { respawn_id: hours.respawn_id, date: hours.date },
      choose: choiceIn(hours),
      anchor: link,
    };
  }
  const pressed = pressedAt(target, clientX);
  // In the timeline each free hour is a link; the rest of its row does nothing.
  if (!pressed || isRow(pressed.box)) return null;
  // An hour that is over is too narrow to miss on purpose.
  const choose: Choose = (limits, usual) =>
    longestAt(pressed.hour, limits) ??
    (pressed.hour < limits.over ? usualFit(limits, usual) : null);
  return { spot: { respawn_id: pressed.respawn_id, date }, choose, anchor: pressed.box };
}

function choiceIn({ hour, hours }: RequestedHours): Choose {
  if (hour === null) return usualFit;
  return (limits) =>
    hours === null ? longestAt(hour, limits) : stretchTo(hour, hour + hours - 1, limits);
}

/** A pressing hand is not quite still, in pixels; a finger still less. */
const STILL = 4;
const STILL_TOUCH = 10;

interface Drag {
  box: HTMLElement;
  spot: Spot;
  /** The pressed hour and point, and how far from it a pointer counts as still. */
  hour: number;
  x: number;
  still: number;
  /** null: it has not left the pressed hour. */
  drawn: Chosen | null;
}

/** Draws hours once a pressed mouse button or finger moves to another hour. */
function drawHours(drag: Drag, { clientX }: globalThis.PointerEvent): void {
  const { box, spot, hour, x, still, drawn } = drag;
  const to = hourAt(box, clientX);
  if (!drawn && (to === hour || Math.abs(clientX - x) < still)) return;
  const next = chooseFor(spot, (limits) => stretchTo(hour, to, limits));
  const { range, claimant } = next;
  const before = drawn?.range;
  if (range && !drawn)
    stepDraft({ type: 'press', ...spot, claimant, range, phase: 'drawing', anchor: box });
  else if (range && (range.hour_start !== before?.hour_start || range.hour_end !== before.hour_end))
    stepDraft({ type: 'stretch', range, claimant });
  if (range || next.isRefused) drag.drawn = next;
  // The hour below the pointer would show its own tip.
  hideTip();
}

/** Hours chosen with the keyboard, from the first key to where they reach. */
interface KeyedHours {
  box: HTMLElement;
  from: number;
  to: number;
  /** Shift extended it; otherwise the key only points at an hour. */
  isRange: boolean;
}

interface ClaimKeys {
  onKeyDownCapture: (event: KeyboardEvent) => void;
  onBlurCapture: () => void;
}

/** Shift and arrow keys choose a stretch, in the timeline's grid and in a card's strip; in a strip plain arrows point at hours. Enter takes them. */
function useClaimKeys(date: string, take: TakeHours): ClaimKeys {
  const keyed = useRef<KeyedHours | null>(null);
  const forget = (): void => {
    keyed.current = null;
    if (draftNow()?.phase === 'drawing') discardDraft();
  };
  const draw = (spot: Spot, next: KeyedHours, anchor: HTMLElement): void => {
    const { claimant, range } = chooseFor(spot, keyedChoice(next));
    if (!range) return;
    const isContinued = keyed.current?.box === next.box && draftNow() !== null;
    keyed.current = next;
    if (isContinued) stepDraft({ type: 'stretch', range, claimant });
    else stepDraft({ type: 'press', ...spot, claimant, range, phase: 'drawing', anchor });
  };
  return {
    onKeyDownCapture: (event) => {
      const { target, key, shiftKey } = event;
      const box = boxAround(target);
      if (!box || !(target instanceof HTMLElement) || isModified(event)) return;
      const before = keyed.current?.box === box ? keyed.current : null;
      const isStrip = target === box;
      const spot = { respawn_id: spotOf(box), date };
      const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (key === 'Escape' && before) {
        forget();
        consume(event);
      } else if ((key === 'Enter' || (isStrip && key === ' ')) && (before || isStrip)) {
        keyed.current = null;
        discardDraft();
        if (take(spot, chooseFor(spot, keyedChoice(before)), target)) consume(event);
      } else if (step && (shiftKey || isStrip)) {
        consume(event);
        const next = shiftKey
          ? extendRange(box, spot, target, before, step)
          : moveHour(box, spot, before, step);
        // A refusal is shown to the keyboard as to the pointer.
        const none = next ? null : chooseFor(spot, usualFit);
        if (next) draw(spot, next, target);
        else if (none?.isRefused) take(spot, none, target);
      } else if (before && key !== 'Shift' && key !== 'Tab') forget();
    },
    onBlurCapture: () => {
      if (keyed.current) forget();
    },
  };
}

/** The chosen stretch; for an hour that is only pointed at, the longest claim there. */
function keyedChoice(keyed: KeyedHours | null): Choose {
  if (!keyed) return usualFit;
  const { from, to, isRange } = keyed;
  return (limits) => (isRange ? stretchTo(from, to, limits) : longestAt(from, limits));
}

/** A stretch with one hour more, or one less; it begins at the focused cell. */
function extendRange(
  box: HTMLElement,
  spot: Spot,
  target: HTMLElement,
  before: KeyedHours | null,
  step: number,
): KeyedHours | null {
  const cell = Number(target.dataset.hour);
  const from =
    before?.from ?? (Number.isNaN(cell) ? chooseFor(spot, usualFit).range?.hour_start : cell);
  if (from === undefined) return null;
  const to = (before?.to ?? from) + (before || !Number.isNaN(cell) ? step : 0);
  // Stop where the hours stop, so that the next key back has an effect at once.
  const { range } = chooseFor(spot, (limits) => stretchTo(from, to, limits));
  if (!range) return null;
  return { box, from, to: to < from ? range.hour_start : range.hour_end - 1, isRange: true };
}

/** The next free hour in a strip, whose hours are no cells of their own. */
function moveHour(
  box: HTMLElement,
  spot: Spot,
  before: KeyedHours | null,
  step: number,
): KeyedHours | null {
  const first = before ? before.to + step : chooseFor(spot, usualFit).range?.hour_start;
  for (let hour = first ?? HOURS_IN_DAY; hour >= 0 && hour < HOURS_IN_DAY; hour += step) {
    if (chooseFor(spot, (limits) => stretchTo(hour, hour, limits)).range)
      return { box, from: hour, to: hour, isRange: false };
  }
  return before;
}
