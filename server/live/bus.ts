import type { Logger } from 'pino';
import { CHANGE_SETS_KEPT, type StoredChangeSet } from '../db/change-set.ts';
import type { Db, Dialect } from '../db/open.ts';
import { changeSetsFrom, isSameSet } from './change-log.ts';
import { type FailureLog, liveFailure } from './contain.ts';
import { epochOf, newEpoch } from './epoch.ts';

export type Listener = (set: StoredChangeSet) => void;

/** Hands every committed change set, once and in the clock's order, to those who listen on this server. */
export interface ChangeBus {
  /** The clock of the last change set handed out. */
  clock: () => number;
  /** The history that the clock counts. Another one when the database has lost commits, or was put back. */
  readonly epoch: string;
  /** A set just committed here. Handed out at once when it is the next, else after those before it. */
  offer: (set: StoredChangeSet) => void;
  /** Something was committed elsewhere, up to `clock`. Unknown: pass nothing; then it is looked at whether the history is still the same, too. */
  wake: (clock?: number) => void;
  /** The database may have been replaced: not even the next set is handed out before that was looked at. */
  doubt: () => void;
  /** A listener that fails is logged, and keeps nothing from the others. */
  listen: (listener: Listener) => void;
  /** Calls back when the clock counts another history from now on, or goes on after sets that nobody can read any more. */
  onNewHistory: (listener: () => void) => void;
  /** Resolves when the change set of a clock was handed out, or nobody is catching up with it. */
  reached: (clock: number) => Promise<void>;
  /** Resolves when no catching up is under way. */
  idle: () => Promise<void>;
}

/** Starts at the clock the database has now. */
export async function createBus(db: Db, dialect: Dialect, to: FailureLog & { log: Pick<Logger, 'warn'> }): Promise<ChangeBus> {
  const listeners: Listener[] = [];
  const restarts: (() => void)[] = [];
  let epoch = await epochOf(db, dialect, null);
  let last = 0;
  /** The set of that clock; null where there is none. A clock that went back and rose again has another one. */
  let held: StoredChangeSet | null = null;
  let trusted = true;
  let catchingUp: Promise<void> | null = null;
  /** One look of those that catching up takes while others go on writing. */
  let round = Promise.resolve();
  let woken = false;
  let thorough = false;

  const begin = async (): Promise<void> => {
    const { value } = await db.selectFrom('clock').select('value').executeTakeFirstOrThrow();
    const [set = null] = await changeSetsFrom(db, value);
    last = set?.clock ?? value;
    held = set;
  };
  const tell = <T>(all: readonly ((what: T) => void)[], what: T): void => {
    for (const listener of all) {
      try {
        listener(what);
      } catch (error) {
        liveFailure(to, error, 'a change could not be told');
      }
    }
  };
  const handOut = (set: StoredChangeSet): void => {
    if (set.clock <= last) return;
    last = set.clock;
    held = set;
    tell(listeners, set);
  };

  const startOver = async (next: string): Promise<void> => {
    const why = next === epoch ? 'more was written than is kept while this server slept' : 'the database counts another history now';
    to.log.warn({ clock: last }, `${why}: every watcher starts over`);
    trusted = false;
    // Only then the epoch changes: whoever sees the new one sees its clock, too.
    await begin();
    epoch = next;
    trusted = true;
    tell(restarts, undefined);
  };

  /** @returns the epoch of another history; null while it is still the one that was handed out */
  const changedEpoch = async (): Promise<string | null> => {
    const stored = await epochOf(db, dialect, epoch);
    if (stored !== epoch) return stored;
    // What is offered while the clock is being read is newer than the answer.
    const told = last;
    const { value } = await db.selectFrom('clock').select('value').executeTakeFirstOrThrow();
    return value < told ? newEpoch(db, dialect, epoch) : null;
  };

  const catchUp = async (): Promise<void> => {
    if (thorough) {
      thorough = false;
      const changed = await changedEpoch().catch((error: unknown) => {
        thorough = true;
        throw error;
      });
      if (changed !== null) return startOver(changed);
    }
    const before = held;
    const sets = await changeSetsFrom(db, before?.clock ?? last + 1);
    if (before && !(sets[0] && isSameSet(before, sets[0]))) {
      const { value } = await db.selectFrom('clock').select('value').executeTakeFirstOrThrow();
      // Or this server slept for so long that its last one is no longer kept: nobody can say whose key was revoked meanwhile.
      const slept = value - before.clock >= CHANGE_SETS_KEPT;
      return startOver(slept ? epoch : await newEpoch(db, dialect, epoch));
    }
    trusted = true;
    for (const set of sets) if (set.clock > last) handOut(set);
  };

  const run = async (): Promise<void> => {
    try {
      // Nothing is awaited between the last look at `woken` and the end, or a wake in between would be lost.
      while (woken) {
        woken = false;
        round = catchUp();
        await round;
      }
    } catch (error) {
      liveFailure(to, error, 'change sets could not be read');
    } finally {
      catchingUp = null;
    }
  };
  const look = (): void => {
    woken = true;
    catchingUp ??= run();
  };

  await begin();
  return {
    clock: () => last,
    get epoch() {
      return epoch;
    },
    offer: (set) => {
      if (trusted && set.clock === last + 1) return handOut(set);
      // One that a catch-up was faster with.
      if (held && isSameSet(held, set)) return;
      // Likewise, and with later ones, too; or the clock has gone back, and then the next one is not the next of what was told.
      if (set.clock <= last) {
        thorough = true;
        trusted = false;
      }
      look();
    },
    wake: (clock) => {
      if (clock !== undefined && clock <= last) return;
      if (clock === undefined) thorough = true;
      look();
    },
    doubt: () => {
      trusted = false;
    },
    listen: (listener) => listeners.push(listener),
    onNewHistory: (listener) => restarts.push(listener),
    reached: async (clock) => {
      while (catchingUp && last < clock) await round.catch(() => {});
    },
    idle: async () => {
      while (catchingUp) await catchingUp;
    },
  };
}
