import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite from 'better-sqlite3';
import { sqliteCode } from './errors.ts';
import { leaveCheckpoints } from './file-mark.ts';
import { keepStatements } from './statements.ts';

export interface WorkerOptions {
  file: string;
  writes: boolean;
}

export interface WorkerQuery {
  sql: string;
  parameters: readonly unknown[];
}
export type WorkerAnswer<R> =
  | { rows: R[]; numAffectedRows?: bigint; insertId?: bigint }
  | { failure: { message: string; code: string } };

/** How long it waits for another connection's lock, in milliseconds: as long as the main thread does. */
const BUSY_TIMEOUT_MS = 10_000;

const { file, writes }: WorkerOptions = workerData;
const sqlite = new BetterSqlite(file, { readonly: !writes, timeout: BUSY_TIMEOUT_MS });
if (writes) {
  // As durable as the main thread's writer.
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma('foreign_keys = ON');
  leaveCheckpoints(sqlite);
}
const prepare = keepStatements(sqlite);

parentPort?.on('message', ({ sql, parameters }: WorkerQuery) => {
  parentPort?.postMessage(answer(sql, parameters));
});

function answer(sql: string, parameters: readonly unknown[]): WorkerAnswer<unknown> {
  try {
    const statement = prepare(sql);
    if (statement.reader) return { rows: statement.all(...parameters) };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  } catch (error) {
    return {
      failure: {
        message: error instanceof Error ? error.message : String(error),
        code: sqliteCode(error),
      },
    };
  }
}
