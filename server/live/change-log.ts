import type { Room } from '../../shared/kinds.ts';
import type { Change, ChangeSet } from '../../shared/live.ts';
import type { Db } from '../db/database.ts';
import type { Audience, StoredChange, StoredChangeSet } from '../db/unit-of-work.ts';

/** Change sets that a watcher is sent to catch up. Above this a snapshot is the smaller answer. */
export const MAX_CATCH_UP = 500;
/** Characters of these change sets as JSON, likewise. */
export const MAX_CATCH_UP_LENGTH = 1_000_000;

const AUDIENCES: Readonly<Record<Room, readonly Audience[]>> = {
  members: ['all', 'members'],
  viewers: ['all', 'dashboard'],
  admins: ['all', 'dashboard', 'admins'],
};

/** What a room sees of a change set. It may be empty, but must still be sent: the clocks that a watcher hears have no gaps. */
export function changesFor(room: Room, set: StoredChangeSet): ChangeSet & { changes: Change[] } {
  return {
    clock: set.clock,
    changes: set.changes.filter(({ audience }) => AUDIENCES[room].includes(audience)).map(({ change }) => change),
  };
}

/** The stored change sets from this clock on. */
export async function changeSetsFrom(db: Db, clock: number): Promise<StoredChangeSet[]> {
  const rows = await db.selectFrom('changes').select(['clock', 'body', 'at']).where('clock', '>=', clock).orderBy('clock').execute();
  return rows.map((row) => {
    const changes: StoredChange[] = JSON.parse(row.body);
    return { clock: row.clock, at: row.at, changes };
  });
}

/** The stored change sets after this clock. */
export const changeSetsSince = (db: Db, clock: number): Promise<StoredChangeSet[]> => changeSetsFrom(db, clock + 1);

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
export const isSameSet = (one: StoredChangeSet, other: StoredChangeSet): boolean =>
  one.clock === other.clock && one.at === other.at && JSON.stringify(one.changes) === JSON.stringify(other.changes);

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
    while (recent.length > MAX_CATCH_UP || totalLength > MAX_CATCH_UP_LENGTH) totalLength -= recent.shift()?.length ?? 0;
  });
  bus.onNewHistory(forget);
  return {
    since: (clock) => {
      const first = recent[0]?.set.clock;
      if (first === undefined || clock + 1 < first || recent.at(-1)?.set.clock !== bus.clock()) return null;
      return recent.slice(clock + 1 - first).map(({ set }) => set);
    },
  };
}
