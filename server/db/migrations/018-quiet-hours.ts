import { type Kysely, sql } from 'kysely';

/**
 * Whoever has quiet hours is passed over in line until they end: the first end is found by an index. And a wait says whether an
 * admin made it, who may let anybody wait; of those that stand it is not known, and taken as the character's own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('waits').addColumn('quiet_until', 'text').execute();
  await db.schema
    .alterTable('waits')
    .addColumn('is_by_admin', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`create index waits_quiet on waits (quiet_until) where ended_at is null and quiet_until is not null`.execute(db);
}
