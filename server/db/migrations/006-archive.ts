import { type Kysely, sql } from 'kysely';

/**
 * Tables for what is over for long: as the ones it leaves, but without what keeps two claims apart, and pointing to no
 * event and no spot, since those may go while history stays. Beside them, what says that an entry's undo is not kept any more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('archived_events')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('start_time', 'text', (c) => c.notNull())
    .addColumn('end_time', 'text', (c) => c.notNull())
    .addColumn('single_claim_template', 'text')
    .addColumn('claim_count', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('archived_at', 'text', (c) => c.notNull())
    .execute();

  await schema
    .createTable('archived_claims')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('event_id', 'integer')
    .addColumn('character_name', 'text', (c) => c.notNull())
    .addColumn('character_key', 'text', (c) => c.notNull())
    .addColumn('member_type', 'text', (c) => c.notNull())
    .addColumn('date', 'text')
    .addColumn('custom_duration', 'integer')
    .addColumn('voucher_duration', 'integer', (c) => c.notNull())
    .addColumn('is_secondary_claim', 'integer', (c) => c.notNull())
    .addColumn('secondary_priority', 'integer', (c) => c.notNull())
    .addColumn('primary_claim_id', 'integer')
    .addColumn('is_split_claim', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_date', 'text', (c) => c.notNull())
    .execute();
  await schema.createIndex('archived_claims_event').on('archived_claims').columns(['event_id', 'id']).execute();
  await schema.createIndex('archived_claims_date').on('archived_claims').column('last_date').execute();

  await schema
    .createTable('archived_claim_parts')
    .addColumn('claim_id', 'integer', (c) => c.notNull().references('archived_claims.id').onDelete('cascade'))
    .addColumn('part_number', 'integer', (c) => c.notNull())
    .addColumn('respawn_id', 'integer', (c) => c.notNull())
    .addColumn('respawn_name', 'text', (c) => c.notNull())
    .addColumn('hour_start', 'integer', (c) => c.notNull())
    .addColumn('hour_end', 'integer', (c) => c.notNull())
    .addColumn('last_date', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('archived_claim_parts_pk', ['claim_id', 'part_number'])
    .execute();
  const parts = schema.createIndex('archived_claim_parts_respawn').on('archived_claim_parts');
  await parts.columns(['respawn_id', 'last_date', 'claim_id']).execute();

  await schema
    .alterTable('events')
    .addColumn('is_leaving', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`create index events_leaving on events (is_leaving) where is_leaving = 1`.execute(db);
  // The newest claims of an event leave first; and those of no event, date by date.
  await schema.dropIndex('claims_event').execute();
  await schema.createIndex('claims_event').on('claims').columns(['event_id', 'id']).execute();
  // The event that they lack is part of it, or SQLite would rather read all of them from the index of events.
  await sql`create index claims_without_event on claims (event_id, date, id) where event_id is null`.execute(db);

  await schema.alterTable('activity').addColumn('undo_expired_at', 'text').execute();
  await sql`create index activity_undo on activity (timestamp) where undo is not null`.execute(db);
}
