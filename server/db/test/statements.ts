import BetterSqlite from 'better-sqlite3';
import pg from 'pg';
import type { Dialect } from '../database.ts';

/** A statement that was run, with what it was given when it was run last; what SQLite was given is not known. */
export interface Ran {
  sql: string;
  values: unknown[];
}

export interface Recorder {
  /** Every different statement that a database of this kind was given since the start, those of what `unheard` did left out. */
  ran: (dialect: Dialect) => Ran[];
  unheard: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Records every statement that this process sends to either database, at the drivers themselves, below
 * statement caches and compiled queries. Start it before the
 * database is opened, or statements prepared earlier are missed. Lasts for the rest of the process.
 */
export function recordStatements(): Recorder {
  const seen = { sqlite: new Map<string, unknown[]>(), postgres: new Map<string, unknown[]>() };
  let isHearing = true;
  const hear = (dialect: Dialect, sql: unknown, values: unknown): void => {
    if (isHearing && typeof sql === 'string')
      seen[dialect].set(sql, Array.isArray(values) ? values : []);
  };
  const { prepare } = BetterSqlite.prototype;
  BetterSqlite.prototype.prepare = function record(this: BetterSqlite.Database, sql: string) {
    hear('sqlite', sql, []);
    return prepare.call(this, sql);
  } as typeof prepare;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function record(this: pg.Client, ...given: unknown[]): unknown {
    const [first, second] = given;
    if (typeof first === 'string') hear('postgres', first, second);
    else if (typeof first === 'object' && first !== null && 'text' in first)
      hear('postgres', first.text, 'values' in first ? first.values : []);
    return Reflect.apply(query, this, given);
  } as typeof query;
  return {
    ran: (dialect) => [...seen[dialect]].map(([sql, values]) => ({ sql, values })),
    unheard: async (work) => {
      isHearing = false;
      try {
        return await work();
      } finally {
        isHearing = true;
      }
    },
  };
}
