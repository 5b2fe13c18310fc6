import { sql } from 'kysely';
import { showBoardDay } from '../board/config/board-day.ts';
import { type ServerSaveSettings, serverSaveToday } from '../board/config/clock.ts';
import type { Env } from '../env.ts';
import type { Announce } from '../live/announce.ts';
import { type ChangeRecorder, recorder, type StoredChange, type StoredChangeSet, storeChangeSet } from '../live/change-log.ts';
import { type Told, ToldNews } from '../notifications/outbox/told.ts';
import type { Heartbeats } from './clock/heartbeats.ts';
import type { Db, Dialect, Tx } from './open.ts';
import { prepared } from './prepared.ts';
import { assertKnown, newestMigration } from './schema-watch.ts';
import { authorizationNow, type WriteQueue } from './write-queue.ts';

/** A write that touches this many rows takes long: its statements may be small, but its commit stores what all of them did. */
export const MANY_ROWS = 10_000;

/** What a write needs. */
export interface Writing extends ServerSaveSettings {
  env: Env;
  dialect: Dialect;
  writes: Pick<WriteQueue, 'transaction'>;
  announce: Announce;
  upkeep: Upkeep;
  heartbeats: Heartbeats;
  outbox: Outbox;
}

/** The clock's row as a write finds it. */
export interface Ticked {
  value: number;
  board_date: string;
  open_waits: number;
  next_due: string | null;
  heard: string | null;
  /** The newest migration that the database went through. */
  schema: string | null;
}

/** What every write does besides its own work, so that no path is forgotten: nothing where nobody waits and nothing is due. */
export interface Upkeep {
  /** Whether this process runs all deadlines and moves the board's date; else only those deadlines that depend on no setting. */
  isOurs: () => boolean;
  /** When something ends by itself next, as everything is by now; null: nothing will. */
  nextDue: (db: Db, now: Date) => Promise<string | null>;
  /** Ends what is over by itself, before anything is judged. */
  settle: (ctx: Writing, tx: Tx, changes: ChangeRecorder, ticked: Ticked) => Promise<void>;
  /** Offers what came free to whoever is next in line. */
  serve: (ctx: Writing, tx: Tx, changes: ChangeRecorder, ticked: Ticked) => Promise<void>;
  /** Offers now, for a write that answers with the outcome. A waitlist that cannot be served fails no write. */
  offer: (ctx: Writing, tx: Tx, changes: ChangeRecorder) => Promise<void>;
}

/** Where a write leaves what those outside are told of. */
export interface Outbox {
  store: (ctx: Writing, tx: Tx, changes: ChangeRecorder, news: readonly Told[]) => Promise<void>;
  /** Notes, in the row that every write reads, which news anybody hears: where nobody does, none is made. */
  noteHeard: (tx: Tx) => Promise<void>;
}

type Work<T> = (tx: Tx, changes: ChangeRecorder) => Promise<T>;

/**
 * The one way to write: one transaction, one tick of the clock, one change set. The clock row is bumped first,
 * because it is the write lock: bumped last, racing claims would all read a free spot. Then the admin who asked is
 * authenticated again (`Asker.authorize`), here for all operations. What is over by itself is settled before the work, what came free is offered after it. After the commit the change set is published. `work` must not await
 * anything but the database. It begins when those before it are done.
 * @throws whatever `work` throws, or DomainError server.busy, DatabaseAway; then nothing is written, published or ticked
 * @throws DomainError server.outcomeUnknown when the database fell silent at the end: it may be stored, and is then published later
 */
export const write = <T>(ctx: Writing, work: Work<T>): Promise<T> => writeMany(ctx, 0, work);

/** The same for what touches about so many rows: where they are very many, the event loop goes on meanwhile. */
export async function writeMany<T>(ctx: Writing, rows: number, work: Work<T>): Promise<T> {
  // Taken now: the queue runs the transaction outside of this request's async context.
  const authorize = authorizationNow();
  const { result, set, due } = await ctx.writes.transaction(async (tx) => {
    const [ticked] = await tickClock(tx, {});
    if (!ticked) throw new Error('the clock has no row');
    assertKnown(ticked.schema);
    await authorize?.(tx);
    // Now that it is this write's turn: another server's may have lasted into a new day, and begun it.
    const today = serverSaveToday(ctx);
    const { value: clock, board_date: lastDate, next_due } = ticked;
    const stored: StoredChange[] = [];
    const due: string[] = [];
    const news = new ToldNews(ticked.heard, ctx.now().toISOString(), (told) => ctx.outbox.store(ctx, tx, changes, told));
    const changes: ChangeRecorder = recorder(stored, due, news);
    const isOurs = ctx.upkeep.isOurs();
    const isNewDay = isOurs && today > lastDate;
    // Whoever waits for a day that is over must not be judged, or served, as if it were not.
    if (isNewDay) changes.touched.all();
    const isDue = next_due !== null && next_due <= ctx.now().toISOString();
    if (isDue || (isNewDay && ticked.open_waits > 0)) await ctx.upkeep.settle(ctx, tx, changes, ticked);
    const result = await work(tx, changes);
    if (changes.ends.moved || (changes.touched.any && ticked.open_waits > 0)) await ctx.upkeep.serve(ctx, tx, changes, ticked);
    if (isNewDay && (await showBoardDay(ctx, tx, lastDate, today))) changes.reset();
    // Whatever was told by any of these, as the last thing that is done.
    await news.store();
    const set: StoredChangeSet = { clock, at: ctx.now().toISOString(), changes: stored };
    await storeChangeSet(tx, ctx.dialect, set);
    return { result, set, due };
  }, rows >= MANY_ROWS);
  const heard = ctx.announce(set, due);
  if (heard) await heard;
  return result;
}

const tickClock = prepared((db) =>
  db
    .updateTable('clock')
    .set({ value: sql<number>`value + 1` })
    .returning(['value', 'board_date', 'open_waits', 'next_due', 'heard', newestMigration.as('schema')])
    .compile(),
);
