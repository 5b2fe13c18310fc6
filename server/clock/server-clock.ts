import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import type { ClockDoubt } from '../../shared/schemas/system.ts';
import { measureOffset, type Offset, type ReadDatabaseTime } from './database-time.ts';

/** This machine's two clocks, in milliseconds. Tests replace them. */
export interface MachineClock {
  /** Set by the operator and by the network: it may jump. */
  wall: () => number;
  /** Never jumps, but may stand still while the machine sleeps. */
  monotonic: () => number;
}

/** Why nothing is deleted by age at the moment. */
export interface DeletionPause {
  reason: ClockDoubt;
  /** How far the clock jumped, or how far the newest stored time is from now. */
  seconds: number;
  until: Date;
}

export interface ServerClock {
  /** The database's time with PostgreSQL, so that all servers agree; this machine's with SQLite. */
  now: () => Date;
  /**
   * Whatever deletes by age (archive, retention, rotation of backups) asks this first.
   * @returns null where it may delete
   */
  deletionPaused: () => DeletionPause | null;
  pauseDeletion: (reason: ClockDoubt, seconds: number, forMs?: number) => void;
  /** Pauses deletion where the newest stored time and now cannot both be right. */
  compareWith: (newestStored: Date | null) => void;
  /** Looks for a jump, and measures the database's clock again once a minute, or `anew` at once. Never fails. */
  check: (anew?: boolean) => Promise<void>;
  /** How far this machine's clock is ahead of the database's, in seconds; null with SQLite. */
  machineAheadSeconds: () => number | null;
  /** What is wrong with the measured offset, for probes; null: nothing. */
  problem: () => 'unmeasured' | 'beyondReason' | null;
}

/** A clock that steps by less than this, in milliseconds, was corrected rather than set. */
const JUMP_MS = 5 * 60_000;
export const PAUSE_MS = 3_600_000;
const WEEK_MS = 7 * 86_400_000;
const MEASURE_EVERY_MS = 60_000;
/** The monotonic clock stood still for so long, in milliseconds, or the wall clock was set: measure again at once. */
const DRIFT_MS = 1_000;
/** A measurement that is older than this, in milliseconds, is reported. */
const STALE_MS = 5 * 60_000;
/** Half a round trip that took longer than this, in milliseconds, says too little. */
const UNCERTAIN_MS = 5_000;
/** Certificates, file times and logs are wrong on a machine whose clock is further off than this, in milliseconds. */
const REASONABLE_MS = 3_600_000;

const MACHINE: MachineClock = { wall: () => Date.now(), monotonic: () => performance.now() };

interface ClockOptions {
  log: Pick<Logger, 'warn' | 'info'>;
  /** null: the machine's wall clock is the server's time. */
  readDatabaseTime: ReadDatabaseTime | null;
  machine?: MachineClock;
}

/** @throws whatever the database throws while its clock is measured for the first time */
export async function createServerClock({ log, readDatabaseTime, machine = MACHINE }: ClockOptions): Promise<ServerClock> {
  const { wall, monotonic } = machine;
  const machineOffset = (): number => wall() - monotonic();
  let pause: { reason: ClockDoubt; seconds: number; until_ms: number } | null = null;
  /** Time minus monotonic time. */
  let offset = machineOffset();
  /** The machine's own at the last measurement. */
  let machineThen = offset;
  let last: (Offset & { at_ms: number }) | null = null;
  let measuring: Promise<void> | null = null;

  const pauseDeletion = (reason: ClockDoubt, seconds: number, forMs = PAUSE_MS): void => {
    pause = { reason, seconds, until_ms: monotonic() + forMs };
    log.warn({ reason, seconds, minutes: Math.round(forMs / 60_000) }, 'deletion by age is paused: the clock may be wrong');
  };
  const follow = (next: number): void => {
    const step = next - offset;
    offset = next;
    if (Math.abs(step) > JUMP_MS) pauseDeletion('jumped', Math.round(step / 1_000));
  };

  const measure = async (read: ReadDatabaseTime): Promise<void> => {
    const next = await measureOffset(read, monotonic);
    const isFirst = last === null;
    last = { ...next, at_ms: monotonic() };
    machineThen = machineOffset();
    if (isFirst) offset = next.offset_ms;
    // Within the error of the new measurement the old one is as good, and time does not step.
    else if (next.error_ms <= UNCERTAIN_MS && Math.abs(next.offset_ms - offset) > next.error_ms) follow(next.offset_ms);
  };
  const isMeasuringDue = (): boolean =>
    last === null || monotonic() - last.at_ms >= MEASURE_EVERY_MS || Math.abs(machineOffset() - machineThen) > DRIFT_MS;
  if (readDatabaseTime) await measure(readDatabaseTime);

  const now = (): Date => {
    if (readDatabaseTime) return new Date(monotonic() + offset);
    const at = wall();
    follow(at - monotonic());
    return new Date(at);
  };
  return {
    now,
    deletionPaused: () => {
      const time = now();
      if (pause && pause.until_ms <= monotonic()) pause = null;
      return pause && { reason: pause.reason, seconds: pause.seconds, until: new Date(time.getTime() + pause.until_ms - monotonic()) };
    },
    pauseDeletion,
    compareWith: (newestStored) => {
      if (newestStored === null) return;
      const ago_ms = now().getTime() - newestStored.getTime();
      if (ago_ms < -JUMP_MS) pauseDeletion('future', Math.round(-ago_ms / 1_000));
      if (ago_ms > WEEK_MS) pauseDeletion('longAgo', Math.round(ago_ms / 1_000));
    },
    check: async (anew = false) => {
      now();
      if (!readDatabaseTime || (!anew && !isMeasuringDue())) return;
      measuring ??= measure(readDatabaseTime)
        // That the database is away is logged where it is noticed; the last offset goes on meanwhile.
        .catch(() => {})
        .finally(() => {
          measuring = null;
        });
      await measuring;
    },
    machineAheadSeconds: () => (readDatabaseTime ? Math.round((machineOffset() - offset) / 1_000) : null),
    problem: () => {
      if (!readDatabaseTime || last === null) return null;
      if (monotonic() - last.at_ms > STALE_MS || last.error_ms > UNCERTAIN_MS) return 'unmeasured';
      return Math.abs(machineOffset() - offset) > REASONABLE_MS ? 'beyondReason' : null;
    },
  };
}

/** A clock that tests set: it is right whatever it shows. */
export const givenClock = (now: () => Date): ServerClock => ({
  now,
  deletionPaused: () => null,
  pauseDeletion: () => {},
  compareWith: () => {},
  check: async () => {},
  machineAheadSeconds: () => null,
  problem: () => null,
});
