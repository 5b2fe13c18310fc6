import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite from 'better-sqlite3';

// A thread of its own: looking through a large file takes seconds, in which the server serves.
const file = new BetterSqlite(String(workerData), { readonly: true });
const found: unknown = file.pragma('quick_check(1)', { simple: true });
file.close();
parentPort?.postMessage(found === 'ok' ? null : String(found));
