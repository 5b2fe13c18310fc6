import { StartError } from '../../db/failures.ts';
import type { Db, Dialect } from '../../db/open.ts';
import type { Row } from './format.ts';
import { ALL_TABLES, TABLES } from './tables.ts';

/** A database that takes an archive in; all of it or nothing. */
export interface Target {
  db: Db;
  dialect: Dialect;
  /** The tables that an archive of it has, with their columns in the order of their names. */
  columns: () => Promise<ReadonlyMap<string, readonly string[]>>;
  /** Takes away the rows that migrations made, and lets others come in any order. */
  begin: (made: readonly string[]) => Promise<void>;
  insert: (table: string, columns: readonly string[], rows: readonly Row[]) => Promise<void>;
  /** Goes on with the ids after the largest that the table ever gave out. */
  goOnAfter: (table: string, id: number) => Promise<void>;
  /** Compares what rows say of each other. @throws Error where something does not fit */
  end: () => Promise<void>;
}

/** Of all tables in a database, those that are ours. */
export const ours = (names: Iterable<string>): string[] => present(ALL_TABLES, names);

/** Of all tables in a database, those that an archive of it has. */
export const archived = (names: Iterable<string>): string[] => present(TABLES, names);

function present(tables: readonly string[], names: Iterable<string>): string[] {
  const there = new Set(names);
  return tables.filter((name) => there.has(name));
}

export const notEmpty = (what: string, table: string): StartError =>
  new StartError(`${what} is not empty: its table ${table} has rows. An archive is restored into an empty database only.`);
