import { createContext, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { classes } from '../classes.ts';
import { useTip } from '../tooltip.tsx';
import styles from './hours-text.module.css';

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
  // Asked for only when somebody looks: a board has a thousand of these.
  const tip = useTip(() =>
    end === undefined
      ? t('time.yours', { time: localTime(date, start) })
      : t('time.yoursRange', { start: localTime(date, start), end: localTime(date, end) }),
  );
  return (
    <button {...tip} type="button" className={classes(styles.hours, className)}>
      {end === undefined ? t('time.hour', { hour: start }) : t('time.range', { start, end })}
    </button>
  );
}

/** The viewer's own wall-clock time at an SS hour of a date. The app fills it from the server-save clock. */
type LocalTime = (date: string, hour: number) => string;

export const LocalTimeContext = createContext<LocalTime | null>(null);

export function useLocalTime(): LocalTime {
  const localTime = useContext(LocalTimeContext);
  if (!localTime) throw new Error('LocalTimeContext is missing around this component');
  return localTime;
}
