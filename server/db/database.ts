import { setImmediate } from 'node:timers/promises';
import { CompiledQuery, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { ConfigFlag } from '../../shared/schemas/config.ts';
import { MAX_ID, MAX_LIST, MAX_PAGE, type PageQuery } from '../../shared/schemas/fields.ts';
import type { MissedClaim } from '../../shared/schemas/missed-claim.ts';
import type { Env } from '../env.ts';
import { isSilence, refusalOfDatabase } from './errors.ts';
import type { Memory } from './memory.ts';
import type { Database, Flag } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';
export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

/** An expression for each flag, by the settings. */
export type ConfigFlags = { readonly [F in ConfigFlag]?: (env: Env) => RawBuilder<Flag> };

/** Reads the no-shows of characters that count, by their keys (R9.29). */
export type ReadMissed = (
  db: Db | Tx,
  query: { character_keys: readonly string[]; since: Date },
) => Promise<ReadonlyMap<string, readonly MissedClaim[]>>;

/** What operations read with. */
export interface Reading {
  env: Env;
  /** The time. With PostgreSQL it is the database's. */
  now: () => Date;
  dialect: Dialect;
  /** Reads what is committed. */
  db: Db;
  /** For reads that may take long. */
  longReads: Db;
  /** How flags of the configuration are read, of the features that set them. */
  configFlags: ConfigFlags;
  /** Of the feature that counts them; without it, none count. */
  readMissed: ReadMissed;
  /** What this server keeps in memory for its features. */
  memory: Memory;
}

/**
 * Reads one state of the database with any number of statements. PostgreSQL uses a connection for long reads, so that ordinary reads
 * keep theirs; SQLite has a connection for read transactions.
 */
export function readOneState<T>(
  { db, longReads, dialect }: Reading,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (dialect === 'sqlite') return db.transaction().execute(work);
  return longReads.transaction().setIsolationLevel('repeatable read').execute(work);
}

export interface OpenDatabase {
  /** Reads what is committed. */
  db: Db;
  /** For reads that may take long, such as counts of everything stored, without blocking the event loop. */
  longReads: Db;
  /** The only connection for writes. */
  writer: Db;
  /** For very large writes, without blocking the event loop. Only while `writer` is idle. */
  longWriter: Db;
  dialect: Dialect;
  /** The database file; null with PostgreSQL. */
  file: string | null;
  /** Without time limits, for work that may take minutes, such as migrations. */
  withoutTimeouts: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  /** Writes SQLite's log into the database file, if anything was written since the last time. PostgreSQL does so itself. */
  checkpoint: () => void;
  /** Takes two seconds at most, even if the database does not answer. */
  close: () => Promise<void>;
}

/**
 * Rows, names or ids of one statement. SQLite accepts 32,766 values and PostgreSQL 65,535, but no statement may come near its time limit,
 * even on a slow and busy machine.
 */
export const BATCH_SIZE = 1_000;
/** Claims, or rows of a long write, before the event loop is yielded to: a few milliseconds. One write archives at most so many claims. */
export const CLAIM_BATCH_SIZE = 250;

/**
 * Yields to the event loop, also within a transaction: SQLite answers without yielding, so that one statement after another would hold it
 * until the last.
 */
export const yieldToEventLoop = (): Promise<void> => setImmediate();

/** Splits rows into batches of one statement each, made when they are needed. */
export function* inBatches<T>(rows: Iterable<T>, size = BATCH_SIZE): Generator<T[], void> {
  let batch: T[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Writes many rows in batches and yields to the event loop in between. Only within a transaction. */
export async function writeInBatches<T>(
  all: Iterable<T>,
  write: (some: T[]) => Promise<unknown>,
): Promise<void> {
  for (const some of inBatches(all, CLAIM_BATCH_SIZE)) {
    await write(some);
    if (some.length === CLAIM_BATCH_SIZE) await yieldToEventLoop();
  }
}

/**
 * That a column is among some ids, for a column joined with one that is. PostgreSQL does not conclude it and would read the whole joined
 * table: with 20,000 claims that is 80 times as many rows.
 */
export const among = (column: string, ids: readonly number[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} between ${Math.min(...ids)} and ${Math.max(...ids)}`;

/** Reads rows by any number of ids, in the order of the ids. */
export async function readByIds<T>(
  ids: Iterable<number>,
  read: (some: number[]) => Promise<T[]>,
): Promise<T[]> {
  const found: T[][] = [];
  for (const batch of inBatches(ids)) found.push(await read(batch));
  return found.flat();
}

/** Records of a long list that are read and written between two yields to the event loop. */
export const PIECE = MAX_PAGE;

/** The rows of a page: at most this many with ids up to this one, the largest first. */
export const pageBounds = ({
  limit = MAX_LIST,
  before,
}: PageQuery): { most: number; last_id: number } => ({
  most: limit,
  last_id: before === undefined ? MAX_ID : before - 1,
});

/** How many rows a table has. */
export async function countRows(
  db: Db | Tx,
  table: 'archived_events' | 'access_keys' | 'verifications',
): Promise<number> {
  const { n } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** Up to this many rows a compiled statement is cached; for more, such as a claim of a year, it is compiled each time. */
export const ROWS_PREPARED = 32;

/** The place of a value while a statement is compiled; the value follows when it runs. */
export type Bound<V> = <K extends keyof V & string>(name: K) => RawBuilder<V[K]>;

/** A placeholder for a value among a statement's parameters. */
class Place<V> {
  readonly valueIn: (rows: readonly V[]) => unknown;
  constructor(valueIn: (rows: readonly V[]) => unknown) {
    this.valueIn = valueIn;
  }
}

/** One place for each row; there is at least one. */
export type BoundRows<V> = readonly [Bound<V>, ...Bound<V>[]];

const boundIn =
  <V>(row: number): Bound<V> =>
  (name) =>
    sql`${new Place<V>((rows) => rows[row]?.[name])}`;

const boundRows = <V>(count: number): BoundRows<V> => [
  boundIn(0),
  ...Array.from({ length: count - 1 }, (_, n) => boundIn<V>(n + 1)),
];

/**
 * A statement that every submission runs: compiled once for each database and number of rows, which takes longer than running it.
 * @param make gets the places of the values, one for each row, not the values
 * @returns a function that runs it for at least one row
 */
export function preparedRows<V, R>(
  make: (db: Db | Tx, rows: BoundRows<V>) => CompiledQuery<R>,
): (db: Db | Tx, rows: readonly V[]) => Promise<R[]> {
  // A transaction has the adapter of its database.
  const kept = new WeakMap<object, CompiledQuery<R>[]>();

  const compiledFor = (db: Db | Tx, count: number): CompiledQuery<R> => {
    const { adapter } = db.getExecutor();
    const byCount = kept.get(adapter) ?? [];
    kept.set(adapter, byCount);
    const compiled = byCount[count] ?? make(db, boundRows(count));
    if (count <= ROWS_PREPARED) byCount[count] = compiled;
    return compiled;
  };

  return async (db, rows) => {
    const compiled = compiledFor(db, rows.length);
    const parameters = compiled.parameters.map((each) =>
      each instanceof Place ? each.valueIn(rows) : each,
    );
    const query: CompiledQuery<R> = { ...compiled, parameters };
    return (await db.executeQuery(query)).rows;
  };
}

/** The same for a statement with one row of values. */
export function prepared<V, R>(
  make: (db: Db | Tx, bound: Bound<V>) => CompiledQuery<R>,
): (db: Db | Tx, values: V) => Promise<R[]> {
  const run = preparedRows<V, R>((db, [bound]) => make(db, bound));
  return (db, values) => run(db, [values]);
}

// Savepoints nest, also under the same name.
const SAVEPOINT = CompiledQuery.raw('savepoint attempt');
const RELEASE = CompiledQuery.raw('release savepoint attempt');
const ROLLBACK = CompiledQuery.raw('rollback to savepoint attempt');

type Attempt<T> = { value: T } | { error: unknown };

/**
 * Runs work that may fail without failing the rest of its transaction: its writes are then rolled back.
 * @returns what `work` returns, or the error that it threw
 * @throws errors that end the whole transaction: the database does not answer, or rolled back everything
 */
export async function inSavepoint<T>(tx: Tx, work: () => Promise<T>): Promise<Attempt<T>> {
  await tx.executeQuery(SAVEPOINT);
  try {
    const value = await work();
    await tx.executeQuery(RELEASE);
    return { value };
  } catch (error) {
    if (isSilence(error)) throw error;
    await rollBack(tx, error);
    return { error };
  }
}

/** @throws if the database has rolled back everything, as SQLite does on a full disk */
async function rollBack(tx: Tx, why: unknown): Promise<void> {
  try {
    await tx.executeQuery(ROLLBACK);
    await tx.executeQuery(RELEASE);
  } catch (error) {
    // A refusal by the rules belongs to this caller; the others get the database's error.
    throw refusalOfDatabase(why) ? why : error;
  }
}
