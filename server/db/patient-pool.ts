import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { DatabaseAway, endsConnection } from './failures.ts';
import { inTime } from './in-time.ts';

/** What the pools of one database know together. */
export interface Reachability {
  away: (error: unknown) => void;
  answered: () => void;
  /** A connection fell silent: those that idle since before are as likely dead, and are not used again. */
  distrust: () => void;
  /** Counts how often it was distrusted. */
  era: () => number;
}

/**
 * A pool as Kysely asks for one, which gives no connection back to others after it fell silent: pg keeps one whose
 * statement ran out of time, with the answer still to come, and then everybody who gets it waits in vain.
 * @param answerWithinMs how long a statement may take, in milliseconds; Infinity for as long as it takes
 */
export function patientPool(pool: pg.Pool, reach: Reachability, answerWithinMs: number): PostgresPool {
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
        return new LentClient(await fresh(), reach, answerWithinMs);
      } catch (error) {
        reach.away(error);
        throw new DatabaseAway(error);
      }
    },
  };
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
  #silence: DatabaseAway | null = null;

  constructor(client: pg.PoolClient, reach: Reachability, answerWithinMs: number) {
    this.#client = client;
    this.#reach = reach;
    this.#answerWithinMs = answerWithinMs;
  }

  query<R>(sql: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>>;
  query(cursor: object): never;
  query<R>(sql: string | object, parameters: ReadonlyArray<unknown> = []): Promise<PostgresQueryResult<R>> {
    if (typeof sql !== 'string') throw new Error('this pool streams nothing');
    return this.#ask(sql, parameters);
  }

  async #ask<R>(sql: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>> {
    // The rollback that follows a silence would only wait for the same.
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
    // What it says after that is nobody's any more.
    asked.catch(() => {});
    if (await inTime(this.#answerWithinMs, asked)) return asked;
    throw new Error(`no answer within ${this.#answerWithinMs} ms`);
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#silence !== null);
  }
}
