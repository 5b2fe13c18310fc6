import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';

/** A row of the timeline, or the strip of a card: the element whose hours can be chosen, by the spot's id. */
const BOX = '[data-hours-of]';

/** Where somebody pressed: the spot, and the SS hour below the pointer. */
export interface Pressed {
  box: HTMLElement;
  respawn_id: number;
  hour: number;
}

/** @returns null where no hours are: on a name, on a claim's bar, beside the strip */
export function pressedAt(target: EventTarget | null, x: number): Pressed | null {
  if (!(target instanceof Element)) return null;
  const box = target.closest<HTMLElement>(BOX);
  if (!box || target.closest('button, [role="rowheader"]')) return null;
  const hour = hourAt(box, x);
  if (hour < 0 || hour >= HOURS_IN_DAY) return null;
  return { box, respawn_id: Number(box.dataset.hoursOf), hour };
}

/** The hour below a point; before SS+0 and after SS+24 it goes on counting. */
export const hourAt = (box: HTMLElement, x: number): number => Math.floor(hoursTo(box, x));

/** Where an hour begins or ends, next to a point. */
export const edgeAt = (box: HTMLElement, x: number): number => Math.round(hoursTo(box, x));

/** From SS+0 to a point, in hours. */
function hoursTo(box: HTMLElement, x: number): number {
  const { left, width } = hoursOf(box);
  return width > 0 ? ((x - left) / width) * HOURS_IN_DAY : 0;
}

/** The part of the box that has the 24 hours: in a row of the timeline what the spot's name leaves. */
function hoursOf(box: HTMLElement): { left: number; width: number } {
  const { left, width } = box.getBoundingClientRect();
  const name = box.querySelector<HTMLElement>('[role="rowheader"]')?.offsetWidth ?? 0;
  return { left: left + name, width: width - name };
}

/** The box of a spot that is in the document now: a card may have been drawn anew, or have become one. */
export function boxOf(respawn_id: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-hours-of="${respawn_id}"]`);
}
