import { useEffect, useReducer, useState } from 'react';
import { create } from 'zustand';
import {
  type ServerSaveClock,
  type ServerSaveTime,
  serverSaveTime,
} from '../../shared/rules/server-save.ts';

interface ClockState extends ServerSaveClock {
  /** The server's clock minus this computer's, in milliseconds. */
  ahead_ms: number;
}

export const useServerSaveClock = create<ClockState>(() => ({
  ss_time_zone: 'America/Los_Angeles',
  ss_hour: 1,
  ahead_ms: 0,
}));

const JITTER_MS = 2_000;

export function setServerSaveClock({
  ss_time_zone,
  ss_hour,
  server_time,
}: ServerSaveClock & { server_time: string }): void {
  const known = useServerSaveClock.getState();
  const ahead_ms = Date.parse(server_time) - Date.now();
  // Ignore network jitter: every hour on the board would render for it.
  const hasChanged =
    ss_time_zone !== known.ss_time_zone ||
    ss_hour !== known.ss_hour ||
    Math.abs(ahead_ms - known.ahead_ms) > JITTER_MS;
  if (hasChanged) useServerSaveClock.setState({ ss_time_zone, ss_hour, ahead_ms });
}

/** The server's time: a wrong clock on this computer must not shift the SS hour. */
export function serverNow(): Date {
  return new Date(Date.now() + useServerSaveClock.getState().ahead_ms);
}

const MINUTE_MS = 60_000;

/** The server's time, in milliseconds; re-renders at each minute. */
export function useNow(): number {
  const ahead_ms = useServerSaveClock((clock) => clock.ahead_ms);
  const [localTime, setLocalTime] = useState(Date.now);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = (): void => {
      const local = Date.now();
      setLocalTime(local);
      timer = setTimeout(tick, MINUTE_MS - ((local + ahead_ms) % MINUTE_MS));
    };
    tick();
    return () => clearTimeout(timer);
  }, [ahead_ms]);
  return localTime + ahead_ms;
}

/** The SS date and hour now; re-renders at each minute. */
export function useServerSaveTime(): ServerSaveTime {
  const clock = useServerSaveClock();
  return serverSaveTime(new Date(useNow()), clock);
}

interface ServerSaveQuarter {
  date: string;
  /** 0 to 23 */
  hour: number;
  /** The SS time in hours, in quarters: 13.25 */
  time: number;
}

/** The SS time in quarter hours, for components that should not render every minute. */
export function useServerSaveQuarter(): ServerSaveQuarter {
  const clock = useServerSaveClock();
  const { ahead_ms } = clock;
  const [quarter, setQuarter] = useState(() => quarterAt(Date.now() + ahead_ms, clock));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = (): void => {
      const now = Date.now() + ahead_ms;
      setQuarter((before) => {
        const next = quarterAt(now, clock);
        return next.date === before.date && next.time === before.time ? before : next;
      });
      timer = setTimeout(tick, MINUTE_MS - (now % MINUTE_MS));
    };
    tick();
    return () => clearTimeout(timer);
  }, [ahead_ms, clock]);
  return quarter;
}

function quarterAt(now: number, clock: ServerSaveClock): ServerSaveQuarter {
  const { date, hour, elapsed } = serverSaveTime(new Date(now), clock);
  return { date, hour, time: hour + Math.floor(elapsed * 4) / 4 };
}

/**
 * Minutes until an instant of the server's clock, rounded up; 0 afterwards. Re-renders every minute, so use it in small
 * components.
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
