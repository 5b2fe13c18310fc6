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
import type { AsideAnswer, AsideQuestion } from './aside-thread.ts';
import { DatabaseAway } from './failures.ts';
import type { Db } from './open.ts';
import type { Database } from './schema.ts';

const THREAD = new URL('./aside-thread.ts', import.meta.url);
/** A thread that nothing was asked of for so long is ended, in milliseconds: each holds some megabytes. */
const IDLE_MS = 30_000;

/**
 * Reads a database file in a thread with a connection of its own, one question after the other: SQLite answers at
 * once or not at all, and what counts all that ever was would keep everything else of the server waiting meanwhile.
 * It sees what is committed.
 */
export function openAside(file: string, idleMs = IDLE_MS): Db {
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new AsideDriver(new Thread(file, idleMs)),
      createIntrospector: (db: Kysely<unknown>): DatabaseIntrospector => new SqliteIntrospector(db),
      createQueryCompiler: (): QueryCompiler => new SqliteQueryCompiler(),
    },
  });
}

const NEVER = 'what is read aside is one statement, and writes nothing';
const refused = async (): Promise<never> => {
  throw new Error(NEVER);
};

class AsideDriver implements Driver {
  readonly #thread: Thread;
  constructor(thread: Thread) {
    this.#thread = thread;
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: <R>({ sql, parameters }: CompiledQuery) => this.#thread.ask<R>({ sql, parameters }),
      streamQuery: () => {
        throw new Error(NEVER);
      },
    };
  }
  beginTransaction = refused;
  commitTransaction = refused;
  rollbackTransaction = refused;
  async releaseConnection(): Promise<void> {}
  destroy(): Promise<void> {
    return this.#thread.close();
  }
}

/** Begun when something is asked, and again where it was ended or has died. */
class Thread {
  readonly #file: string;
  readonly #idleMs: number;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(file: string, idleMs: number) {
    this.#file = file;
    this.#idleMs = idleMs;
  }

  /**
   * One at a time, as the dialect says: the next waits for its connection.
   * @throws DatabaseAway once it is closed, or where the thread dies over it
   */
  async ask<R>(question: AsideQuestion): Promise<QueryResult<R>> {
    if (this.#isClosed) throw new DatabaseAway('it is closed');
    if (this.#idle) clearTimeout(this.#idle);
    try {
      const answer = await answerOf<R>(this.#begin(), question);
      if ('rows' in answer) return answer;
      const { message, code } = answer.failure;
      throw code === '' ? new Error(message) : new BetterSqlite.SqliteError(message, code);
    } finally {
      this.#idle = setTimeout(() => void this.#end(), this.#idleMs).unref();
    }
  }

  #begin(): Worker {
    if (this.#worker) return this.#worker;
    // Without what this process was started with, as a test's loader: the thread needs nothing of it.
    const worker = new Worker(THREAD, { workerData: this.#file, execArgv: [] });
    worker.unref();
    const died = (): void => {
      if (this.#worker === worker) this.#worker = null;
    };
    worker.on('error', died).on('exit', died);
    this.#worker = worker;
    return worker;
  }

  /** For good: what is still asked, as by a request that the stopping server has not finished, begins no other thread. */
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

/** @throws DatabaseAway where the thread dies over it: this one, since one that was ended before may only now be gone */
async function answerOf<R>(worker: Worker, question: AsideQuestion): Promise<AsideAnswer<R>> {
  const { promise, resolve, reject } = Promise.withResolvers<AsideAnswer<R>>();
  const ended = (): void => reject(new DatabaseAway('the thread that reads aside has ended'));
  worker.once('message', resolve).once('error', reject).once('exit', ended);
  try {
    worker.postMessage(question);
    return await promise;
  } finally {
    worker.off('message', resolve).off('error', reject).off('exit', ended);
  }
}
