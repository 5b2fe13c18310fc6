import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import {
  lengthOf,
  longestAt,
  movedTo,
  type StretchLimits,
  withEnd,
  withStart,
} from '../../../shared/rules/stretch.ts';
import { useFollowPointer } from '../../lib/follow-pointer.ts';
import styles from './hour-range.module.css';
import { percentOfDay } from './hour-strip.tsx';
import { useLocalTime } from './hours-text.tsx';

interface HourRangeProps {
  date: string;
  hours: HourRange;
  limits: StretchLimits;
  taken: readonly HourRange[];
  disabled: boolean;
  onChange: (hours: HourRange) => void;
}

/** The distance from SS+0 to a point, in hours. */
function hoursTo(track: HTMLElement | null, x: number): number {
  const { left, width } = track?.getBoundingClientRect() ?? { left: 0, width: 0 };
  return width > 0 ? ((x - left) / width) * HOURS_IN_DAY : 0;
}

/** Calls back with hours that differ from the chosen ones. */
const changeOf =
  ({ hours, onChange }: Pick<HourRangeProps, 'hours' | 'onChange'>) =>
  (next: HourRange | null): void => {
    if (next && (next.hour_start !== hours.hour_start || next.hour_end !== hours.hour_end))
      onChange(next);
  };

/** The whole day, large enough for a thumb. A press or a drag on it moves the chosen hours; the grips below it move their ends. */
export function HourRangeInput(props: HourRangeProps): ReactNode {
  const { hours, limits, taken, disabled } = props;
  const { t } = useTranslation();
  const track = useRef<HTMLDivElement>(null);
  const take = changeOf(props);
  /** @param offset how many hours after the first one the pointer pressed */
  const follow = useFollowPointer<{ offset: number }>({
    onMove: ({ offset }, { clientX }) => {
      const at = Math.floor(hoursTo(track.current, clientX));
      if (!disabled) take(movedTo(hours, at - offset, limits));
    },
  });
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (disabled || event.button !== 0) return;
    const at = Math.floor(hoursTo(track.current, event.clientX));
    const isInside = hours.hour_start <= at && at < hours.hour_end;
    const next = isInside
      ? hours
      : (movedTo(hours, at, limits) ?? longestAt(at, { ...limits, voucher: lengthOf(hours) }));
    if (!next || !follow(event, { offset: at - next.hour_start })) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    take(next);
  };
  const over = Math.min(Math.max(limits.over, 0), HOURS_IN_DAY);
  return (
    <div className={styles.frame}>
      <div className={styles.scale} aria-hidden="true">
        {SCALE.filter((hour) => isFar(hour, hours)).map((hour) => (
          <span key={hour} style={{ left: percentOfDay(hour) }}>
            {hour}
          </span>
        ))}
        {EDGES.map((edge) => (
          <span key={edge} data-edge={edge} style={{ left: percentOfDay(hours[edge]) }}>
            {hours[edge]}
          </span>
        ))}
      </div>
      <div ref={track} data-track="" className={styles.track} onPointerDown={onPointerDown}>
        {over > 0 ? (
          <Hours className={styles.past} hours={{ hour_start: 0, hour_end: over }} />
        ) : null}
        {taken.map((one) => (
          <Hours key={one.hour_start} className={styles.taken} hours={one} />
        ))}
        <Hours className={styles.range} hours={hours} />
      </div>
      <HourEnds
        {...props}
        look="below"
        labels={{ hour_start: t('board.quickClaim.start'), hour_end: t('board.quickClaim.end') }}
      />
    </div>
  );
}

function Hours({
  className,
  hours,
}: {
  className: string | undefined;
  hours: HourRange;
}): ReactNode {
  const { hour_start } = hours;
  return (
    <div
      className={className}
      style={{ left: percentOfDay(hour_start), width: percentOfDay(lengthOf(hours)) }}
    />
  );
}

const EDGES = ['hour_start', 'hour_end'] as const;
const SCALE = [0, 6, 12, 18, HOURS_IN_DAY];

/** A number next to that of an end would overlap it. */
const isFar = (hour: number, { hour_start, hour_end }: HourRange): boolean =>
  hour < hour_start - 1 || hour > hour_end + 1;

interface HourEndsProps extends Omit<HourRangeProps, 'taken'> {
  labels: Record<keyof HourRange, string>;
  /** Grips below the hours, or bars across them. It is as wide as the day. */
  look: 'below' | 'across';
}

/** Both ends of hours: dragged, or moved with the arrow keys, within the limits. */
export function HourEnds(props: HourEndsProps): ReactNode {
  const { date, hours, limits, labels, look, disabled } = props;
  const { t } = useTranslation();
  const ends = useRef<HTMLDivElement>(null);
  const localTime = useLocalTime();
  const take = changeOf(props);
  const move = (edge: keyof HourRange, to: number): void => {
    const within = Math.min(Math.max(to, 0), HOURS_IN_DAY);
    if (!disabled) take((edge === 'hour_start' ? withStart : withEnd)(hours, within, limits));
  };
  /** @param offset from the end to the pointer, in hours */
  const follow = useFollowPointer<{ edge: keyof HourRange; offset: number }>({
    onMove: ({ edge, offset }, { clientX }) =>
      move(edge, Math.round(hoursTo(ends.current, clientX) - offset)),
  });
  const onKeyDown = (edge: keyof HourRange, event: KeyboardEvent): void => {
    const hour = hours[edge];
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
  const onPointerDown = (edge: keyof HourRange, event: PointerEvent<HTMLDivElement>): void => {
    if (disabled || event.button !== 0) return;
    const offset = hoursTo(ends.current, event.clientX) - hours[edge];
    if (!follow(event, { edge, offset })) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    event.currentTarget.focus({ preventScroll: true });
  };
  return (
    <div ref={ends} className={styles[look]}>
      {EDGES.map((edge) => (
        <div
          key={edge}
          role="slider"
          tabIndex={0}
          aria-label={labels[edge]}
          aria-valuemin={edge === 'hour_start' ? 0 : hours.hour_start + 1}
          aria-valuemax={edge === 'hour_start' ? hours.hour_end - 1 : HOURS_IN_DAY}
          aria-valuenow={hours[edge]}
          aria-valuetext={`${t('time.hour', { hour: hours[edge] })}, ${t('time.localTime', { time: localTime(date, hours[edge]) })}`}
          aria-disabled={disabled || undefined}
          data-edge={edge}
          className={styles.end}
          style={{ left: percentOfDay(hours[edge]) }}
          onKeyDown={(event) => onKeyDown(edge, event)}
          onPointerDown={(event) => onPointerDown(edge, event)}
        />
      ))}
    </div>
  );
}
