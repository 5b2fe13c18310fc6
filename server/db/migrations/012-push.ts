import type { Kysely } from 'kysely';
import type { Dialect } from '../open.ts';

/**
 * Browsers that are sent notices, what each character wants to be told of, and which hours' hunters were reminded. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  // An id never comes again: what waits to be sent names it.
  const subscriptions =
    dialect === 'postgres'
      ? schema.createTable('push_subscriptions').addColumn('id', 'serial', (c) => c.primaryKey())
      : schema.createTable('push_subscriptions').addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement());
  await subscriptions
    .addColumn('character_key', 'text', (c) => c.notNull())
    // Whoever has the key that comes after it may be somebody else, in another browser.
    .addColumn('access_key_id', 'integer', (c) => c.notNull().references('access_keys.id').onDelete('cascade'))
    .addColumn('endpoint', 'text', (c) => c.notNull())
    .addColumn('p256dh', 'text', (c) => c.notNull())
    .addColumn('auth', 'text', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('renewed_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text')
    .addColumn('failures', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('rests_until', 'text')
    .addUniqueConstraint('push_subscriptions_of', ['character_key', 'endpoint'])
    .execute();
  await schema.createIndex('push_subscriptions_key').on('push_subscriptions').column('access_key_id').execute();
  await schema
    .createTable('push_preferences')
    .addColumn('character_key', 'text', (c) => c.primaryKey())
    .addColumn('hold_offered', 'integer', (c) => c.notNull())
    .addColumn('hunt_begins', 'integer', (c) => c.notNull())
    .addColumn('confirm_now', 'integer', (c) => c.notNull())
    .addColumn('claim_changed', 'integer', (c) => c.notNull())
    .addColumn('quiet_from', 'text')
    .addColumn('quiet_until', 'text')
    .addColumn('time_zone', 'text', (c) => c.notNull())
    .execute();
  await schema
    .createTable('push_reminders')
    .addColumn('hour_at', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('push_reminders_pk', ['hour_at', 'at'])
    .execute();
}
