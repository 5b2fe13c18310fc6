import { createContext, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { classes } from '../classes.ts';
import { useTip } from '../tooltip.tsx';
import styles from './hour-strip.module.css';

export interface HoursTextProps {
  /** The server-save date the hours belong to: local time differs with daylight saving. */
  date: string;
  start: number;
  /** Without it a single hour: "SS+13". */
  end?: number | undefined;
  className?: string | undefined;
}

/** "SS+10 to SS+14", and the viewer's own time on hover, focus or tap. Not for use inside another control. */
export function HoursText({ date, start, end, className }: HoursTextProps): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const localHours = useLocalHours();
  // Computed on demand: a board has a thousand of these.
  const tip = useTip(() =>
    end === undefined
      ? t('time.localTime', { time: localTime(date, start) })
      : localHours(date, start, end),
  );
  return (
    <button {...tip} type="button" className={classes(styles.hoursTextHours, className)}>
      {end === undefined ? t('time.hour', { hour: start }) : t('time.range', { start, end })}
    </button>
  );
}

/**
 * The viewer's own wall-clock time at an SS hour of a date, as `localTimeAt` has it: after the name of the viewer's day where that
 * is another than the date's, or than the one at the hour `since`. The app fills it from the server-save clock.
 */
type LocalTime = (date: string, hour: number, since?: number) => string;

export const LocalTimeContext = createContext<LocalTime | null>(null);

export function useLocalTime(): LocalTime {
  const localTime = useContext(LocalTimeContext);
  if (!localTime) throw new Error('LocalTimeContext is missing around this component');
  return localTime;
}

/** "Sun 02:00 to 05:00 your time": when some SS hours of a date are for the viewer. */
export function useLocalHours(): (date: string, start: number, end: number) => string {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  return (date, start, end) =>
    t('time.localRange', { start: localTime(date, start), end: localTime(date, end, start) });
}
