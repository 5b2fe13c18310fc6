import { useEffect, useState } from 'react';
import { useServerSaveClock } from './clock.ts';

const MINUTE_MS = 60_000;

/** Milliseconds until an instant (ISO 8601) on the server's clock; 0 after it. Updates every `every` milliseconds and at the instant. */
export function useTimeLeft(instant: string, every = MINUTE_MS): number {
  const ahead_ms = useServerSaveClock((clock) => clock.ahead_ms);
  const [localTime, setLocalTime] = useState(Date.now);
  // At 0 the timer stops, so by the next instant the kept time is old.
  const [last, setLast] = useState(instant);
  if (last !== instant) {
    setLast(instant);
    setLocalTime(Date.now());
  }
  const left = Math.max(0, Date.parse(instant) - (localTime + ahead_ms));
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLocalTime(Date.now()), Math.min(left, every));
    return () => clearTimeout(timer);
  }, [left, every]);
  return left;
}
