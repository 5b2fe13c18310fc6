import { sql } from 'kysely';
import { KINDS, type Kind } from '../../shared/kinds.ts';
import type { Change, RecordOfKind } from '../../shared/live.ts';
import type { RecordId } from '../../shared/record-table.ts';
import type { Db, Dialect, Tx } from '../db/open.ts';
import { prepared } from '../db/prepared.ts';
import type { ToldNews } from '../notifications/outbox/told.ts';
import type { Role } from './role.ts';
import { Touched } from './touched.ts';

/** Who a change is for: a spot that is disabled is removed for members, and put for those who see the dashboard. */
export type Audience = 'all' | 'members' | 'dashboard' | 'admins';

const HEARD: Readonly<Record<Role, readonly Audience[]>> = {
  members: ['all', 'members'],
  viewers: ['all', 'dashboard'],
  admins: ['all', 'dashboard', 'admins'],
};

export interface StoredChange {
  audience: Audience;
  change: Change;
}
export interface StoredChangeSet {
  clock: number;
  /** When it was written; with what changed it tells the set from another history's of the same clock. */
  at: string;
  changes: readonly StoredChange[];
}

/** Collects what a write changes, for everyone who watches. */
export interface ChangeRecorder {
  put: (record: RecordOfKind, audience?: Audience) => void;
  remove: (kind: Kind, id: RecordId, audience?: Audience) => void;
  /** Tells every watcher, or those of one audience, to ask for a new snapshot: for writes that change very much at once. */
  reset: (audience?: Audience) => void;
  /** A job was stored that is due then: whoever runs jobs here is told once it is stored for good. */
  due: (at: string) => void;
  /** What may be offered to somebody now who waits for it, once the write is done. */
  touched: Touched;
  /** When something ends by itself came or went: it is looked up anew once the write is done. */
  ends: { moved: boolean };
  /** What those outside are told of. */
  news: ToldNews;
  /** @returns what takes back all that is recorded from now on: what it is of was rolled back */
  mark: () => () => void;
}

export const NOTIFY_CHANNEL = 'claimboard_changes';
/** Change sets kept for watchers that catch up; one that was away for longer gets a snapshot. */
export const CHANGE_SETS_KEPT = 5_000;
const PRUNE_EVERY = 100;
/** More than come in between; never all of a backlog at once. */
const PRUNED_AT_ONCE = 1_000;

/** @param stored takes what is recorded, in order */
export function recorder(stored: StoredChange[], due: string[], news: ToldNews): ChangeRecorder {
  const audienceOf = (kind: Kind): Audience => KINDS[kind].seen_by;
  const [touched, ends] = [new Touched(), { moved: false }];
  return {
    put: (record, audience = audienceOf(record.kind)) => stored.push({ audience, change: { op: 'put', ...record } }),
    remove: (kind, id, audience = audienceOf(kind)) => stored.push({ audience, change: { op: 'remove', kind, id } }),
    reset: (audience = 'all') => stored.push({ audience, change: { op: 'reset' } }),
    due: (at) => due.push(at),
    touched,
    ends,
    news,
    mark: () => {
      const [changes, dues, lines, { moved }, untell] = [stored.length, due.length, touched.copy(), ends, news.mark()];
      return () => {
        stored.length = changes;
        due.length = dues;
        touched.become(lines);
        ends.moved = moved;
        untell();
      };
    },
  };
}

/** Stores what a write changed, in its transaction; the other servers hear of it when that is committed. */
export async function storeChangeSet(tx: Tx, dialect: Dialect, { clock, at, changes }: StoredChangeSet): Promise<void> {
  await insertChangeSet(tx, { clock, body: JSON.stringify(changes), at });
  if (clock % PRUNE_EVERY === 0) await forgetChanges(tx, clock - CHANGE_SETS_KEPT);
  if (dialect === 'postgres') await sql`select pg_notify(${NOTIFY_CHANNEL}, ${String(clock)})`.execute(tx);
}

const insertChangeSet = prepared<{ clock: number; body: string; at: string }, unknown>((db, bound) =>
  db
    .insertInto('changes')
    .values({ clock: bound('clock'), body: bound('body'), at: bound('at') })
    .compile(),
);

async function forgetChanges(tx: Tx, until: number): Promise<void> {
  const old = tx.selectFrom('changes').select('clock').where('clock', '<=', until).orderBy('clock').limit(PRUNED_AT_ONCE);
  await tx.deleteFrom('changes').where('clock', 'in', old).execute();
}

/** The change sets from a clock on, that clock's included. */
export async function changeSetsFrom(db: Db, clock: number): Promise<StoredChangeSet[]> {
  const rows = await db.selectFrom('changes').select(['clock', 'body', 'at']).where('clock', '>=', clock).orderBy('clock').execute();
  return rows.map((row) => {
    const changes: StoredChange[] = JSON.parse(row.body);
    return { clock: row.clock, at: row.at, changes };
  });
}

/** The change sets after a clock. */
export const changeSetsSince = (db: Db, clock: number): Promise<StoredChangeSet[]> => changeSetsFrom(db, clock + 1);

/** How long the change sets after a clock are together, as text. */
export async function lengthSince(db: Db, clock: number): Promise<number> {
  const { length } = await db
    .selectFrom('changes')
    .select(({ fn }) => fn.sum<number | null>(fn<number>('length', ['body'])).as('length'))
    .where('clock', '>', clock)
    .executeTakeFirstOrThrow();
  return Number(length ?? 0);
}

/** Whether two are the same one: another history has another set of the same clock. */
export const isSameSet = (one: StoredChangeSet, other: StoredChangeSet): boolean =>
  one.clock === other.clock && one.at === other.at && JSON.stringify(one.changes) === JSON.stringify(other.changes);

/** What is told of a change set in a room: it may be empty, but is never missing. */
export function changesFor(role: Role, set: StoredChangeSet): { clock: number; changes: Change[] } {
  return {
    clock: set.clock,
    changes: set.changes.filter(({ audience }) => HEARD[role].includes(audience)).map(({ change }) => change),
  };
}
