import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../open.ts';

/**
 * Why claims ended, which stays when they go; which parts of claims their holders have yet to confirm; and how many hours
 * the members of a type may have. An ending points to nothing: spot, event and claim may all be gone.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  const endings =
    dialect === 'postgres'
      ? schema.createTable('claim_endings').addColumn('id', 'serial', (c) => c.primaryKey())
      : schema.createTable('claim_endings').addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement());
  await endings
    .addColumn('claim_id', 'integer', (c) => c.notNull())
    .addColumn('part_number', 'integer', (c) => c.notNull())
    .addColumn('character_name', 'text', (c) => c.notNull())
    .addColumn('character_key', 'text', (c) => c.notNull())
    .addColumn('member_type', 'text', (c) => c.notNull())
    .addColumn('is_secondary_claim', 'integer', (c) => c.notNull())
    .addColumn('respawn_id', 'integer', (c) => c.notNull())
    .addColumn('respawn_name', 'text', (c) => c.notNull())
    .addColumn('event_id', 'integer')
    .addColumn('date', 'text')
    .addColumn('first_date', 'text', (c) => c.notNull())
    .addColumn('last_date', 'text', (c) => c.notNull())
    .addColumn('hour_start', 'integer', (c) => c.notNull())
    .addColumn('hour_end', 'integer', (c) => c.notNull())
    .addColumn('made_at', 'text', (c) => c.notNull())
    .addColumn('ended_at', 'text', (c) => c.notNull())
    .addColumn('ended_date', 'text', (c) => c.notNull())
    .addColumn('ended_hour', 'integer', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('ended_by', 'text')
    .execute();
  const index = (name: string, columns: string[]) => schema.createIndex(name).on('claim_endings').columns(columns).execute();
  await index('claim_endings_claim', ['claim_id']);
  await index('claim_endings_character', ['character_key', 'ended_at']);
  await index('claim_endings_reason', ['reason', 'id']);
  await index('claim_endings_date', ['last_date']);
  await index('claim_endings_event', ['event_id']);

  await schema
    .alterTable('claim_parts')
    .addColumn('to_confirm', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  // What is due first stands first, in one order.
  await sql`
    create index claim_parts_to_confirm on claim_parts (last_date, hour_start, claim_id, part_number) where to_confirm = 1
  `.execute(db);

  await schema.alterTable('member_types').addColumn('max_hours_per_day', 'integer').execute();
  await schema.alterTable('member_types').addColumn('max_hours_per_event', 'integer').execute();
}
