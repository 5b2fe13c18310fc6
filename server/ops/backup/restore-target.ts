import type { Db, Dialect } from '../../db/database.ts';
import { StartError } from '../../db/errors.ts';
import type { Row } from './archive-format.ts';

/** Some rows of an archive. */
export interface RowsOfTable {
  table: string;
  columns: readonly string[];
  rows: readonly Row[];
}

/** A database that takes a whole archive or nothing. */
export interface Target {
  db: Db;
  dialect: Dialect;
  /** Its archived tables with their columns, sorted by name. */
  columns: () => Promise<ReadonlyMap<string, readonly string[]>>;
  /** Deletes the rows of migrations, and lifts foreign keys. */
  begin: (made: readonly string[]) => Promise<void>;
  insert: (some: RowsOfTable) => Promise<void>;
  /** New ids of the table are larger than this. */
  continueIdsAfter: (table: string, id: number) => Promise<void>;
  /** @throws Error if a row refers to a missing one */
  end: () => Promise<void>;
}

export const notEmpty = (what: string, table: string): StartError =>
  new StartError(
    `${what} is not empty: its table ${table} has rows. An archive is restored into an empty database only.`,
  );
