import { stretchTo } from '../../../../shared/rules/stretch.ts';
import { hideTip } from '../../../ui/tooltip.tsx';
import { type Chosen, chooseFor } from './claimants.ts';
import { hourAt, type Pressed } from './hours-box.ts';
import { changePlacing, startPlacing, stopPlacing } from './placing.ts';
import type { Spot } from './standing.ts';

/** A hand that presses is not quite still, in pixels. */
const STILL = 4;

/**
 * Follows a pressed mouse button: hours are painted as soon as it moves to another hour.
 * @param onDrawn hears of the hours that were painted when the button is let go
 * @returns a function that gives it up
 */
export function watchDrag(
  { box, respawn_id, hour }: Pressed,
  x: number,
  date: string,
  onDrawn: (spot: Spot, chosen: Chosen) => void,
): () => void {
  const spot = { respawn_id, date };
  let drawn: Chosen | null = null;
  const onMove = (event: globalThis.PointerEvent): void => {
    const to = hourAt(box, event.clientX);
    if (!drawn && (to === hour || Math.abs(event.clientX - x) < STILL)) return;
    const next = chooseFor(spot, (limits) => stretchTo(hour, to, limits));
    const { range, claimant } = next;
    const before = drawn?.range;
    if (range && !drawn) startPlacing({ ...spot, claimant, range, phase: 'drawing', anchor: box });
    else if (range && (range.hour_start !== before?.hour_start || range.hour_end !== before.hour_end)) changePlacing({ range, claimant });
    if (range || next.isRefused) drawn = next;
    // The hour that the pointer has come to tells of itself.
    hideTip();
  };
  const stop = (): void => {
    document.removeEventListener('pointermove', onMove);
    document.removeEventListener('pointerup', onUp);
    document.removeEventListener('pointercancel', cancel);
    document.removeEventListener('keydown', onKey);
  };
  const onUp = (): void => {
    stop();
    if (drawn) onDrawn(spot, drawn);
  };
  const cancel = (): void => {
    stop();
    if (drawn) stopPlacing();
  };
  const onKey = (event: globalThis.KeyboardEvent): void => {
    if (event.key === 'Escape') cancel();
  };
  document.addEventListener('pointermove', onMove);
  document.addEventListener('pointerup', onUp);
  document.addEventListener('pointercancel', cancel);
  document.addEventListener('keydown', onKey);
  return stop;
}
