import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Room } from '../../shared/kinds.ts';
import type { Change, ChangeSet } from '../../shared/live.ts';
import type { Db, Dialect } from '../db/database.ts';
import {
  type Audience,
  CHANGE_SETS_KEPT,
  NOTIFY_CHANNEL,
  type Publish,
  type StoredChange,
  type StoredChangeSet,
} from '../db/unit-of-work.ts';
import { type FailureLog, logFailure } from './live-server.ts';

export type Listener = (set: StoredChangeSet) => void;

/** Hands every committed change set, once and in the clock's order, to the listeners of this process. */
export interface ChangeBus {
  /** The clock of the last change set handed out. */
  clock: () => number;
  /** Names the history that the clock counts. It changes when the database lost commits or was restored. */
  readonly epoch: string;
  /** Takes a set that this process has just committed. It is handed out at once if it is the next one, else after those before it. */
  offer: (set: StoredChangeSet) => void;
  /** Something was committed elsewhere, up to `clock`. Without a clock, the history is checked too. */
  wake: (clock?: number) => void;
  /** The database may have been replaced: hands out nothing before that was checked. */
  distrust: () => void;
  /** A listener that throws is logged and keeps nothing from the others. */
  listen: (listener: Listener) => void;
  /** Calls back when the clock counts another history, or when sets were skipped that are no longer stored. */
  onNewHistory: (listener: () => void) => void;
  /** Resolves when the change set of a clock was handed out, or when no catching up is under way. */
  reached: (clock: number) => Promise<void>;
  /** Resolves when no catching up is under way. */
  idle: () => Promise<void>;
}

/** Starts at the clock that the database has now. */
export async function createBus(
  db: Db,
  dialect: Dialect,
  ctx: FailureLog & { log: Pick<Logger, 'warn'> },
): Promise<ChangeBus> {
  const listeners: Listener[] = [];
  const historyListeners: (() => void)[] = [];
  let epoch = await readEpoch(db, dialect, null);
  let last = 0;
  /** The set of the last clock, if it is stored: a clock that went back and rose again has another one. */
  let lastSet: StoredChangeSet | null = null;
  let isTrusted = true;
  let catchingUp: Promise<void> | null = null;
  /** One pass of the loop below, which may go on for as long as others write. */
  let pass = Promise.resolve();
  let isAwake = false;
  let mustCheckHistory = false;

  const start = async (): Promise<void> => {
    const { value } = await db.selectFrom('clock').select('value').executeTakeFirstOrThrow();
    const [set = null] = await changeSetsFrom(db, value);
    last = set?.clock ?? value;
    lastSet = set;
  };
  const notify = <T>(all: readonly ((value: T) => void)[], value: T): void => {
    for (const listener of all) {
      try {
        listener(value);
      } catch (error) {
        logFailure(ctx, error, 'a change could not be told');
      }
    }
  };
  const handOut = (set: StoredChangeSet): void => {
    if (set.clock <= last) return;
    last = set.clock;
    lastSet = set;
    notify(listeners, set);
  };

  const startOver = async (next: string): Promise<void> => {
    const why =
      next === epoch
        ? 'more was written than is kept while this server slept'
        : 'the database counts another history now';
    ctx.log.warn({ clock: last }, `${why}: every watcher starts over`);
    isTrusted = false;
    // The epoch changes after the clock: who sees the new epoch must see its clock.
    await start();
    epoch = next;
    isTrusted = true;
    notify(historyListeners, undefined);
  };

  /** @returns the epoch of another history; null if it is still the same */
  const findNewEpoch = async (): Promise<string | null> => {
    const stored = await readEpoch(db, dialect, epoch);
    if (stored !== epoch) return stored;
    // A set that is offered while the clock is being read is newer than the answer.
    const handedOut = last;
    const { value } = await db.selectFrom('clock').select('value').executeTakeFirstOrThrow();
    return value < handedOut ? renameEpoch(db, dialect, epoch) : null;
  };

  const catchUp = async (): Promise<void> => {
    if (mustCheckHistory) {
      mustCheckHistory = false;
      const changed = await findNewEpoch().catch((error: unknown) => {
        mustCheckHistory = true;
        throw error;
      });
      if (changed !== null) return startOver(changed);
    }
    const before = lastSet;
    const sets = await changeSetsFrom(db, before?.clock ?? last + 1);
    if (before && !(sets[0] && isSameSet(before, sets[0]))) {
      const { value } = await db.selectFrom('clock').select('value').executeTakeFirstOrThrow();
      // This server may have slept until its last set was pruned: then it can't know which keys were revoked meanwhile.
      const hasSlept = value - before.clock >= CHANGE_SETS_KEPT;
      return startOver(hasSlept ? epoch : await renameEpoch(db, dialect, epoch));
    }
    isTrusted = true;
    for (const set of sets) if (set.clock > last) handOut(set);
  };

  const run = async (): Promise<void> => {
    try {
      // No await between the last look at `isAwake` and the end, or a wake in between would be lost.
      while (isAwake) {
        isAwake = false;
        pass = catchUp();
        await pass;
      }
    } catch (error) {
      logFailure(ctx, error, 'change sets could not be read');
    } finally {
      catchingUp = null;
    }
  };
  const startCatchingUp = (): void => {
    isAwake = true;
    catchingUp ??= run();
  };

  await start();
  return {
    clock: () => last,
    get epoch() {
      return epoch;
    },
    offer: (set) => {
      if (isTrusted && set.clock === last + 1) return handOut(set);
      // A catch-up was faster.
      if (lastSet && isSameSet(lastSet, set)) return;
      // Either a catch-up was faster and went further, or the clock went back.
      if (set.clock <= last) {
        mustCheckHistory = true;
        isTrusted = false;
      }
      startCatchingUp();
    },
    wake: (clock) => {
      if (clock !== undefined && clock <= last) return;
      if (clock === undefined) mustCheckHistory = true;
      startCatchingUp();
    },
    distrust: () => {
      isTrusted = false;
    },
    listen: (listener) => listeners.push(listener),
    onNewHistory: (listener) => historyListeners.push(listener),
    reached: async (clock) => {
      while (catchingUp && last < clock) await pass.catch(() => {});
    },
    idle: async () => {
      while (catchingUp) await catchingUp;
    },
  };
}

/** Publishes what this process commits; a tool has no watchers and publishes nothing. */
export function publishTo(bus: Pick<ChangeBus, 'clock' | 'offer' | 'reached'>): Publish {
  return (set) => {
    bus.offer(set);
    // If another server wrote in between, wait for its change sets: the caller then reads its writes, and sees ended keys refused.
    return bus.clock() < set.clock ? bus.reached(set.clock) : null;
  };
}

/** Notified when the history has a new name, which the other servers then read. */
const NEW_EPOCH = 'epoch';

/** PostgreSQL's codes for a function that is missing, forbidden or unsupported: some hosts leave it out. */
const NO_TIMELINE: ReadonlySet<unknown> = new Set(['42883', '42501', '0A000']);

const randomEpoch = (): string => randomBytes(8).toString('hex');

/**
 * Names the history that the clock counts. An SQLite file has one server, which cannot know whether the file was restored while it was
 * stopped, so each start is a history of its own. Servers on one PostgreSQL database share a stored name. A copy or a restored dump has
 * other object ids, and a stand-by that took over, and may lack commits, has another timeline.
 * @param known the current name in this process
 */
async function readEpoch(db: Db, dialect: Dialect, known: string | null): Promise<string> {
  if (dialect === 'sqlite') return known ?? randomEpoch();
  const { epoch } = await db
    .selectFrom('clock')
    .select(
      sql<string>`epoch || '.' || (select oid from pg_database where datname = current_database()) || '.' || 'clock'::regclass::oid`.as(
        'epoch',
      ),
    )
    .executeTakeFirstOrThrow();
  return `${epoch}.${await readTimeline(db)}`;
}

async function readTimeline(db: Db): Promise<string> {
  try {
    const { rows } = await sql<{
      timeline: string;
    }>`select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline`.execute(db);
    return rows[0]?.timeline ?? '';
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_TIMELINE.has(error.code)) return '';
    throw error;
  }
}

/** Gives the history a new name after its clock went back. The first server to notice chooses it, the others take it over. */
async function renameEpoch(db: Db, dialect: Dialect, from: string): Promise<string> {
  if (dialect === 'sqlite') return randomEpoch();
  const stored = await readEpoch(db, dialect, from);
  if (stored !== from) return stored;
  const [name = ''] = from.split('.');
  await db.updateTable('clock').set({ epoch: randomEpoch() }).where('epoch', '=', name).execute();
  await sql`select pg_notify(${NOTIFY_CHANNEL}, ${NEW_EPOCH})`.execute(db);
  return readEpoch(db, dialect, from);
}

/** Change sets that a watcher is sent to catch up. Above this a snapshot is the smaller answer. */
export const MAX_CATCH_UP = 500;
/** Characters, as JSON, of the change sets that a watcher is sent to catch up. Above this it is sent a snapshot. */
export const MAX_CATCH_UP_LENGTH = 1_000_000;

const AUDIENCES: Readonly<Record<Room, readonly Audience[]>> = {
  members: ['all', 'members'],
  viewers: ['all', 'dashboard'],
  admins: ['all', 'dashboard', 'admins'],
};

/** The part of a change set that a room sees. It may be empty, but must still be sent: the clocks that a watcher receives have no gaps. */
export function changesFor(room: Room, set: StoredChangeSet): ChangeSet & { changes: Change[] } {
  return {
    clock: set.clock,
    changes: set.changes.flatMap((stored) =>
      'audience' in stored && AUDIENCES[room].includes(stored.audience) ? stored.change : [],
    ),
  };
}

export async function changeSetsFrom(db: Db, clock: number): Promise<StoredChangeSet[]> {
  const rows = await db
    .selectFrom('changes')
    .select(['clock', 'body', 'at'])
    .where('clock', '>=', clock)
    .orderBy('clock')
    .execute();
  return rows.map((row) => {
    const changes: StoredChange[] = JSON.parse(row.body);
    return { clock: row.clock, at: row.at, changes };
  });
}

export const changeSetsSince = (db: Db, clock: number): Promise<StoredChangeSet[]> =>
  changeSetsFrom(db, clock + 1);

/** The characters of JSON that the stored change sets after this clock have together. */
export async function lengthSince(db: Db, clock: number): Promise<number> {
  const { length } = await db
    .selectFrom('changes')
    .select(({ fn }) => fn.sum<number | null>(fn<number>('length', ['body'])).as('length'))
    .where('clock', '>', clock)
    .executeTakeFirstOrThrow();
  return Number(length ?? 0);
}

/** False for change sets of the same clock in different histories. */
const isSameSet = (one: StoredChangeSet, other: StoredChangeSet): boolean =>
  one.clock === other.clock &&
  one.at === other.at &&
  JSON.stringify(one.changes) === JSON.stringify(other.changes);

/** The part of the bus that is followed. */
interface Source {
  clock: () => number;
  listen: (listener: (set: StoredChangeSet) => void) => void;
  onNewHistory: (listener: () => void) => void;
}

/** The newest change sets in memory, so that a watcher who lacks a few costs no query. */
export interface RecentChangeSets {
  /** The change sets after a clock; null if some of them are no longer in memory. */
  since: (clock: number) => readonly StoredChangeSet[] | null;
}

export function keepRecentChangeSets(bus: Source): RecentChangeSets {
  let recent: { set: StoredChangeSet; length: number }[] = [];
  let totalLength = 0;
  const forget = (): void => {
    recent = [];
    totalLength = 0;
  };
  bus.listen((set) => {
    if (recent.at(-1)?.set.clock !== set.clock - 1) forget();
    const { length } = JSON.stringify(set.changes);
    recent.push({ set, length });
    totalLength += length;
    while (recent.length > MAX_CATCH_UP || totalLength > MAX_CATCH_UP_LENGTH)
      totalLength -= recent.shift()?.length ?? 0;
  });
  bus.onNewHistory(forget);
  return {
    since: (clock) => {
      const first = recent[0]?.set.clock;
      if (first === undefined || clock + 1 < first || recent.at(-1)?.set.clock !== bus.clock())
        return null;
      return recent.slice(clock + 1 - first).map(({ set }) => set);
    },
  };
}
