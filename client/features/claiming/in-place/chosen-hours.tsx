import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
} from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import {
  lengthOf,
  longestAt,
  movedTo,
  type StretchLimits,
  withEnd,
  withStart,
} from '../../../../shared/rules/stretch.ts';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { classes } from '../../../ui/classes.ts';
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

const percent = (hours: number): string => `${((hours / HOURS_IN_DAY) * 100).toFixed(3)}%`;

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
    : { left: percent(hour_start), width: percent(hour_end - hour_start) };
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

/** The label of hours while they are drawn. */
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

interface HoursHandlesProps {
  date: string;
  hours: HourRange;
  limits: StretchLimits;
  taken: readonly HourRange[];
  disabled: boolean;
  onChange: (hours: HourRange) => void;
}

const isSame = (a: HourRange, b: HourRange): boolean =>
  a.hour_start === b.hour_start && a.hour_end === b.hour_end;

/** The pointer of a drag, and its distance from the dragged edge, in hours. A second finger is ignored. */
interface Drag {
  pointerId: number;
  offset: number;
}

/** The whole day, large enough for a thumb. A press or a drag on it moves the chosen hours; the handles below it move their ends. */
export function HoursHandles({
  date,
  hours,
  limits,
  taken,
  disabled,
  onChange,
}: HoursHandlesProps): ReactNode {
  const { t } = useTranslation();
  const track = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
  const over = Math.min(Math.max(limits.over, 0), HOURS_IN_DAY);
  /** The distance from SS+0 to a point, in hours. */
  const hoursTo = (x: number): number => {
    const { left, width } = track.current?.getBoundingClientRect() ?? { left: 0, width: 0 };
    return width > 0 ? ((x - left) / width) * HOURS_IN_DAY : 0;
  };
  const take = (next: HourRange | null): void => {
    if (next && !isSame(next, hours)) onChange(next);
  };
  const onPointerDown = ({
    currentTarget,
    pointerId,
    clientX,
    button,
  }: PointerEvent<HTMLDivElement>): void => {
    if (disabled || button !== 0 || drag.current) return;
    const at = Math.floor(hoursTo(clientX));
    const isInside = hours.hour_start <= at && at < hours.hour_end;
    const next = isInside
      ? hours
      : (movedTo(hours, at, limits) ?? longestAt(at, { ...limits, voucher: lengthOf(hours) }));
    if (!next) return;
    currentTarget.setPointerCapture?.(pointerId);
    drag.current = { pointerId, offset: at - next.hour_start };
    take(next);
  };
  const onPointerMove = ({ pointerId, clientX }: PointerEvent<HTMLDivElement>): void => {
    const { current } = drag;
    if (current?.pointerId !== pointerId || disabled) return;
    take(movedTo(hours, Math.floor(hoursTo(clientX)) - current.offset, limits));
  };
  const endDrag = ({ pointerId }: PointerEvent<HTMLDivElement>): void => {
    if (drag.current?.pointerId === pointerId) drag.current = null;
  };
  const move = (edge: Edge, to: number): void => {
    const within = Math.min(Math.max(to, 0), HOURS_IN_DAY);
    take(edge === 'start' ? withStart(hours, within, limits) : withEnd(hours, within, limits));
  };
  const handle = { date, hoursTo, move, disabled };
  return (
    <div className={styles.handles}>
      <div className={styles.scale} aria-hidden="true">
        {SCALE.filter((hour) => isFar(hour, hours)).map((hour) => (
          <span key={hour} style={{ left: percent(hour) }}>
            {hour}
          </span>
        ))}
        <span data-edge="start" style={{ left: percent(hours.hour_start) }}>
          {hours.hour_start}
        </span>
        <span data-edge="end" style={{ left: percent(hours.hour_end) }}>
          {hours.hour_end}
        </span>
      </div>
      <div
        ref={track}
        data-track=""
        className={styles.track}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        // Also after its release and a cancellation.
        onLostPointerCapture={endDrag}
      >
        {over > 0 ? (
          <div className={styles.past} style={{ left: 0, width: percent(over) }} />
        ) : null}
        {taken.map(({ hour_start, hour_end }) => (
          <div
            key={hour_start}
            className={styles.taken}
            style={{ left: percent(hour_start), width: percent(hour_end - hour_start) }}
          />
        ))}
        <div
          className={styles.range}
          style={{ left: percent(hours.hour_start), width: percent(lengthOf(hours)) }}
        />
      </div>
      <div className={styles.grips}>
        <Handle
          edge="start"
          label={t('board.quickClaim.start')}
          hour={hours.hour_start}
          {...handle}
        />
        <Handle edge="end" label={t('board.quickClaim.end')} hour={hours.hour_end} {...handle} />
      </div>
    </div>
  );
}

const SCALE = [0, 6, 12, 18, HOURS_IN_DAY];

/** A number next to that of an end would overlap it. */
const isFar = (hour: number, { hour_start, hour_end }: HourRange): boolean =>
  hour < hour_start - 1 || hour > hour_end + 1;

type Edge = 'start' | 'end';

interface HandleProps {
  edge: Edge;
  label: string;
  hour: number;
  date: string;
  disabled: boolean;
  hoursTo: (x: number) => number;
  move: (edge: Edge, to: number) => void;
}

/** One end: dragged, or moved with the arrow keys. It hangs outside the range, so that one hour has room for both. */
function Handle({ edge, label, hour, date, disabled, hoursTo, move }: HandleProps): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const drag = useRef<Drag | null>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = {
      ArrowLeft: hour - 1,
      ArrowDown: hour - 1,
      ArrowRight: hour + 1,
      ArrowUp: hour + 1,
      Home: 0,
      End: HOURS_IN_DAY,
    }[event.key];
    if (to === undefined || disabled) return;
    event.preventDefault();
    move(edge, to);
  };
  const onPointerDown = ({
    currentTarget,
    pointerId,
    clientX,
  }: PointerEvent<HTMLDivElement>): void => {
    if (disabled || drag.current) return;
    drag.current = { pointerId, offset: hoursTo(clientX) - hour };
    currentTarget.setPointerCapture(pointerId);
    currentTarget.focus({ preventScroll: true });
  };
  const onPointerMove = ({ pointerId, clientX }: PointerEvent<HTMLDivElement>): void => {
    const { current } = drag;
    if (current?.pointerId === pointerId && !disabled)
      move(edge, Math.round(hoursTo(clientX) - current.offset));
  };
  const endDrag = ({ pointerId }: PointerEvent<HTMLDivElement>): void => {
    if (drag.current?.pointerId === pointerId) drag.current = null;
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={HOURS_IN_DAY}
      aria-valuenow={hour}
      aria-valuetext={`${t('time.hour', { hour })}, ${t('time.localTime', { time: localTime(date, hour) })}`}
      aria-disabled={disabled || undefined}
      data-edge={edge}
      className={styles.handle}
      style={{ left: percent(hour) }}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onLostPointerCapture={endDrag}
    />
  );
}
