import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite from 'better-sqlite3';
import { sqliteCode } from './failures.ts';
import { keepStatements } from './statements.ts';

/** What the thread is begun with. */
export interface AsideFile {
  file: string;
  writes: boolean;
}

export interface AsideQuestion {
  /** One statement. */
  sql: string;
  parameters: readonly unknown[];
}
/** Rows of what the statement says they are and what it changed, or why there is nothing. */
export type AsideAnswer<R> = { rows: R[]; numAffectedRows?: bigint; insertId?: bigint } | { failure: { message: string; code: string } };

/** How long it waits for another connection's lock, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

const { file, writes }: AsideFile = workerData;
const sqlite = new BetterSqlite(file, { readonly: !writes, timeout: BUSY_TIMEOUT_MS });
if (writes) {
  // As the connection that writes otherwise.
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma('foreign_keys = ON');
}
const prepare = keepStatements(sqlite);

parentPort?.on('message', ({ sql, parameters }: AsideQuestion) => {
  parentPort?.postMessage(answer(sql, parameters));
});

function answer(sql: string, parameters: readonly unknown[]): AsideAnswer<unknown> {
  try {
    const statement = prepare(sql);
    if (statement.reader) return { rows: statement.all(...parameters) };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  } catch (error) {
    return { failure: { message: error instanceof Error ? error.message : String(error), code: sqliteCode(error) } };
  }
}
