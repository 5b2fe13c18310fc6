import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';
export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

/** What reading needs. */
export interface Reading {
  /** What is committed, never what is being written. */
  db: Db;
}

/** What reading needs that may take long. */
export interface LongReading extends Reading {
  longReads: Db;
}

export interface OpenDatabase {
  /** For reading: what is committed, never what is being written. */
  db: Db;
  /** For reading what may take long, as counting all that ever was does: the event loop goes on meanwhile. */
  longReads: Db;
  /** For reading much in one transaction with turns of the event loop in between: nobody else's reading waits for it. */
  /** For writing: one connection. */
  writer: Db;
  /** For writing very much: the event loop goes on meanwhile. Only while `writer` writes nothing. */
  longWriter: Db;
  dialect: Dialect;
  /** The file the data is in; null where a server keeps it. */
  file: string | null;
  /** For work that may take minutes, as changing the schema may: no time limits. */
  withoutTimeouts: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  /** Takes two seconds at most, whether or not the database answers. */
  close: () => Promise<void>;
}
