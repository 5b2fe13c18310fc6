import { sql } from 'kysely';
import { KINDS, type Kind, type OwnKind } from '../../shared/kinds.ts';
import type { Change, RecordOfKind } from '../../shared/live.ts';
import type { RecordId } from '../../shared/record-table.ts';
import type { DomainEvent, DomainEventType } from '../../shared/schemas/domain-events.ts';
import type { BackOff } from './back-off.ts';
import type { Heartbeats } from './clock/heartbeats.ts';
import { type Db, type Dialect, prepared, type Reading, type Tx } from './database.ts';
import { assertKnown, newestMigration } from './migrate.ts';
import { authorizationNow, type WriteQueue } from './write-queue.ts';

/** Receivers of a change: disabling a spot removes it for members, but puts it for those who see the dashboard. */
export type Audience = 'all' | 'members' | 'dashboard' | 'admins';

/** `owners`: keys of the characters who are sent their own records because of it. */
export type StoredChange =
  | { audience: Audience; change: Change; owners?: readonly string[] }
  /** `own` is left out of every room's change sets; it only triggers the `own` message. */
  | { change: { op: 'own' }; owners: readonly string[] };

export interface StoredChangeSet {
  clock: number;
  /** When it was written. After a restore another history may have a change set of the same clock; this distinguishes them. */
  at: string;
  changes: readonly StoredChange[];
}

/** The clock row as a write finds it, after advancing it. */
export interface ClockRow {
  value: number;
  board_date: string;
  open_waits: number;
  next_due: string | null;
  subscribed_types: string | null;
  /** The newest migration of the database. */
  schema: string | null;
}

/** The facts of a write before its work. */
export interface WriteStart {
  at: Date;
  clock: ClockRow;
}

/** A feature's notes during a write, beside the changes: `defineCollector`. */
interface Collector<T> {
  create: (start: WriteStart) => T;
  mark: (value: T) => () => void;
}

/**
 * Declares notes of a feature that each write carries, read by `changes.collect(collector)`.
 * @param create makes the value of one write, when it is first asked for
 * @param mark remembers the value's state and returns what restores it, for a savepoint that is rolled back
 */
export const defineCollector = <T>(
  create: Collector<T>['create'],
  mark: Collector<T>['mark'],
): Collector<T> => ({ create, mark });

/** Notes by a key: characters by their keys, spots by their ids. */
export const defineMapCollector = <K, V>(): Collector<Map<K, V>> =>
  defineCollector(
    () => new Map<K, V>(),
    (noted) => {
      const before = [...noted];
      return () => {
        noted.clear();
        for (const [key, value] of before) noted.set(key, value);
      };
    },
  );

/** Records what a write changes, for everyone who watches, and what features note about it. */
export interface ChangeRecorder {
  put: (record: RecordOfKind, audience?: Audience) => void;
  remove: (kind: Kind, id: RecordId, audience?: Audience) => void;
  /** For a kind of `OWN_KINDS`: these characters are sent their own records, too. */
  putOwned: (record: RecordOfKind, owners: readonly string[]) => void;
  removeOwned: (kind: OwnKind, id: RecordId, owners: readonly string[]) => void;
  /** Sends these characters their own records, for a change that only they see. */
  sendOwn: (owners: readonly string[]) => void;
  /** Makes every watcher of the audience ask for a snapshot: for writes that change very much at once. */
  reset: (audience?: Audience) => void;
  /** What was recorded so far, in order. */
  recorded: () => readonly StoredChange[];
  /** A feature's notes on this write, the same value each time. */
  collect: <T>(collector: Collector<T>) => T;
  /** @returns what discards everything recorded and noted since; call it when the savepoint is rolled back */
  mark: () => () => void;
}

interface Collected {
  value: unknown;
  mark: () => () => void;
  clear: () => void;
}

/** @param stored receives the changes, in order */
export function recordChanges(stored: StoredChange[], start: WriteStart): ChangeRecorder {
  const audienceOf = (kind: Kind): Audience => KINDS[kind].audience;
  const collected = new Map<unknown, Collected>();
  return {
    put: (record, audience = audienceOf(record.kind)) =>
      stored.push({ audience, change: { op: 'put', ...record } }),
    remove: (kind, id, audience = audienceOf(kind)) =>
      stored.push({ audience, change: { op: 'remove', kind, id } }),
    putOwned: (record, owners) =>
      stored.push({ audience: audienceOf(record.kind), change: { op: 'put', ...record }, owners }),
    removeOwned: (kind, id, owners) =>
      stored.push({ audience: audienceOf(kind), change: { op: 'remove', kind, id }, owners }),
    sendOwn: (owners) => stored.push({ change: { op: 'own' }, owners }),
    reset: (audience = 'all') => stored.push({ audience, change: { op: 'reset' } }),
    recorded: () => stored,
    collect: <T>(collector: Collector<T>): T => {
      const known = collected.get(collector);
      // Only this collector's own values are stored under it.
      if (known) return known.value as T;
      const value = collector.create(start);
      const mark = (): (() => void) => collector.mark(value);
      collected.set(collector, { value, mark, clear: mark() });
      return value;
    },
    mark: () => {
      const length = stored.length;
      const restores = new Map([...collected].map(([collector, { mark }]) => [collector, mark()]));
      return () => {
        stored.length = length;
        for (const [collector, { clear }] of collected) (restores.get(collector) ?? clear)();
      };
    },
  };
}

/**
 * Records that a change set names. The change set of a larger write is a reset: all watchers, also those that catch up, load the whole
 * board again.
 */
export const MANY_CHANGES = 100;

export const NOTIFY_CHANNEL = 'claimboard_changes';
/** Change sets kept for watchers that catch up; one that was away for longer gets a snapshot. */
export const CHANGE_SETS_KEPT = 5_000;
const PRUNE_EVERY = 100;
/** More than are added between two prunings, but not all of a backlog at once. */
const PRUNED_AT_ONCE = 1_000;

/** Stores the change set in its own transaction; PostgreSQL notifies the other servers when it commits. */
async function storeChangeSet(
  tx: Tx,
  dialect: Dialect,
  { clock, at, changes }: StoredChangeSet,
): Promise<void> {
  await insertChangeSet(tx, { clock, body: JSON.stringify(changes), at });
  if (clock % PRUNE_EVERY === 0) await pruneChangeSets(tx, clock - CHANGE_SETS_KEPT);
  if (dialect === 'postgres')
    await sql`select pg_notify(${NOTIFY_CHANNEL}, ${String(clock)})`.execute(tx);
}

const insertChangeSet = prepared<{ clock: number; body: string; at: string }, unknown>(
  (db, bound) =>
    db
      .insertInto('changes')
      .values({ clock: bound('clock'), body: bound('body'), at: bound('at') })
      .compile(),
);

async function pruneChangeSets(tx: Tx, until: number): Promise<void> {
  const old = tx
    .selectFrom('changes')
    .select('clock')
    .where('clock', '<=', until)
    .orderBy('clock')
    .limit(PRUNED_AT_ONCE);
  await tx.deleteFrom('changes').where('clock', 'in', old).execute();
}

/** Rows from which a write runs on a worker thread: its commit is slow even if each statement is small. */
export const MANY_ROWS = 10_000;

export interface Writing extends Reading {
  writes: Pick<WriteQueue, 'transaction'>;
  publish: Publish;
  /** In this order before the work, in reverse order after it, like middleware. */
  hooks: readonly WriteHook[];
  /** In no order. */
  deadlines: readonly DeadlineSource[];
  /** In the order in which they are called. */
  listeners: readonly EventListener[];
  heartbeats: Heartbeats;
  backOff: BackOff;
  /** Whether this process expires everything and moves the board's date; else only what depends on no setting. */
  isInCharge: () => boolean;
}

/** One kind of thing that ends at a known moment although no caller acts then: holds, unconfirmed claims. */
export interface DeadlineSource {
  /** Names it in the log and in the health check. */
  name: string;
  /** Depends on no setting, so a server whose settings differ from the others' expires it, too. */
  needsNoSettings?: true;
  /** When the next one is due, as stored; null: none. Many writes ask, so it is read from an index. */
  earliest: (ctx: Writing, db: Db | Tx, now: Date) => Promise<string | null>;
  /** Expires all that are due by then, in order, and notes the waitlists of the hours that this frees. */
  expire: (unit: Unit, until: string) => Promise<void>;
}

/**
 * Stores deliveries for domain events, in the write that reports them; a job sends them later. `C` is its context if it needs more
 * than `Writing`.
 */
export interface EventListener<C extends Writing = Writing> {
  subscribedTypes(ctx: C, tx: Tx): Promise<Iterable<DomainEventType>>;
  /** @param events at least one, in their order; also those that only other listeners subscribe to */
  handle(unit: Unit<C>, events: readonly DomainEvent[]): Promise<void>;
}

/**
 * Publishes a committed change set to this server's watchers.
 * @returns what to await before answering the caller; null mostly, so that writes which share a commit are answered in order
 */
export type Publish = (set: StoredChangeSet) => Promise<void> | null;

/** A write that is under way: everything that takes part in it is handed this. */
export interface Unit<C = Writing> extends WriteStart {
  ctx: C;
  tx: Tx;
  changes: ChangeRecorder;
}

/** A feature's steps in every write. A step that throws rolls the write back. */
export interface WriteHook {
  /** Before the work, in its transaction. */
  before?: (unit: Unit) => Promise<void>;
  /** After the work, in its transaction. */
  after?: (unit: Unit) => Promise<void>;
  /** After the commit; must not throw. */
  committed?: (unit: Unit) => void;
}

type Work<C, T> = (unit: Unit<C>) => Promise<T>;

/**
 * The one way to write: one transaction, one step of the clock, one change set. The clock row is advanced first, because it is the
 * write lock: advanced last, racing claims would all read a free spot. Then the caller is authorized again. The change set
 * is published after the commit. `work` must await nothing but the database.
 * @throws errors of `work`, or DomainError server.busy, DatabaseAway; then nothing is written or published
 * @throws DomainError server.outcomeUnknown if the database did not answer the commit: if it is stored, it is published later
 */
export const write = <C extends Writing, T>(ctx: C, work: Work<C, T>): Promise<T> =>
  writeMany(ctx, 0, work);

/** `write` for about so many rows. From `MANY_ROWS` on, the event loop stays free while they are written. */
export async function writeMany<C extends Writing, T>(
  ctx: C,
  rows: number,
  work: Work<C, T>,
): Promise<T> {
  // Taken now: the queue runs the transaction outside of this request's async context.
  const authorize = authorizationNow();
  const { result, set, unit } = await ctx.writes.transaction(async (tx) => {
    const [clock] = await advanceClock(tx, {});
    if (!clock) throw new Error('the clock has no row');
    assertKnown(clock.schema);
    await authorize?.(tx);
    // The time after waiting for the lock: another server's write may have lasted until the next day.
    const start: WriteStart = { at: ctx.now(), clock };
    const stored: StoredChange[] = [];
    const changes = recordChanges(stored, start);
    const unit: Unit<C> = { ...start, ctx, tx, changes };
    for (const { before } of ctx.hooks) await before?.(unit);
    const result = await work(unit);
    for (const { after } of ctx.hooks.toReversed()) await after?.(unit);
    const set: StoredChangeSet = {
      clock: clock.value,
      at: ctx.now().toISOString(),
      changes: stored,
    };
    await storeChangeSet(tx, ctx.dialect, set);
    return { result, set, unit };
  }, rows >= MANY_ROWS);
  const published = ctx.publish(set);
  for (const { committed } of ctx.hooks) committed?.(unit);
  if (published) await published;
  return result;
}

/** A write that no watcher and no feature learns of: it advances no clock, and everything recorded is dropped. */
export const writeUnseen = <C extends Writing, T>(ctx: C, work: Work<C, T>): Promise<T> =>
  ctx.writes.transaction((tx) => work(unseenUnit(ctx, tx)));

const NO_CLOCK: ClockRow = {
  value: 0,
  board_date: '',
  open_waits: 0,
  next_due: null,
  subscribed_types: null,
  schema: null,
};

/** A unit of work in a transaction that no watcher and no feature learns of. */
export function unseenUnit<C extends Writing>(ctx: C, tx: Tx): Unit<C> {
  const start = { at: ctx.now(), clock: NO_CLOCK };
  return { ...start, ctx, tx, changes: recordChanges([], start) };
}

const advanceClock = prepared<Record<string, never>, ClockRow>((db) =>
  db
    .updateTable('clock')
    .set({ value: sql<number>`value + 1` })
    .returning([
      'value',
      'board_date',
      'open_waits',
      'next_due',
      'subscribed_types',
      newestMigration.as('schema'),
    ])
    .compile(),
);
