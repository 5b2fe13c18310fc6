import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import { DatabaseAway, endsConnection, PoolBusy } from './failures.ts';
import { inTime } from './promises.ts';

/** What the pools of one database share. */
export interface Reachability {
  away: (error: unknown) => void;
  answered: () => void;
  /** A connection stopped answering: those that have been idle since then are as likely dead, and are not used again. */
  distrust: () => void;
  /** How often connections were distrusted. */
  era: () => number;
}

/**
 * A pool in the form Kysely needs that drops connections which stopped answering. pg would return a connection whose statement timed out,
 * with the answer still to come, and every later user would wait in vain.
 * @param answerWithinMs how long a statement may take, in milliseconds; Infinity: no limit
 * @param whenLate what to do with a statement that takes longer; by default its connection counts as dead
 */
export function patientPool(
  pool: pg.Pool,
  reach: Reachability,
  answerWithinMs: number,
  whenLate: WhenLate = async () => 'silent',
): PostgresPool {
  const made = new WeakMap<pg.PoolClient, number>();
  pool.on('connect', (client) => made.set(client, reach.era()));
  const fresh = async (): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await pool.connect();
      if (made.get(client) === reach.era()) return client;
      client.release(true);
    }
  };
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      try {
        return new LentClient(await fresh(), { reach, answerWithinMs, whenLate });
      } catch (error) {
        if (isQueueTimeout(error) && pool.totalCount > 0 && pool.idleCount === 0)
          throw new PoolBusy('all connections are in use', { cause: error });
        reach.away(error);
        throw new DatabaseAway(error);
      }
    },
  };
}

/** Connecting has a shorter limit, with another message. */
const isQueueTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'timeout exceeded when trying to connect';

/**
 * What to do with a statement of this process id that takes too long. `waits`: it waits for a lock, which has its own limit; `ends`: it
 * was cancelled and its answer comes soon; `silent`: unknown.
 */
export type WhenLate = (pid: number | null) => Promise<'waits' | 'ends' | 'silent'>;

interface Lending {
  reach: Reachability;
  answerWithinMs: number;
  whenLate: WhenLate;
}

const COMMANDS: readonly PostgresQueryResult<unknown>['command'][] = [
  'UPDATE',
  'DELETE',
  'INSERT',
  'SELECT',
  'MERGE',
  'COMMIT',
  'ROLLBACK',
];

class LentClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #reach: Reachability;
  readonly #answerWithinMs: number;
  readonly #whenLate: WhenLate;
  #silence: DatabaseAway | null = null;

  constructor(client: pg.PoolClient, { reach, answerWithinMs, whenLate }: Lending) {
    this.#client = client;
    this.#reach = reach;
    this.#answerWithinMs = answerWithinMs;
    this.#whenLate = whenLate;
  }

  query<R>(sql: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>>;
  query(cursor: object): never;
  query<R>(sql: string | object, parameters: ReadonlyArray<unknown> = []): Promise<PostgresQueryResult<R>> {
    if (typeof sql !== 'string') throw new Error('this pool streams nothing');
    return this.#ask(sql, parameters);
  }

  async #ask<R>(sql: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>> {
    // The rollback after a timeout would only time out as well.
    if (this.#silence) throw this.#silence;
    try {
      const { command, rowCount, rows } = await this.#answerOf(this.#client.query(sql, [...parameters]));
      this.#reach.answered();
      return { command: COMMANDS.find((each) => each === command) ?? 'SELECT', rowCount: rowCount ?? 0, rows };
    } catch (error) {
      if (!endsConnection(error)) throw error;
      this.#silence = new DatabaseAway(error);
      this.#reach.distrust();
      this.#reach.away(error);
      throw this.#silence;
    }
  }

  async #answerOf(asked: Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    if (this.#answerWithinMs === Number.POSITIVE_INFINITY) return asked;
    // Nothing reads what it answers after that.
    asked.catch(() => {});
    for (let late: 'waits' | 'ends' | 'silent' = 'waits'; late !== 'silent'; ) {
      if (await inTime(this.#answerWithinMs, asked)) return asked;
      late = late === 'ends' ? 'silent' : await this.#whenLate(processIdOf(this.#client));
    }
    throw new Error(`no answer within ${this.#answerWithinMs} ms`);
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#silence !== null);
  }
}

/** The connection's process id in PostgreSQL, which pg's types lack. */
const processIdOf = (client: pg.PoolClient): number | null =>
  'processID' in client && typeof client.processID === 'number' ? client.processID : null;

/**
 * What the pools of one database share, kept for each use. Each pool logs once when the database is gone and once when it is back: if
 * only one of them is served, their messages differ.
 */
export function createReachability(log: Logger): (use: string) => Reachability {
  let era = 0;
  return (use) => {
    let away = false;
    return {
      away: (error) => {
        if (!away) log.warn({ use, reason: error instanceof Error ? error.message : String(error) }, 'the database does not answer');
        away = true;
      },
      answered: () => {
        if (away) log.info({ use }, 'the database answers again');
        away = false;
      },
      distrust: () => {
        era += 1;
      },
      era: () => era,
    };
  };
}
