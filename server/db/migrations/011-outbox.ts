import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../open.ts';

/**
 * News, stored once however many hear it; where it is sent to, each from its own place on; and how the last tries fared. The row
 * that every write reads says which news anybody hears, so that a write asks no more where nobody does.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('clock').addColumn('heard', 'text').execute();
  // An id never comes again: a message is known by it.
  const table = (name: string) =>
    dialect === 'postgres'
      ? db.schema.createTable(name).addColumn('id', 'serial', (c) => c.primaryKey())
      : db.schema.createTable(name).addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement());
  await table('news')
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('news_at').on('news').column('at').execute();
  await table('destinations')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull().unique())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('secret', 'text')
    .addColumn('old_secret', 'text')
    .addColumn('old_secret_until', 'text')
    .addColumn('events', 'text', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('is_enabled', 'integer', (c) => c.notNull())
    .addColumn('switched_off', 'text')
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('waiting', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('next_try_at', 'text')
    .addColumn('last_delivery_at', 'text')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await table('deliveries')
    .addColumn('destination_id', 'integer', (c) => c.notNull().references('destinations.id').onDelete('cascade'))
    .addColumn('message_id', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('attempt', 'integer', (c) => c.notNull())
    .addColumn('status', 'integer')
    .addColumn('error', 'text')
    .addColumn('ms', 'integer', (c) => c.notNull())
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('answer', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('deliveries_of').on('deliveries').columns(['destination_id', 'id']).execute();
  await sql`create index destinations_on on destinations (id) where is_enabled = 1`.execute(db);
}
