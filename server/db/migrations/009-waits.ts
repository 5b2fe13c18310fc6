import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../open.ts';

/**
 * Lines for hours that are taken, and claims that are only held for whoever is next in one. The row that every write reads says
 * whether anybody waits, and when something ends by itself, so that a write asks no more where nothing does.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  await schema.alterTable('claims').addColumn('held_until', 'text').execute();
  await schema
    .alterTable('clock')
    .addColumn('open_waits', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema.alterTable('clock').addColumn('next_due', 'text').execute();
  const settings = { waits_enabled: 1, release_enabled: 0, confirm_enabled: 0, hold_minutes: 10, grace_minutes: 10 };
  for (const [name, value] of Object.entries(settings)) {
    await schema
      .alterTable('config')
      .addColumn(name, 'integer', (c) => c.notNull().defaultTo(value))
      .execute();
  }
  await makeWaits(db, dialect);
}

async function makeWaits(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  // An id never comes again: a watcher knows a record by it.
  const waits =
    dialect === 'postgres'
      ? db.schema.createTable('waits').addColumn('id', 'serial', (c) => c.primaryKey())
      : db.schema.createTable('waits').addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement());
  // They stay when the spot, the event or the claim goes.
  await waits
    .addColumn('respawn_id', 'integer', (c) => c.notNull())
    .addColumn('event_id', 'integer')
    .addColumn('date', 'text', (c) => c.notNull())
    .addColumn('hour_start', 'integer', (c) => c.notNull())
    .addColumn('hour_end', 'integer', (c) => c.notNull())
    .addColumn('min_hours', 'integer', (c) => c.notNull())
    .addColumn('character_name', 'text', (c) => c.notNull())
    .addColumn('character_key', 'text', (c) => c.notNull())
    .addColumn('member_type', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('held_claim_id', 'integer')
    .addColumn('held_until', 'text')
    .addColumn('ended_at', 'text')
    .execute();
  // Those that stand in line are few, however many ever did.
  await sql`create index waits_line on waits (respawn_id, date, id) where ended_at is null`.execute(db);
  await sql`create index waits_open on waits (id) where ended_at is null`.execute(db);
  await sql`create index waits_of on waits (character_key, date) where ended_at is null`.execute(db);
  await sql`create index waits_due on waits (held_until) where ended_at is null and held_until is not null`.execute(db);
  await sql`create index waits_ended on waits (character_key, ended_at) where ended_at is not null`.execute(db);
  await sql`create index waits_event on waits (event_id) where event_id is not null`.execute(db);
  await db.schema.createIndex('waits_date').on('waits').columns(['date', 'id']).execute();
}
