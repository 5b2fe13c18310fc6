import { Worker } from 'node:worker_threads';
import BetterSqlite from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Driver,
  Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Db } from './database.ts';
import { DatabaseAway } from './errors.ts';
import type { Database } from './schema.ts';
import type { WorkerAnswer, WorkerOptions, WorkerQuery } from './worker-thread.ts';

const THREAD = new URL('./worker-thread.ts', import.meta.url);
/** A thread is stopped when it was idle for so long, in milliseconds: each holds some megabytes. */
const IDLE_MS = 30_000;

/**
 * Reads a database file in a worker thread, one statement at a time: on the main thread SQLite blocks the event loop until it
 * answers, which takes seconds where it counts everything that was ever stored. Sees what is committed.
 */
export const openReadingWorker = (file: string, idleMs = IDLE_MS): Db =>
  openWorker({ file, writes: false }, { idleMs });

/** Writes in a worker thread: the commit of 100,000 rows is one statement and takes seconds, however small those before it are. */
export const openWritingWorker = (file: string, how: WorkerUse = {}): Db =>
  openWorker({ file, writes: true }, how);

interface WorkerUse {
  idleMs?: number;
  /** Called on this thread after each commit. */
  onCommit?: () => void;
}

function openWorker(
  options: WorkerOptions,
  { idleMs = IDLE_MS, onCommit = () => {} }: WorkerUse,
): Db {
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new WorkerDriver(new Thread(options, idleMs), options.writes, onCommit),
      createIntrospector: (db: Kysely<unknown>): DatabaseIntrospector => new SqliteIntrospector(db),
      createQueryCompiler: (): QueryCompiler => new SqliteQueryCompiler(),
    },
  });
}

const READS_ONLY = 'a reading worker runs single statements, and writes nothing';

class WorkerDriver implements Driver {
  readonly #thread: Thread;
  readonly #writes: boolean;
  readonly #onCommit: () => void;
  constructor(thread: Thread, writes: boolean, onCommit: () => void) {
    this.#thread = thread;
    this.#writes = writes;
    this.#onCommit = onCommit;
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: <R>({ sql, parameters }: CompiledQuery) =>
        this.#thread.ask<R>({ sql, parameters }),
      streamQuery: () => {
        throw new Error('a worker connection does not stream');
      },
    };
  }
  async beginTransaction(): Promise<void> {
    if (!this.#writes) throw new Error(READS_ONLY);
    await this.#thread.begin();
  }
  async commitTransaction(): Promise<void> {
    await this.#thread.commit();
    this.#onCommit();
  }
  rollbackTransaction = (): Promise<void> => this.#thread.rollBack();
  async releaseConnection(): Promise<void> {}
  destroy(): Promise<void> {
    return this.#thread.close();
  }
}

/** Starts with the first statement, and again after it was stopped or died. */
class Thread {
  readonly #options: WorkerOptions;
  readonly #idleMs: number;
  /** The worker of the running transaction; another one cannot continue it. */
  #inTransaction: Worker | null = null;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: WorkerOptions, idleMs: number) {
    this.#options = options;
    this.#idleMs = idleMs;
  }

  /**
   * One at a time: the dialect makes the next caller wait for the connection.
   * @throws DatabaseAway after it is closed, or if the thread dies
   */
  async ask<R>(question: WorkerQuery): Promise<QueryResult<R>> {
    if (this.#isClosed) throw new DatabaseAway('it is closed');
    if (this.#idle) clearTimeout(this.#idle);
    try {
      const worker = this.#running();
      if (this.#inTransaction && this.#inTransaction !== worker)
        throw new DatabaseAway('the thread has ended in a transaction');
      const answer = await answerOf<R>(worker, question);
      if ('rows' in answer) return answer;
      const { message, code } = answer.failure;
      throw code === '' ? new Error(message) : new BetterSqlite.SqliteError(message, code);
    } finally {
      if (!this.#inTransaction)
        this.#idle = setTimeout(() => void this.#end(), this.#idleMs).unref();
    }
  }

  async begin(): Promise<void> {
    await this.ask({ sql: this.#options.writes ? 'begin immediate' : 'begin', parameters: [] });
    this.#inTransaction = this.#worker;
  }

  async commit(): Promise<void> {
    await this.ask({ sql: 'commit', parameters: [] });
    this.#inTransaction = null;
  }

  /** Stops the thread, which rolls back its transaction in any state. */
  async rollBack(): Promise<void> {
    this.#inTransaction = null;
    await this.#end();
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    // Without this process's Node options, such as a test's loader.
    const worker = new Worker(THREAD, { workerData: this.#options, execArgv: [] });
    worker.unref();
    const died = (): void => {
      if (this.#worker === worker) this.#worker = null;
    };
    worker.on('error', died).on('exit', died);
    this.#worker = worker;
    return worker;
  }

  /** For good: a request that the stopping server has not finished must not start another thread. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#end();
  }

  async #end(): Promise<void> {
    if (this.#idle) clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

/** @throws DatabaseAway if this worker dies */
async function answerOf<R>(worker: Worker, question: WorkerQuery): Promise<WorkerAnswer<R>> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer<R>>();
  const ended = (): void => reject(new DatabaseAway('the worker thread has ended'));
  worker.once('message', resolve).once('error', reject).once('exit', ended);
  try {
    worker.postMessage(question);
    return await promise;
  } finally {
    worker.off('message', resolve).off('error', reject).off('exit', ended);
  }
}
