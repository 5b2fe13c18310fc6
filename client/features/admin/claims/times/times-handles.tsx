import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../../shared/rules/hours.ts';
import { HOURS_IN_DAY } from '../../../../../shared/rules/server-save.ts';
import { useLocalTime } from '../../../../ui/hours/hours-text.tsx';
import styles from '../claims.module.css';

interface TimesHandlesProps {
  /** Of the claim, for local times. */
  date: string;
  times: HourRange;
  onChange: (field: keyof HourRange, hour: number) => void;
}

/** The ends of the hours that are being chosen, over the strip of their day: to be dragged, or moved with the arrow keys. */
export function TimesHandles({ date, times, onChange }: TimesHandlesProps): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const track = useRef<HTMLDivElement>(null);
  const bounds = {
    hour_start: { min: 0, max: times.hour_end - 1 },
    hour_end: { min: times.hour_start + 1, max: HOURS_IN_DAY },
  };
  const move = (field: keyof HourRange, to: number): void => {
    const { min, max } = bounds[field];
    const hour = Math.min(Math.max(to, min), max);
    if (hour !== times[field]) onChange(field, hour);
  };
  const onKeyDown = (field: keyof HourRange, event: KeyboardEvent): void => {
    const hour = times[field];
    const { min, max } = bounds[field];
    const to = { ArrowLeft: hour - 1, ArrowDown: hour - 1, ArrowRight: hour + 1, ArrowUp: hour + 1, Home: min, End: max }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(field, to);
  };
  const onPointerDown = ({ currentTarget, pointerId }: PointerEvent<HTMLDivElement>): void => {
    currentTarget.setPointerCapture(pointerId);
    currentTarget.focus({ preventScroll: true });
  };
  const onPointerMove = (field: keyof HourRange, { currentTarget, pointerId, clientX }: PointerEvent<HTMLDivElement>): void => {
    const { left, width } = track.current?.getBoundingClientRect() ?? { left: 0, width: 0 };
    if (width > 0 && currentTarget.hasPointerCapture(pointerId)) move(field, Math.round(((clientX - left) / width) * HOURS_IN_DAY));
  };
  return (
    <div ref={track} className={styles.track}>
      {(['hour_start', 'hour_end'] as const).map((field) => (
        <div
          key={field}
          role="slider"
          tabIndex={0}
          aria-label={t(`admin.claims.form.drag.${field}`)}
          aria-valuemin={bounds[field].min}
          aria-valuemax={bounds[field].max}
          aria-valuenow={times[field]}
          aria-valuetext={`${t('time.hour', { hour: times[field] })}, ${t('time.yours', { time: localTime(date, times[field]) })}`}
          className={styles.handle}
          style={{ left: `${((times[field] / HOURS_IN_DAY) * 100).toFixed(3)}%` }}
          onKeyDown={(event) => onKeyDown(field, event)}
          onPointerDown={onPointerDown}
          onPointerMove={(event) => onPointerMove(field, event)}
        />
      ))}
    </div>
  );
}
