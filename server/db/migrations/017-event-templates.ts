import type { Kysely } from 'kysely';
import type { Dialect } from '../open.ts';

/** What events are made of again and again. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const table = db.schema.createTable('event_templates');
  const withId =
    dialect === 'postgres'
      ? table.addColumn('id', 'serial', (c) => c.primaryKey())
      : table.addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement());
  await withId
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull().unique())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('days', 'integer', (c) => c.notNull())
    .addColumn('weekday', 'integer')
    .addColumn('start_clock', 'text', (c) => c.notNull())
    .addColumn('end_clock', 'text', (c) => c.notNull())
    .addColumn('single_claim_template', 'text')
    .addColumn('claims', 'text', (c) => c.notNull())
    // Not references: an event that is gone is found by nobody, and one that is restored is its template's again.
    .addColumn('made_events', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
}
