import type BetterSqlite from 'better-sqlite3';

/** Statements that a connection keeps ready; past it the one that was not asked for longest goes. */
export const STATEMENTS_KEPT = 300;
/** Longer ones, in characters, name a list: one of the same length hardly ever comes again, and each holds much memory. */
export const LONGEST_KEPT = 5_000;

/** What is kept of a statement is its own text's, whatever its values are. */
type Statement = BetterSqlite.Statement<unknown[]>;

/**
 * Prepares each statement once, since that takes longer than most of them run. SQLite prepares it anew by itself
 * when the schema has changed.
 * @returns what to prepare with; a statement whose rows are still being read is not handed out again
 */
export function keepStatements(database: BetterSqlite.Database, most = STATEMENTS_KEPT): (sql: string) => Statement {
  /** The one asked for longest ago first. */
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
