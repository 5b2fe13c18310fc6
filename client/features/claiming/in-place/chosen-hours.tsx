import { type CSSProperties, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { classes } from '../../../ui/classes.ts';
import { useLocalTime } from '../../../ui/hours/hours-text.tsx';
import styles from './place.module.css';

/** "SS+16 to SS+19 · Sun 02:00 to 05:00" */
export function useHoursLabel(): (date: string, hours: HourRange) => string {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  return (date, { hour_start: start, hour_end: end }) =>
    `${t('time.range', { start, end })} · ${t('time.clockRange', { start: localTime(date, start), end: localTime(date, end, start) })}`;
}

const percent = (hours: number): string => `${((hours / HOURS_IN_DAY) * 100).toFixed(3)}%`;

/** The chosen hours, hatched, in the row or strip that they are chosen in: the one thing that is drawn while the pointer moves. */
export function ChosenHours({ box, hours, ref }: { box: HTMLElement; hours: HourRange; ref: RefObject<HTMLDivElement | null> }): ReactNode {
  const { hour_start, hour_end } = hours;
  const isRow = box.getAttribute('role') === 'row';
  const place: CSSProperties = isRow
    ? // The spot's name is the first column, and columns count from one.
      { gridColumn: `${hour_start + 2} / ${hour_end + 2}` }
    : { left: percent(hour_start), width: percent(hour_end - hour_start) };
  return createPortal(
    <div ref={ref} aria-hidden="true" style={place} className={classes(styles.chosen, isRow ? styles.inRow : styles.inStrip)} />,
    box,
  );
}

const GAP = 6;
const EDGE = 8;

/** What is being chosen, above it, as long as it is painted. */
export function ChosenLabel({ anchor, text }: { anchor: RefObject<HTMLElement | null>; text: string }): ReactNode {
  const label = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [element, around] = [label.current, anchor.current?.getBoundingClientRect()];
    if (!element || !around) return;
    const { width, height } = element.getBoundingClientRect();
    const above = around.top - height - GAP;
    const left = around.left + around.width / 2 - width / 2;
    element.style.top = `${above > EDGE ? above : around.bottom + GAP}px`;
    element.style.left = `${Math.max(EDGE, Math.min(left, document.documentElement.clientWidth - width - EDGE))}px`;
  });
  return createPortal(
    <div ref={label} role="status" className={styles.label}>
      {text}
    </div>,
    document.body,
  );
}
