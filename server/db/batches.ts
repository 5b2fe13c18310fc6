import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';

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
export const breathe = (): Promise<void> => setImmediate();

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
export async function inTurns<T>(all: Iterable<T>, write: (some: T[]) => Promise<unknown>): Promise<void> {
  for (const some of inBatches(all, WRITTEN_A_TURN)) {
    await write(some);
    if (some.length === WRITTEN_A_TURN) await breathe();
  }
}

/**
 * That a column lies among some ids, for one that is joined with a column that is said to be one of them. PostgreSQL does not
 * conclude it, and would read all of the joined table, however many rows that has: of a board of 20,000 claims eighty times.
 */
export const among = (column: string, ids: readonly number[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} between ${Math.min(...ids)} and ${Math.max(...ids)}`;

/** What a reading by ids finds, however many they are; in the order of the ids that were given. */
export async function byIds<T>(ids: Iterable<number>, read: (some: number[]) => Promise<T[]>): Promise<T[]> {
  const found: T[][] = [];
  for (const batch of inBatches(ids, IDS_A_STATEMENT)) found.push(await read(batch));
  return found.flat();
}
