import type { Kysely } from 'kysely';

/**
 * Members' calendars, a row a character: where it is asked for, and what it said last, so that a change of it, or what is gone,
 * can be told. What is archived is found by its character, too, since a calendar goes back thirty days.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('calendars')
    .addColumn('character_key', 'text', (c) => c.primaryKey())
    // Not a reference: a key that is gone is found by nobody, and its calendar is told to nobody.
    .addColumn('access_key_id', 'integer', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.unique())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('made_at', 'text', (c) => c.notNull())
    .addColumn('uid', 'text', (c) => c.notNull())
    .addColumn('revision', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('shown', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('archived_claims_character').on('archived_claims').columns(['character_key', 'last_date']).execute();
}
