import type { KeyboardEvent, MouseEvent } from 'react';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';

/** A row of the timeline, or the strip of a card: the element whose hours can be chosen, by the spot's id. */
const BOX = '[data-hours-of]';

/** A pressed point: its spot, and the SS hour below the pointer. */
export interface PressedHour {
  box: HTMLElement;
  respawn_id: number;
  hour: number;
}

/** @returns null beside the hours: on a name, on a claim's bar, outside a strip */
export function pressedAt(target: EventTarget | null, x: number): PressedHour | null {
  const box = boxAround(target);
  if (!box || !(target instanceof Element) || target.closest('button, [role="rowheader"]'))
    return null;
  const hour = hourAt(box, x);
  return hour < 0 || hour >= HOURS_IN_DAY ? null : { box, respawn_id: spotOf(box), hour };
}

export const boxAround = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(BOX) : null;

/** The box of a spot that is in the document now: a card may have been drawn again since it was pressed. */
export const boxOf = (respawn_id: number): HTMLElement | null =>
  document.querySelector(`[data-hours-of="${respawn_id}"]`);

export const spotOf = (box: HTMLElement): number => Number(box.dataset.hoursOf);

/** A row of the timeline, whose hours are cells; in a strip they are not. */
export const isRow = (box: HTMLElement): boolean => box.getAttribute('role') === 'row';

/** The hour below a point; it counts on before SS+0 and after SS+24. */
export const hourAt = (box: HTMLElement, x: number): number => Math.floor(hoursTo(box, x));

/** The start or end of an hour nearest to a point. */
export const edgeAt = (box: HTMLElement, x: number): number => Math.round(hoursTo(box, x));

/** The distance from SS+0 to a point, in hours. In a timeline row, the hours start after the spot's name. */
function hoursTo(box: HTMLElement, x: number): number {
  const { left, width } = box.getBoundingClientRect();
  const name = box.querySelector<HTMLElement>('[role="rowheader"]')?.offsetWidth ?? 0;
  return width > name ? ((x - left - name) / (width - name)) * HOURS_IN_DAY : 0;
}

/** Keeps an event from links, and from the grid. */
export function consume(event: MouseEvent | KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

export const isModified = (event: MouseEvent | KeyboardEvent): boolean =>
  event.metaKey || event.ctrlKey || event.altKey;
