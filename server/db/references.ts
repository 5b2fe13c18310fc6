import { type QueryExecutorProvider, sql } from 'kysely';
import type { Dialect } from './open.ts';

/** Rows point to rows that are not there. */
export class LostRows extends Error {
  override name = 'LostRows';
}

/**
 * A table of SQLite's is changed by making another one and dropping it, and dropping it deletes what points to its rows. So nothing
 * is deleted on anybody's account while the schema changes. It cannot be said inside a transaction.
 */
export async function withoutReferences<T>(db: QueryExecutorProvider, dialect: Dialect, work: () => Promise<T>): Promise<T> {
  if (dialect === 'postgres') return work();
  const { rows } = await sql<{ foreign_keys: number }>`pragma foreign_keys`.execute(db);
  await sql`pragma foreign_keys = off`.execute(db);
  try {
    return await work();
  } finally {
    if (rows[0]?.foreign_keys === 1) await sql`pragma foreign_keys = on`.execute(db);
  }
}

/** How many rows point to rows that are not there; PostgreSQL lets none. */
export async function countLost(db: QueryExecutorProvider, dialect: Dialect): Promise<number> {
  if (dialect === 'postgres') return 0;
  const { rows } = await sql<{ n: number }>`select count(*) as n from pragma_foreign_key_check`.execute(db);
  return rows[0]?.n ?? 0;
}
