import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { DeletionPauseReason } from '../../../shared/schemas/system.ts';
import type { Db, Dialect, Tx } from '../database.ts';

/** This machine's two clocks, in milliseconds. Tests replace them. */
export interface MachineClock {
  /** Set by the operator and by the network: it may jump. */
  wall: () => number;
  /** Never jumps, but may stop while the machine sleeps. */
  monotonic: () => number;
}

/** Why deletion by age is paused. */
interface DeletionPause {
  reason: DeletionPauseReason;
  /** How far the clock jumped, or how far the newest stored time is from now. */
  seconds: number;
  until: Date;
}

export interface ServerClock {
  /** The database's time with PostgreSQL, so that all servers agree; this machine's with SQLite. */
  now: () => Date;
  /** Check before any deletion by age (archive, retention, rotation of backups). Null: not paused. */
  deletionPaused: () => DeletionPause | null;
  pauseDeletion: (reason: DeletionPauseReason, seconds: number, forMs?: number) => void;
  /** Pauses deletion by age if the newest stored time is in the future or more than a week ago. */
  compareWith: (newestStored: Date | null) => void;
  /** Checks for a jump, and measures the database's clock again once a minute, or now if `force` is set. Never throws. */
  check: (force?: boolean) => Promise<void>;
  /** How far this machine's clock is ahead of the database's, in seconds; null with SQLite. */
  machineAheadSeconds: () => number | null;
  /** Why the measured offset can't be used, for probes; null: it can. */
  problem: () => 'unmeasured' | 'beyondReason' | null;
}

/** A step up to this long is a correction, not a jump, in ms. */
const JUMP_MS = 5 * 60_000;
export const PAUSE_MS = 3_600_000;
const WEEK_MS = 7 * 86_400_000;
const MEASURE_EVERY_MS = 60_000;
/** Measure again at once if the two clocks of the machine diverge by more than this, in ms: it slept, or its clock was set. */
const DRIFT_MS = 1_000;
/** Report a measurement older than this, in ms. */
const STALE_MS = 5 * 60_000;
/** Ignore a measurement with a larger error than this, in ms. */
const UNCERTAIN_MS = 5_000;
/** Report a machine whose clock is further off than this, in ms: its certificates, file times and logs are wrong. */
const REASONABLE_MS = 3_600_000;

const MACHINE: MachineClock = { wall: () => Date.now(), monotonic: () => performance.now() };

interface ClockOptions {
  log: Pick<Logger, 'warn' | 'info'>;
  /** null: the machine's wall clock is the server's time. */
  readDatabaseTime: ReadDatabaseTime | null;
  machine?: MachineClock;
}

/** @throws errors of the database during the first measurement */
export async function createServerClock({
  log,
  readDatabaseTime,
  machine = MACHINE,
}: ClockOptions): Promise<ServerClock> {
  const { wall, monotonic } = machine;
  const machineOffset = (): number => wall() - monotonic();
  let pause: { reason: DeletionPauseReason; seconds: number; until_ms: number } | null = null;
  /** Time minus monotonic time. */
  let offset = machineOffset();
  let machineOffsetAtMeasurement = offset;
  let last: (Offset & { at_ms: number }) | null = null;
  let measuring: Promise<void> | null = null;

  const pauseDeletion = (reason: DeletionPauseReason, seconds: number, forMs = PAUSE_MS): void => {
    pause = { reason, seconds, until_ms: monotonic() + forMs };
    log.warn(
      { reason, seconds, minutes: Math.round(forMs / 60_000) },
      'deletion by age is paused: the clock may be wrong',
    );
  };
  const setOffset = (next: number): void => {
    const step = next - offset;
    offset = next;
    if (Math.abs(step) > JUMP_MS) pauseDeletion('jumped', Math.round(step / 1_000));
  };

  const measure = async (read: ReadDatabaseTime): Promise<void> => {
    const next = await measureOffset(read, monotonic);
    const isFirst = last === null;
    last = { ...next, at_ms: monotonic() };
    machineOffsetAtMeasurement = machineOffset();
    if (isFirst) offset = next.offset_ms;
    // If the new offset differs by less than its error, keep the old one, so that time does not step.
    else if (next.error_ms <= UNCERTAIN_MS && Math.abs(next.offset_ms - offset) > next.error_ms)
      setOffset(next.offset_ms);
  };
  const isMeasuringDue = (): boolean =>
    last === null ||
    monotonic() - last.at_ms >= MEASURE_EVERY_MS ||
    Math.abs(machineOffset() - machineOffsetAtMeasurement) > DRIFT_MS;
  if (readDatabaseTime) await measure(readDatabaseTime);

  const now = (): Date => {
    if (readDatabaseTime) return new Date(monotonic() + offset);
    const at = wall();
    setOffset(at - monotonic());
    return new Date(at);
  };
  return {
    now,
    deletionPaused: () => {
      const time = now();
      if (pause && pause.until_ms <= monotonic()) pause = null;
      return (
        pause && {
          reason: pause.reason,
          seconds: pause.seconds,
          until: new Date(time.getTime() + pause.until_ms - monotonic()),
        }
      );
    },
    pauseDeletion,
    compareWith: (newestStored) => {
      if (newestStored === null) return;
      const ago_ms = now().getTime() - newestStored.getTime();
      if (ago_ms < -JUMP_MS) pauseDeletion('future', Math.round(-ago_ms / 1_000));
      if (ago_ms > WEEK_MS) pauseDeletion('longAgo', Math.round(ago_ms / 1_000));
    },
    check: async (force = false) => {
      now();
      if (!readDatabaseTime || (!force && !isMeasuringDue())) return;
      measuring ??= measure(readDatabaseTime)
        // An unreachable database is logged elsewhere; keep the last offset meanwhile.
        .catch(() => {})
        .finally(() => {
          measuring = null;
        });
      await measuring;
    },
    machineAheadSeconds: () =>
      readDatabaseTime ? Math.round((machineOffset() - offset) / 1_000) : null,
    problem: () => {
      if (!readDatabaseTime || last === null) return null;
      if (monotonic() - last.at_ms > STALE_MS || last.error_ms > UNCERTAIN_MS) return 'unmeasured';
      return Math.abs(machineOffset() - offset) > REASONABLE_MS ? 'beyondReason' : null;
    },
  };
}

/** A clock that tests set. It never jumps. */
export const givenClock = (now: () => Date): ServerClock => ({
  now,
  deletionPaused: () => null,
  pauseDeletion: () => {},
  compareWith: () => {},
  check: async () => {},
  machineAheadSeconds: () => null,
  problem: () => null,
});

/** Asks the database for its time, in milliseconds since 1970. */
export type ReadDatabaseTime = () => Promise<number>;

/** Database time minus monotonic time, and the largest error of that, both in ms. */
interface Offset {
  offset_ms: number;
  error_ms: number;
}

/** Measure up to this many times: one answer may be slow, for example from a busy pool. */
const TRIES = 3;
/** A round trip up to this long is precise enough, in ms. */
const GOOD_MS = 5;

/** null with SQLite, which has no clock of its own. */
export const databaseTimeOf = (db: Db | Tx, dialect: Dialect): ReadDatabaseTime | null =>
  dialect === 'sqlite'
    ? null
    : async () => {
        const { rows } = await sql<{
          ms: number;
        }>`select extract(epoch from clock_timestamp())::double precision * 1000 as ms`.execute(db);
        const ms = rows[0]?.ms;
        if (ms === undefined) throw new Error('the database returned no time');
        return ms;
      };

/** Assumes that the database read its clock in the middle of the shortest round trip. */
async function measureOffset(read: ReadDatabaseTime, monotonic: () => number): Promise<Offset> {
  let best: Offset | null = null;
  for (let tries = 0; tries < TRIES && (best === null || best.error_ms * 2 > GOOD_MS); tries += 1) {
    const before = monotonic();
    const ms = await read();
    const after = monotonic();
    const error_ms = (after - before) / 2;
    if (best === null || error_ms < best.error_ms)
      best = { offset_ms: ms - (before + after) / 2, error_ms };
  }
  if (best === null) throw new Error('the clock of the database was not measured');
  return best;
}

/** The time for a tool beside a server: the database's with PostgreSQL, the machine's with SQLite. */
export async function timeOf(
  { db, dialect }: { db: Db; dialect: Dialect },
  log: Pick<Logger, 'error' | 'warn' | 'info'>,
): Promise<() => Date> {
  return (await createServerClock({ log, readDatabaseTime: databaseTimeOf(db, dialect) })).now;
}
