import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';
import { firstFit, longestAt, stretchTo } from '../../../../shared/rules/stretch.ts';
import { type AskedHours, askedHoursIn } from '../../../lib/asked-claim.ts';
import { askToWait } from '../../../state/asked-wait.ts';
import { claimAt } from '../use-waits.ts';
import { type Choose, chooseFor } from './claimants.ts';
import { pressedAt } from './hours-box.ts';
import { stopPlacing } from './placing.ts';
import type { Spot } from './standing.ts';
import { isModified, take } from './take.ts';
import type { Ask } from './use-ask.ts';
import { usePlaceKeys } from './use-place-keys.ts';
import { watchDrag } from './watch-drag.ts';

const CLAIM_PAGES = ['/input', '/admin/input'];

interface PlaceHandlers extends ReturnType<typeof usePlaceKeys> {
  onPointerDown: (event: PointerEvent) => void;
  onMouseDown: (event: MouseEvent) => void;
  onClickCapture: (event: MouseEvent) => void;
}

/**
 * Claims in place, for all cards and rows of the board at once: press and drag paints hours, a press proposes the longest claim
 * there, Shift and arrows choose a stretch. Neither a card nor a row renders for it.
 * @param date the server-save date in view
 * @param isOff nothing can be claimed in this view
 * @param ask what becomes of the hours that were chosen
 * @param waits hours that others hold can be waited for: a press on them in a card's strip asks about that
 */
export function usePlaceHandlers(date: string, isOff: boolean, ask: Ask, waits = false): Partial<PlaceHandlers> {
  const keys = usePlaceKeys(date, ask);
  const stopDrag = useRef<(() => void) | null>(null);
  /** The button that ended a drag is followed by a click at once, unless it was let go elsewhere: it means nothing more. */
  const wasDrag = useRef(false);
  useEffect(
    () => () => {
      stopDrag.current?.();
      stopPlacing();
    },
    [],
  );

  const onPointerDown = (event: PointerEvent): void => {
    if (event.pointerType !== 'mouse' || event.button !== 0 || event.shiftKey || isModified(event)) return;
    const pressed = pressedAt(event.target, event.clientX);
    if (!pressed) return;
    wasDrag.current = false;
    stopDrag.current?.();
    stopDrag.current = watchDrag(pressed, event.clientX, date, (spot, chosen) => {
      wasDrag.current = true;
      setTimeout(() => {
        wasDrag.current = false;
      });
      ask(spot, chosen, pressed.box);
    });
  };

  const onMouseDown = (event: MouseEvent): void => {
    // Neither is a text marked while hours are painted, nor a link dragged away.
    if (event.button === 0 && pressedAt(event.target, event.clientX)) event.preventDefault();
  };

  const onClickCapture = (event: MouseEvent): void => {
    const isDragsEnd = wasDrag.current;
    wasDrag.current = false;
    if (isDragsEnd) take(event);
    if (isDragsEnd || event.defaultPrevented || event.button !== 0 || event.shiftKey || isModified(event)) return;
    const asked = askedBy(event, date);
    if (asked && (ask(asked.spot, chooseFor(asked.spot, asked.choose), asked.anchor) || (waits && askAboutTaken(event, date)))) take(event);
  };

  return isOff ? {} : { onPointerDown, onMouseDown, onClickCapture, ...keys };
}

/** A press on hours that somebody else holds. */
function askAboutTaken({ target, clientX }: MouseEvent, date: string): boolean {
  const pressed = pressedAt(target, clientX);
  const claim = pressed && claimAt(pressed.respawn_id, date, pressed.hour);
  if (!claim) return false;
  const { respawn_id, hour_start, hour_end } = claim;
  askToWait({ respawn_id, date, hour_start, hour_end, anchor: pressed.box });
  return true;
}

interface Asked {
  spot: Spot;
  choose: Choose;
  anchor: HTMLElement;
}

/** What a click asks for: any link to the claim form says it by its address, the strip of a card by where it was pressed. */
function askedBy({ target, clientX }: MouseEvent, date: string): Asked | null {
  if (!(target instanceof Element)) return null;
  const link = target.closest('a');
  if (link) {
    const asked = CLAIM_PAGES.includes(link.pathname) ? askedHoursIn(new URLSearchParams(link.search)) : null;
    if (!asked?.respawn_id || !asked.date) return null;
    return { spot: { respawn_id: asked.respawn_id, date: asked.date }, choose: choiceOf(asked), anchor: link };
  }
  const pressed = pressedAt(target, clientX);
  // In the timeline each free hour is a link; the rest of its row is nobody's to press.
  if (!pressed || pressed.box.getAttribute('role') === 'row') return null;
  return { spot: { respawn_id: pressed.respawn_id, date }, choose: (limits) => longestAt(pressed.hour, limits), anchor: pressed.box };
}

function choiceOf({ hour, hours }: AskedHours): Choose {
  if (hour === null) return firstFit;
  return (limits) => (hours === null ? longestAt(hour, limits) : stretchTo(hour, hour + hours - 1, limits));
}
