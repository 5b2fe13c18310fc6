import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { type StretchLimits, withEnd, withStart } from '../../../../shared/rules/stretch.ts';
import { classes } from '../../../ui/classes.ts';
import { useLocalTime } from '../../../ui/hours/hours-text.tsx';
import styles from './claim-in-place.module.css';
import { isRow } from './hours-box.ts';

/** "SS+16 to SS+19 · Sun 02:00 to 05:00" */
export function useHoursLabel(): (date: string, hours: HourRange) => string {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  return (date, { hour_start: start, hour_end: end }) =>
    `${t('time.range', { start, end })} · ${t('time.clockRange', { start: localTime(date, start), end: localTime(date, end, start) })}`;
}

const percent = (hours: number): string => `${((hours / HOURS_IN_DAY) * 100).toFixed(3)}%`;

/** The chosen hours, hatched, in their row or strip: the only thing that is drawn while the pointer moves. */
export function ChosenHours({ box, hours, ref }: { box: HTMLElement; hours: HourRange; ref: RefObject<HTMLDivElement | null> }): ReactNode {
  const { hour_start, hour_end } = hours;
  const inRow = isRow(box);
  const place: CSSProperties = inRow
    ? // The spot's name is the first column, and columns count from one.
      { gridColumn: `${hour_start + 2} / ${hour_end + 2}` }
    : { left: percent(hour_start), width: percent(hour_end - hour_start) };
  return createPortal(
    <div ref={ref} aria-hidden="true" style={place} className={classes(styles.chosen, inRow ? styles.inRow : styles.inStrip)} />,
    box,
  );
}

const GAP = 6;
const EDGE = 8;

/** The label above hours while they are drawn. */
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

interface HoursHandlesProps {
  date: string;
  hours: HourRange;
  limits: StretchLimits;
  taken: readonly HourRange[];
  disabled: boolean;
  onChange: (hours: HourRange) => void;
}

/** How many hours are shown before and after the chosen ones. */
const AROUND = 4;

/** The hours around the chosen ones, large enough for a thumb, with a handle at either end of those. */
export function HoursHandles({ date, hours, limits, taken, disabled, onChange }: HoursHandlesProps): ReactNode {
  const { t } = useTranslation();
  const track = useRef<HTMLDivElement>(null);
  // Fixed when it opens, so that the hours do not move below the thumb.
  const [view] = useState(() => ({
    first: Math.max(0, hours.hour_start - AROUND),
    last: Math.min(HOURS_IN_DAY, hours.hour_end + AROUND),
  }));
  const count = view.last - view.first;
  const at = (hour: number): string => `${(((hour - view.first) / count) * 100).toFixed(3)}%`;
  const over = Math.min(Math.max(limits.over, view.first), view.last);
  /** The whole hour nearest to a point. */
  const hourNear = (x: number): number => {
    const { left, width } = track.current?.getBoundingClientRect() ?? { left: 0, width: 0 };
    return width > 0 ? view.first + Math.round(((x - left) / width) * count) : view.first;
  };
  const move = (edge: 'start' | 'end', to: number): void => {
    const within = Math.min(Math.max(to, view.first), view.last);
    const next = edge === 'start' ? withStart(hours, within, limits) : withEnd(hours, within, limits);
    if (next && (next.hour_start !== hours.hour_start || next.hour_end !== hours.hour_end)) onChange(next);
  };
  const handle = { date, at, hourNear, move, disabled, min: view.first, max: view.last };
  return (
    <div className={styles.handles}>
      <div ref={track} className={styles.track} style={{ '--hours': count }}>
        {over > view.first ? <div className={styles.past} style={{ left: 0, width: at(over) }} /> : null}
        {taken.map(({ hour_start, hour_end }) => {
          const [from, to] = [Math.max(hour_start, view.first), Math.min(hour_end, view.last)];
          return from < to ? (
            <div key={hour_start} className={styles.taken} style={{ left: at(from), width: `calc(${at(to)} - ${at(from)})` }} />
          ) : null;
        })}
        <div
          className={styles.range}
          style={{ left: at(hours.hour_start), width: `calc(${at(hours.hour_end)} - ${at(hours.hour_start)})` }}
        />
        <Handle edge="start" label={t('board.quickClaim.start')} hour={hours.hour_start} {...handle} />
        <Handle edge="end" label={t('board.quickClaim.end')} hour={hours.hour_end} {...handle} />
      </div>
      <div className={styles.scale} aria-hidden="true">
        {[view.first, hours.hour_start, hours.hour_end, view.last]
          .filter((hour, index, all) => all.indexOf(hour) === index)
          .map((hour) => (
            <span key={hour} style={{ left: at(hour) }} data-edge={hour === hours.hour_start || hour === hours.hour_end || undefined}>
              {hour === hours.hour_start || hour === hours.hour_end || isFar(hour, hours) ? hour : ''}
            </span>
          ))}
      </div>
    </div>
  );
}

/** A number next to that of an end would overlap it. */
const isFar = (hour: number, { hour_start, hour_end }: HourRange): boolean =>
  Math.min(Math.abs(hour - hour_start), Math.abs(hour - hour_end)) > 1;

interface HandleProps {
  edge: 'start' | 'end';
  label: string;
  hour: number;
  date: string;
  min: number;
  max: number;
  disabled: boolean;
  at: (hour: number) => string;
  hourNear: (x: number) => number;
  move: (edge: 'start' | 'end', to: number) => void;
}

/** One end: dragged with a finger, or moved with the arrow keys. It is outside the range, so that one hour has room for both. */
function Handle({ edge, label, hour, date, min, max, disabled, at, hourNear, move }: HandleProps): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: hour - 1, ArrowDown: hour - 1, ArrowRight: hour + 1, ArrowUp: hour + 1, Home: min, End: max }[event.key];
    if (to === undefined || disabled) return;
    event.preventDefault();
    move(edge, to);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (disabled) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus({ preventScroll: true });
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const { currentTarget, pointerId, clientX } = event;
    if (disabled || !currentTarget.hasPointerCapture(pointerId)) return;
    // The finger is on the handle, which is beside its hour.
    const half = currentTarget.offsetWidth / 2;
    move(edge, hourNear(edge === 'start' ? clientX + half : clientX - half));
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={hour}
      aria-valuetext={`${t('time.hour', { hour })}, ${t('time.localTime', { time: localTime(date, hour) })}`}
      aria-disabled={disabled || undefined}
      data-edge={edge}
      className={styles.handle}
      style={{ left: at(hour) }}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
    />
  );
}
