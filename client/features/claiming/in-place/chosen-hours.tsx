import { type CSSProperties, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { classes } from '../../../ui/classes.ts';
import { percentOfDay } from '../../../ui/hours/hour-strip.tsx';
import { useLocalTime } from '../../../ui/hours/hours-text.tsx';
import { MEDIA } from '../../../ui/media.ts';
import styles from './claim-in-place.module.css';
import { isRow } from './hours-box.ts';

/** "SS+16 to SS+19 · Sun 02:00 to 05:00" */
export function useHoursLabel(): (date: string, hours: HourRange) => string {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  return (date, { hour_start: start, hour_end: end }) =>
    `${t('time.range', { start, end })} · ${t('time.clockRange', { start: localTime(date, start), end: localTime(date, end, start) })}`;
}

/** The chosen hours, hatched, in their row or strip: the only thing that is drawn while the pointer moves. */
export function ChosenHours({
  box,
  hours,
  ref,
}: {
  box: HTMLElement;
  hours: HourRange;
  ref: RefObject<HTMLDivElement | null>;
}): ReactNode {
  const { hour_start, hour_end } = hours;
  const inRow = isRow(box);
  const place: CSSProperties = inRow
    ? // The spot's name is the first column, and columns count from one.
      { gridColumn: `${hour_start + 2} / ${hour_end + 2}` }
    : { left: percentOfDay(hour_start), width: percentOfDay(hour_end - hour_start) };
  return createPortal(
    <div
      ref={ref}
      aria-hidden="true"
      style={place}
      className={classes(styles.chosen, inRow ? styles.inRow : styles.inStrip)}
    />,
    box,
  );
}

export function ChosenLabel({
  anchor,
  text,
}: {
  anchor: RefObject<HTMLElement | null>;
  text: string;
}): ReactNode {
  const label = useRef<HTMLDivElement>(null);
  const isTouch = useMediaQuery(MEDIA.touch);
  useLayoutEffect(() => {
    const { current: hours } = anchor;
    if (label.current && hours)
      placeLabel(label.current, hours, hours.getBoundingClientRect(), isTouch);
  });
  return createPortal(
    <div ref={label} role="status" className={styles.label}>
      {text}
    </div>,
    document.body,
  );
}

/** Between a label and its hours, and the window's edge, in pixels. */
const GAP = 6;
const EDGE = 8;

/**
 * Puts a label beside hours, so that it does not cover the name of their spot: above a row of the timeline; below a card's strip, or
 * above the card where there is no room or a finger is below.
 * @param box the row or strip of the hours
 * @param hours where they are on the screen
 */
export function placeLabel(
  label: HTMLElement,
  box: Element,
  hours: DOMRect,
  isTouch: boolean,
): void {
  const { width, height } = label.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const isInRow = box.closest('[role="row"]') !== null;
  const above =
    (isInRow ? hours : (box.closest('[data-spot]') ?? box).getBoundingClientRect()).top -
    height -
    GAP;
  const below = hours.bottom + GAP;
  const isBelow = above <= EDGE || (!isInRow && !isTouch && below + height < clientHeight - EDGE);
  const left = hours.left + hours.width / 2 - width / 2;
  label.style.top = `${isBelow ? below : above}px`;
  label.style.left = `${Math.max(EDGE, Math.min(left, clientWidth - width - EDGE))}px`;
}
