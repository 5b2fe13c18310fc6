import type { Kysely } from 'kysely';

/** When a server was there, as spans of time without a gap; which servers share the database, and with which settings. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('heartbeats')
    .addColumn('began_at', 'text', (c) => c.primaryKey())
    .addColumn('beat_at', 'text', (c) => c.notNull())
    .addColumn('doubt', 'text')
    .addColumn('doubt_seconds', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('servers')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('started_at', 'text', (c) => c.notNull())
    .addColumn('seen_at', 'text', (c) => c.notNull())
    .addColumn('build', 'text')
    .addColumn('settings', 'text', (c) => c.notNull())
    .execute();
}
