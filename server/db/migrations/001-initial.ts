import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../open.ts';

/** The whole schema of the product's first version. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const schema = db.schema;
  const blob = dialect === 'postgres' ? sql`bytea` : sql`blob`;
  const table = (name: string) => schema.createTable(name);
  // SQLite's autoincrement never gives a deleted record's id to a new one, which the live protocol relies on.
  const withId = (name: string) =>
    dialect === 'postgres'
      ? table(name).addColumn('id', 'serial', (c) => c.primaryKey())
      : table(name).addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement());

  await table('clock')
    .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('value', 'bigint', (c) => c.notNull())
    .addColumn('board_date', 'text', (c) => c.notNull())
    .execute();
  await sql`insert into clock (id, value, board_date) values (1, 0, '')`.execute(db);

  await table('changes')
    .addColumn('clock', 'bigint', (c) => c.primaryKey())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .execute();

  await table('config')
    .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('submission_enabled', 'integer', (c) => c.notNull())
    .execute();
  await sql`insert into config (id, submission_enabled) values (1, 1)`.execute(db);

  await withId('categories')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull().unique())
    .execute();

  await withId('respawns')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull().unique())
    .addColumn('image', 'text', (c) => c.notNull())
    .addColumn('category_id', 'integer', (c) => c.references('categories.id'))
    .addColumn('is_enabled', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await schema.createIndex('respawns_category').on('respawns').column('category_id').execute();

  await table('images')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('bytes', blob, (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();

  await table('member_types')
    .addColumn('member_type', 'text', (c) => c.primaryKey())
    .addColumn('name_key', 'text', (c) => c.notNull().unique())
    .addColumn('voucher_duration_hours', 'integer', (c) => c.notNull().check(sql`voucher_duration_hours between 1 and 24`))
    .addColumn('can_submit', 'integer', (c) => c.notNull())
    .addColumn('earliest_submission_date', 'text', (c) => c.notNull())
    .addColumn('allow_secondary_claims', 'integer', (c) => c.notNull())
    .addColumn('background_color', 'text', (c) => c.notNull())
    .addColumn('is_system', 'integer', (c) => c.notNull())
    .addColumn('guild_ranks', 'text', (c) => c.notNull())
    .execute();

  await withId('events')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull().unique())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('start_time', 'text', (c) => c.notNull())
    .addColumn('end_time', 'text', (c) => c.notNull())
    .addColumn('single_claim_template', 'text')
    .addColumn('is_active', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  // At most one event is active, whatever path sets it.
  await sql`create unique index events_one_active on events (is_active) where is_active = 1`.execute(db);

  await withId('access_keys')
    .addColumn('character_name', 'text', (c) => c.notNull())
    .addColumn('character_key', 'text', (c) => c.notNull().unique())
    .addColumn('key_value', 'text', (c) => c.notNull().unique())
    .addColumn('created_by_username', 'text')
    .addColumn('member_type', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('is_revoked', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();

  await withId('verifications')
    .addColumn('character_name', 'text', (c) => c.notNull())
    .addColumn('character_key', 'text', (c) => c.notNull())
    .addColumn('code', 'text', (c) => c.unique())
    .addColumn('token_hash', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text')
    .addColumn('verified_at', 'text')
    .execute();
  await schema.createIndex('verifications_character').on('verifications').column('character_key').execute();

  await table('bans')
    .addColumn('character_key', 'text', (c) => c.primaryKey())
    .addColumn('character_name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();

  await withId('claims')
    .addColumn('event_id', 'integer', (c) => c.references('events.id').onDelete('cascade'))
    .addColumn('character_name', 'text', (c) => c.notNull())
    .addColumn('character_key', 'text', (c) => c.notNull())
    .addColumn('member_type', 'text', (c) => c.notNull())
    .addColumn('date', 'text')
    .addColumn('custom_duration', 'integer')
    .addColumn('voucher_duration', 'integer', (c) => c.notNull())
    .addColumn('is_secondary_claim', 'integer', (c) => c.notNull())
    .addColumn('secondary_priority', 'integer', (c) => c.notNull())
    .addColumn('primary_claim_id', 'integer', (c) => c.references('claims.id').onDelete('set null'))
    .addColumn('is_split_claim', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await schema.createIndex('claims_event').on('claims').column('event_id').execute();
  await schema.createIndex('claims_date').on('claims').column('date').execute();
  await schema.createIndex('claims_character').on('claims').columns(['character_key', 'date']).execute();
  await schema.createIndex('claims_primary').on('claims').column('primary_claim_id').execute();

  await table('claim_parts')
    .addColumn('claim_id', 'integer', (c) => c.notNull().references('claims.id').onDelete('cascade'))
    .addColumn('part_number', 'integer', (c) => c.notNull())
    .addColumn('respawn_id', 'integer', (c) => c.notNull().references('respawns.id'))
    .addColumn('hour_start', 'integer', (c) => c.notNull())
    .addColumn('hour_end', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('claim_parts_pk', ['claim_id', 'part_number'])
    .addCheckConstraint('claim_parts_hours', sql`hour_start >= 0 and hour_start < hour_end and hour_end <= 24`)
    .execute();
  await schema.createIndex('claim_parts_respawn').on('claim_parts').column('respawn_id').execute();

  await table('occupied_hours')
    .addColumn('respawn_id', 'integer', (c) => c.notNull().references('respawns.id'))
    .addColumn('date', 'text', (c) => c.notNull())
    .addColumn('hour', 'integer', (c) => c.notNull().check(sql`hour between 0 and 23`))
    .addColumn('claim_id', 'integer', (c) => c.notNull().references('claims.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('occupied_hours_pk', ['respawn_id', 'date', 'hour'])
    .execute();
  await schema.createIndex('occupied_hours_claim').on('occupied_hours').column('claim_id').execute();

  await table('occupied_days')
    .addColumn('character_key', 'text', (c) => c.notNull())
    .addColumn('date', 'text', (c) => c.notNull())
    .addColumn('claim_id', 'integer', (c) => c.notNull().references('claims.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('occupied_days_pk', ['character_key', 'date'])
    .execute();
  await schema.createIndex('occupied_days_claim').on('occupied_days').column('claim_id').execute();

  await withId('activity')
    .addColumn('timestamp', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('admin_id', 'integer')
    .addColumn('admin_username', 'text')
    .addColumn('details', 'text', (c) => c.notNull())
    .addColumn('undo', 'text')
    .execute();
  await schema.createIndex('activity_timestamp').on('activity').column('timestamp').execute();
  await schema.createIndex('activity_action').on('activity').column('action').execute();

  await withId('admins')
    .addColumn('username', 'text', (c) => c.notNull())
    .addColumn('username_key', 'text', (c) => c.notNull().unique())
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();

  await table('admin_sessions')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('admin_id', 'integer', (c) => c.notNull().references('admins.id').onDelete('cascade'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute();

  await table('idempotent_answers')
    .addColumn('credential_hash', 'text', (c) => c.notNull())
    .addColumn('idempotency_key', 'text', (c) => c.notNull())
    .addColumn('request_hash', 'text', (c) => c.notNull())
    .addColumn('answer', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotent_answers_pk', ['credential_hash', 'idempotency_key'])
    .execute();
  await schema.createIndex('idempotent_answers_age').on('idempotent_answers').column('created_at').execute();
}
