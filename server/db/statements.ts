import type BetterSqlite from 'better-sqlite3';

/** Prepared statements kept for each connection; above it the least recently used is dropped. */
export const STATEMENTS_KEPT = 300;
/** Longer statements, in characters, contain a list: the same length is rarely repeated, and each uses much memory. */
export const LONGEST_KEPT = 5_000;

type Statement = BetterSqlite.Statement<unknown[]>;

/**
 * Prepares each statement once, because that takes longer than most of them run. SQLite prepares it again when the schema
 * changes.
 * @returns a function that prepares; it never returns a statement whose rows are still being read
 */
export function keepStatements(
  database: BetterSqlite.Database,
  most = STATEMENTS_KEPT,
): (sql: string) => Statement {
  /** Least recently used first. */
  const kept = new Map<string, Statement>();
  return (sql) => {
    const known = kept.get(sql);
    if (known?.busy) return database.prepare(sql);
    const statement = known ?? database.prepare<unknown[]>(sql);
    if (sql.length > LONGEST_KEPT) return statement;
    kept.delete(sql);
    kept.set(sql, statement);
    if (kept.size > most) dropFirst(kept);
    return statement;
  };
}

function dropFirst(kept: Map<string, unknown>): void {
  const [first] = kept.keys();
  if (first !== undefined) kept.delete(first);
}
