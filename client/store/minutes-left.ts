import { useEffect, useState } from 'react';
import { useServerSaveClock } from './clock.ts';

const MINUTE_MS = 60_000;

const minutesUntil = (end: number): number => Math.max(0, Math.ceil((end - Date.now()) / MINUTE_MS));

/**
 * How many minutes are left until an instant of the server's clock, begun ones counted, 0 when it has come. Whoever asks renders
 * once a minute, as it turns for this instant: so only what shows the minutes is to ask.
 * @param until ISO 8601
 */
export function useMinutesLeft(until: string): number {
  const ahead_ms = useServerSaveClock((clock) => clock.ahead_ms);
  const end = Date.parse(until) - ahead_ms;
  const [minutes, setMinutes] = useState(() => minutesUntil(end));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = (): void => {
      setMinutes(minutesUntil(end));
      const left = end - Date.now();
      if (left > 0) timer = setTimeout(tick, left % MINUTE_MS || MINUTE_MS);
    };
    tick();
    return () => clearTimeout(timer);
  }, [end]);
  return minutes;
}
