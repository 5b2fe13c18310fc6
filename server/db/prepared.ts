import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from './open.ts';

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
