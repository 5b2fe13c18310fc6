import { sql } from 'kysely';
import {
  type ChangeRecorder,
  type ClockRow,
  recordChanges,
  type StoredChange,
  type StoredChangeSet,
  storeChangeSet,
  type WriteStart,
} from './change-set.ts';
import { assertKnown, newestMigration } from './migrate.ts';
import type { Dialect, Tx } from './open.ts';
import { prepared } from './queries.ts';
import { authorizationNow, type WriteQueue } from './write-queue.ts';

/** From this many rows a write is slow even if each statement is small: its commit stores all of them. */
export const MANY_ROWS = 10_000;

/** What `write` needs. */
export interface WriteContext {
  now: () => Date;
  dialect: Dialect;
  writes: Pick<WriteQueue, 'transaction'>;
  publish: Publish;
  /** In this order before the work, in reverse order after it, like middleware. */
  hooks: readonly WriteHook[];
}

/**
 * Publishes a committed change set to this server's watchers.
 * @returns what to await before answering the caller; null mostly, so that writes which share a commit are answered in order
 */
export type Publish = (set: StoredChangeSet) => Promise<void> | null;

/** A write that is under way. */
export interface Write extends WriteStart {
  tx: Tx;
  changes: ChangeRecorder;
}

/** What a feature adds to every write. A step that throws rolls the write back. */
export interface WriteHook {
  /** Before the work, in its transaction. */
  before?: (write: Write) => Promise<void>;
  /** After the work, in its transaction. */
  after?: (write: Write) => Promise<void>;
  /** After the commit; must not throw. */
  committed?: (changes: ChangeRecorder) => void;
}

type Work<T> = (tx: Tx, changes: ChangeRecorder) => Promise<T>;

/**
 * The one way to write: one transaction, one step of the clock, one change set. The clock row is advanced first, because it is the
 * write lock: advanced last, racing claims would all read a free spot. Then the caller is authorized again. The change set
 * is published after the commit. `work` must await nothing but the database.
 * @throws whatever `work` throws, or DomainError server.busy, DatabaseAway; then nothing is written or published
 * @throws DomainError server.outcomeUnknown if the database did not answer the commit: if it is stored, it is published later
 */
export const write = <T>(ctx: WriteContext, work: Work<T>): Promise<T> => writeMany(ctx, 0, work);

/** `write` for about so many rows. From `MANY_ROWS` on, the event loop stays free while they are written. */
export async function writeMany<T>(ctx: WriteContext, rows: number, work: Work<T>): Promise<T> {
  // Taken now: the queue runs the transaction outside of this request's async context.
  const authorize = authorizationNow();
  const { result, set, changes } = await ctx.writes.transaction(async (tx) => {
    const [clock] = await advanceClock(tx, {});
    if (!clock) throw new Error('the clock has no row');
    assertKnown(clock.schema);
    await authorize?.(tx);
    // The time after waiting for the lock: another server's write may have lasted until the next day.
    const start: WriteStart = { at: ctx.now(), clock };
    const stored: StoredChange[] = [];
    const changes = recordChanges(stored, start);
    const running: Write = { ...start, tx, changes };
    for (const { before } of ctx.hooks) await before?.(running);
    const result = await work(tx, changes);
    for (const { after } of ctx.hooks.toReversed()) await after?.(running);
    const set: StoredChangeSet = { clock: clock.value, at: ctx.now().toISOString(), changes: stored };
    await storeChangeSet(tx, ctx.dialect, set);
    return { result, set, changes };
  }, rows >= MANY_ROWS);
  const published = ctx.publish(set);
  for (const { committed } of ctx.hooks) committed?.(changes);
  if (published) await published;
  return result;
}

const advanceClock = prepared<Record<string, never>, ClockRow>((db) =>
  db
    .updateTable('clock')
    .set({ value: sql<number>`value + 1` })
    .returning(['value', 'board_date', 'open_waits', 'next_due', 'heard', newestMigration.as('schema')])
    .compile(),
);
