import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite from 'better-sqlite3';
import { z } from 'zod';
import { sqliteCode } from './failures.ts';

/** One statement that reads. */
export interface AsideQuestion {
  sql: string;
  parameters: readonly unknown[];
}
/** Rows of what the statement says they are, or why there are none. */
export type AsideAnswer<R> = { rows: R[] } | { failure: { message: string; code: string } };

/** How long it waits for another connection's lock, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

const sqlite = new BetterSqlite(z.string().parse(workerData), { readonly: true, timeout: BUSY_TIMEOUT_MS });

parentPort?.on('message', ({ sql, parameters }: AsideQuestion) => {
  parentPort?.postMessage(answer(sql, parameters));
});

function answer(sql: string, parameters: readonly unknown[]): AsideAnswer<unknown> {
  try {
    return { rows: sqlite.prepare<unknown[]>(sql).all(...parameters) };
  } catch (error) {
    return { failure: { message: error instanceof Error ? error.message : String(error), code: sqliteCode(error) } };
  }
}
