import { setImmediate } from 'node:timers/promises';
import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { MAX_ID, MAX_LIST, MAX_PAGE, type PageQuery } from '../../shared/schemas/fields.ts';
import type { Db, Tx } from './open.ts';

/**
 * Rows a statement inserts at most. SQLite would take 32,766 values in one, PostgreSQL 65,535, five a row; but no
 * statement may come near the time limit of one, on a slow machine that is busy with other things, either.
 */
export const ROWS_A_STATEMENT = 1_000;
/** Ids a statement names at most. */
export const IDS_A_STATEMENT = 1_000;

/**
 * Lets whatever else waits have its turn, also within a transaction: SQLite answers without turning the event loop, so
 * one statement after another would hold it until the last.
 */
export const yieldToEventLoop = (): Promise<void> => setImmediate();

/** Rows in as many as one statement takes, made only when their turn has come. */
export function* inBatches<T>(rows: Iterable<T>, size = ROWS_A_STATEMENT): Generator<T[], void> {
  let batch: T[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Rows that a statement of many writes: until it is done nothing else of this server goes on. */
const WRITTEN_A_TURN = 250;

/** Writes many rows, some at a time, with turns of the event loop in between, and so within a transaction only. */
export async function writeInBatches<T>(all: Iterable<T>, write: (some: T[]) => Promise<unknown>): Promise<void> {
  for (const some of inBatches(all, WRITTEN_A_TURN)) {
    await write(some);
    if (some.length === WRITTEN_A_TURN) await yieldToEventLoop();
  }
}

/**
 * That a column lies among some ids, for one that is joined with a column that is said to be one of them. PostgreSQL does not
 * conclude it, and would read all of the joined table, however many rows that has: of a board of 20,000 claims eighty times.
 */
export const among = (column: string, ids: readonly number[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} between ${Math.min(...ids)} and ${Math.max(...ids)}`;

/** What a reading by ids finds, however many they are; in the order of the ids that were given. */
export async function readByIds<T>(ids: Iterable<number>, read: (some: number[]) => Promise<T[]>): Promise<T[]> {
  const found: T[][] = [];
  for (const batch of inBatches(ids, IDS_A_STATEMENT)) found.push(await read(batch));
  return found.flat();
}

/** Records of a long list that are read and written at once; after them whatever else waits has its turn. */
export const PIECE = MAX_PAGE;

/** What a page asks of a table: at most so many of the rows with ids up to this one, the largest ids first. */
export const rowsOfPage = ({ limit = MAX_LIST, before }: PageQuery): { most: number; last_id: number } => ({
  most: limit,
  last_id: before === undefined ? MAX_ID : before - 1,
});

/** How many rows a table has. */
export async function countRows(db: Db | Tx, table: 'archived_events' | 'access_keys' | 'verifications'): Promise<number> {
  const { n } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** Rows up to which a statement is kept as it was made; one for more is made anew each time, as that of a year of claims. */
export const ROWS_PREPARED = 32;

/** Where a value goes while a statement is made: the value itself comes when it is run. */
export type Bound<V> = <K extends keyof V & string>(name: K) => RawBuilder<V[K]>;

/** What stands for a value among a statement's parameters. */
class Place<V> {
  readonly valueIn: (rows: readonly V[]) => unknown;
  constructor(valueIn: (rows: readonly V[]) => unknown) {
    this.valueIn = valueIn;
  }
}

/** As many as there are rows, which is one at least. */
export type BoundRows<V> = readonly [Bound<V>, ...Bound<V>[]];

const boundIn =
  <V>(row: number): Bound<V> =>
  (name) =>
    sql`${new Place<V>((rows) => rows[row]?.[name])}`;

const boundRows = <V>(count: number): BoundRows<V> => [boundIn(0), ...Array.from({ length: count - 1 }, (_, n) => boundIn<V>(n + 1))];

/**
 * A statement that every submission runs: built and compiled once for each database and number of rows, which takes
 * longer than running it.
 * @param make is told where the values go, one for each row, and not what they are
 * @returns what runs it, for one row at least
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
    const parameters = compiled.parameters.map((each) => (each instanceof Place ? each.valueIn(rows) : each));
    const query: CompiledQuery<R> = { ...compiled, parameters };
    return (await db.executeQuery(query)).rows;
  };
}

/** The same of a statement with one row of values. */
export function prepared<V, R>(make: (db: Db | Tx, bound: Bound<V>) => CompiledQuery<R>): (db: Db | Tx, values: V) => Promise<R[]> {
  const run = preparedRows<V, R>((db, [bound]) => make(db, bound));
  return (db, values) => run(db, [values]);
}
