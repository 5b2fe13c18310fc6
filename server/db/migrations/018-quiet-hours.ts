import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * Whoever has quiet hours is passed over in line until they end: the first end is found by an index. And a wait says whether an
 * admin made it, who may let anybody wait; of those that stand it is not known, and taken as the character's own.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table waits add column quiet_until text`.execute(db);
  await sql`alter table waits add column is_by_admin integer not null default 0`.execute(db);
  await sql`create index waits_quiet on waits (quiet_until) where ended_at is null and quiet_until is not null`.execute(db);
}
