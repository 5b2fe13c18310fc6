import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { type HourRange, rangesOverlap } from '../../../../shared/rules/hours.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { askAboutBar } from '../../../state/asked-bar.ts';
import { useBoard } from '../../../state/board-store.ts';
import { classes } from '../../../ui/classes.ts';
import { hideTip } from '../../../ui/tooltip.tsx';
import { claimsOn } from '../../claiming/day-claims.ts';
import { ChosenLabel, useHoursLabel } from '../../claiming/in-place/chosen-hours.tsx';
import { edgeAt } from '../../claiming/in-place/hours-box.ts';
import { cellPlace } from './place.ts';
import styles from './spot-row.module.css';

interface BarEndsProps {
  claim: ClaimOnRespawn;
  /** The server-save date in view: a claim of a whole event has none. */
  date: string;
}

/**
 * The ends of an admin's bar, to be dragged with a mouse: the new hours are painted, and let go they are asked about, filled in.
 * Fingers scroll here, and with the keyboard the same is in the bar's menu.
 */
export function BarEnds({ claim, date }: BarEndsProps): ReactNode {
  const [dragged, setDragged] = useState<{ row: HTMLElement; hours: HourRange } | null>(null);
  const giveUp = useRef<(() => void) | null>(null);
  useEffect(() => () => giveUp.current?.(), []);

  const onPointerDown = (end: keyof HourRange, event: PointerEvent<HTMLElement>): void => {
    const bar = event.currentTarget.closest('button');
    const row = event.currentTarget.closest<HTMLElement>('[role="row"]');
    if (event.pointerType !== 'mouse' || event.button !== 0 || !bar || !row) return;
    giveUp.current?.();
    giveUp.current = watchEnd(row, claim, end, {
      onMove: (hours) => {
        hideTip();
        setDragged({ row, hours });
      },
      onStop: () => setDragged(null),
      onDrawn: (times) => {
        bar.focus({ preventScroll: true });
        askAboutBar({ claim, anchor: bar, times });
      },
    });
  };

  return (
    <>
      {(['hour_start', 'hour_end'] as const).map((end) => (
        <span
          key={end}
          data-end={end}
          data-dragged={dragged ? '' : undefined}
          className={styles.end}
          onPointerDown={(event) => onPointerDown(end, event)}
        />
      ))}
      {dragged ? <DraggedHours claim={claim} date={date} row={dragged.row} hours={dragged.hours} /> : null}
    </>
  );
}

/** The hours that a claim would have, and whose hours those are already. */
function DraggedHours({ claim, date, row, hours }: BarEndsProps & { row: HTMLElement; hours: HourRange }): ReactNode {
  const { t } = useTranslation();
  const labelOf = useHoursLabel();
  const box = useRef<HTMLDivElement>(null);
  const there = useBoard((board) => board.claimsByRespawn.get(claim.respawn_id)) ?? [];
  const hit = claimsOn(date, there).filter((other) => other.id !== claim.id && !other.is_secondary_claim && rangesOverlap(other, hours));
  const text = labelOf(date, hours);
  const names = hit.map((other) => other.character_name).join(', ');
  return (
    <>
      {createPortal(
        <div
          ref={box}
          aria-hidden="true"
          className={classes(styles.dragged, hit.length > 0 && styles.blocked)}
          style={cellPlace(hours).style}
        />,
        row,
      )}
      <ChosenLabel anchor={box} text={names ? t('board.timeline.hits', { hours: text, names }) : text} />
    </>
  );
}

interface WatchEnd {
  onMove: (hours: HourRange) => void;
  /** It is over, whatever came of it. */
  onStop: () => void;
  /** It was let go at other hours than the claim's. */
  onDrawn: (hours: HourRange) => void;
}

/** Follows the pointer that holds an end of a claim; Escape gives it up, and so does the function that is answered. */
function watchEnd(row: HTMLElement, claim: HourRange, end: keyof HourRange, { onMove, onStop, onDrawn }: WatchEnd): () => void {
  const own = { hour_start: claim.hour_start, hour_end: claim.hour_end };
  let hours = own;
  let isMoved = false;
  const over = new AbortController();
  const { signal } = over;
  const stop = (): void => {
    over.abort();
    if (isMoved) onStop();
  };
  const move = (event: globalThis.PointerEvent): void => {
    const to = edgeAt(row, event.clientX);
    const least = end === 'hour_start' ? 0 : own.hour_start + 1;
    const most = end === 'hour_start' ? own.hour_end - 1 : HOURS_IN_DAY;
    const next = { ...own, [end]: Math.min(Math.max(to, least), most) };
    if (next[end] === hours[end]) return;
    isMoved = true;
    hours = next;
    onMove(hours);
  };
  const letGo = (): void => {
    stop();
    if (!isMoved) return;
    swallowClick();
    if (hours[end] !== own[end]) onDrawn(hours);
  };
  document.addEventListener('pointermove', move, { signal });
  document.addEventListener('pointerup', letGo, { signal });
  document.addEventListener('pointercancel', stop, { signal });
  document.addEventListener('keydown', (event) => event.key === 'Escape' && stop(), { signal });
  return stop;
}

/** The button that ends a drag is followed by a click at once, unless it was let go elsewhere: it means nothing more. */
function swallowClick(): void {
  const over = new AbortController();
  document.addEventListener(
    'click',
    (event) => {
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true, once: true, signal: over.signal },
  );
  setTimeout(() => over.abort());
}
