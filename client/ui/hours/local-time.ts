import { createContext, useContext } from 'react';

/** The viewer's own wall-clock time at an SS hour of a date. The app fills it from the server-save clock. */
export type LocalTime = (date: string, hour: number) => string;

export const LocalTimeContext = createContext<LocalTime | null>(null);

export function useLocalTime(): LocalTime {
  const localTime = useContext(LocalTimeContext);
  if (!localTime) throw new Error('LocalTimeContext is missing around this component');
  return localTime;
}
