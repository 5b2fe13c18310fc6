import { useEffect, useReducer } from 'react';
import { useServerSaveClock } from './clock.ts';

const MINUTE_MS = 60_000;

/**
 * How many minutes are left until an instant of the server's clock, begun ones counted, 0 when it has come. Whoever asks renders
 * once a minute, as it turns for this instant: so only what shows the minutes is to ask.
 * @param until ISO 8601; null: nothing runs, and 0 are left
 */
export function useMinutesLeft(until: string | null): number {
  const ahead_ms = useServerSaveClock((clock) => clock.ahead_ms);
  const end = until === null ? null : Date.parse(until) - ahead_ms;
  const [, turn] = useReducer((turns: number) => turns + 1, 0);
  useEffect(() => {
    if (end === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const next = (): void => {
      const left = end - Date.now();
      if (left > 0) timer = setTimeout(tick, left % MINUTE_MS || MINUTE_MS);
    };
    const tick = (): void => {
      turn();
      next();
    };
    next();
    return () => clearTimeout(timer);
  }, [end]);
  return end === null ? 0 : Math.max(0, Math.ceil((end - Date.now()) / MINUTE_MS));
}
