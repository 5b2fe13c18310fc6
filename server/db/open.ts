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

/**
 * Reads one state of the database, however many statements that takes. PostgreSQL does so on a connection for long reads, so that
 * ordinary reads keep theirs; SQLite has a connection for each reading transaction.
 */
export function readOneState<T>({ db, longReads, dialect }: LongReading & { dialect: Dialect }, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (dialect === 'sqlite') return db.transaction().execute(work);
  return longReads.transaction().setIsolationLevel('repeatable read').execute(work);
}

export interface OpenDatabase {
  /** For reading: what is committed, never what is being written. */
  db: Db;
  /** For reading what may take long, as counting all that ever was does: the event loop goes on meanwhile. */
  longReads: Db;
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
