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
import type { AsideAnswer, AsideFile, AsideQuestion } from './aside-thread.ts';
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
export const openAside = (file: string, idleMs = IDLE_MS): Db => inThread({ file, writes: false }, idleMs);

/** The same for writing much: a commit of a hundred thousand rows, which is one statement, takes as long as a hundred others. */
export const openWritingAside = (file: string, idleMs = IDLE_MS): Db => inThread({ file, writes: true }, idleMs);

function inThread(opened: AsideFile, idleMs: number): Db {
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new AsideDriver(new Thread(opened, idleMs), opened.writes),
      createIntrospector: (db: Kysely<unknown>): DatabaseIntrospector => new SqliteIntrospector(db),
      createQueryCompiler: (): QueryCompiler => new SqliteQueryCompiler(),
    },
  });
}

const READS_ONLY = 'what is read aside is one statement, and writes nothing';

class AsideDriver implements Driver {
  readonly #thread: Thread;
  readonly #writes: boolean;
  constructor(thread: Thread, writes: boolean) {
    this.#thread = thread;
    this.#writes = writes;
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: <R>({ sql, parameters }: CompiledQuery) => this.#thread.ask<R>({ sql, parameters }),
      streamQuery: () => {
        throw new Error('what is asked aside is answered in one piece');
      },
    };
  }
  async beginTransaction(): Promise<void> {
    if (!this.#writes) throw new Error(READS_ONLY);
    await this.#thread.begin();
  }
  commitTransaction = (): Promise<void> => this.#thread.commit();
  rollbackTransaction = (): Promise<void> => this.#thread.rollBack();
  async releaseConnection(): Promise<void> {}
  destroy(): Promise<void> {
    return this.#thread.close();
  }
}

/** Begun when something is asked, and again where it was ended or has died. */
class Thread {
  readonly #opened: AsideFile;
  readonly #idleMs: number;
  /** Of the transaction under way; none other may go on with it. */
  #inTransaction: Worker | null = null;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(opened: AsideFile, idleMs: number) {
    this.#opened = opened;
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
      const worker = this.#running();
      if (this.#inTransaction && this.#inTransaction !== worker) throw new DatabaseAway('the thread has ended in a transaction');
      const answer = await answerOf<R>(worker, question);
      if ('rows' in answer) return answer;
      const { message, code } = answer.failure;
      throw code === '' ? new Error(message) : new BetterSqlite.SqliteError(message, code);
    } finally {
      if (!this.#inTransaction) this.#idle = setTimeout(() => void this.#end(), this.#idleMs).unref();
    }
  }

  async begin(): Promise<void> {
    await this.ask({ sql: 'begin', parameters: [] });
    this.#inTransaction = this.#worker;
  }

  async commit(): Promise<void> {
    await this.ask({ sql: 'commit', parameters: [] });
    this.#inTransaction = null;
  }

  /** A thread that has died took its transaction along, and so does one that is ended: whatever it ran into, nothing is left. */
  async rollBack(): Promise<void> {
    this.#inTransaction = null;
    await this.#end();
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    // Without what this process was started with, as a test's loader: the thread needs nothing of it.
    const worker = new Worker(THREAD, { workerData: this.#opened, execArgv: [] });
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
