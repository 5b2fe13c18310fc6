import type { MachineClock } from '../../db/clock/server-clock.ts';

export interface TestMachine extends MachineClock {
  rightTime: () => number;
  /** Time goes by for every clock. */
  pass: (ms: number) => void;
  /** Sets the wall clock so far ahead of the right time. */
  setWall: (ahead_ms: number) => void;
  /** The monotonic clock stops meanwhile. */
  sleep: (ms: number) => void;
}

/** A machine whose time goes by as a test says. */
export function createMachine(begins: string, { wallAhead_ms = 0 } = {}): TestMachine {
  let time = Date.parse(begins);
  let monotonic = 1_000;
  let ahead = wallAhead_ms;
  return {
    wall: () => time + ahead,
    monotonic: () => monotonic,
    rightTime: () => time,
    pass: (ms) => {
      time += ms;
      monotonic += ms;
    },
    setWall: (ahead_ms) => {
      ahead = ahead_ms;
    },
    sleep: (ms) => {
      time += ms;
    },
  };
}

/** The real clocks of this machine, with a wall clock that is set wrong. */
export const machineAhead = (ahead_ms: number): MachineClock => ({
  wall: () => Date.now() + ahead_ms,
  monotonic: () => performance.now(),
});
