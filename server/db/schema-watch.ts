import { sql } from 'kysely';
import { DomainError } from '../../shared/errors.ts';
import { MIGRATION_NAMES, MIGRATION_TABLE } from './migrate.ts';
import type { Db } from './open.ts';

const KNOWN: ReadonlySet<string> = new Set(MIGRATION_NAMES);

/** The newest migration that a database went through, as part of another statement: each write asks for it. */
export const newestMigration = sql<string | null>`(select max(name) from ${sql.table(MIGRATION_TABLE)})`;

/** @throws DomainError server.outdated where a newer program migrated the database: what this one would write no longer fits */
export function assertKnown(migration: string | null): void {
  if (migration !== null && !KNOWN.has(migration)) throw new DomainError('server.outdated');
}

/** @returns the migration of a newer program that the database went through while this one runs; null: none */
export async function newerMigration(db: Db): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)} order by name desc`.execute(db);
  return rows.find(({ name }) => !KNOWN.has(name))?.name ?? null;
}
