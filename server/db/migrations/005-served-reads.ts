import { type Kysely, sql } from 'kysely';

/** Indexes for what is asked and had none; `db/plans.test.ts` tells which questions read all of a table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('admin_sessions_expiry').on('admin_sessions').column('expires_at').execute();
  await db.schema.createIndex('admin_sessions_admin').on('admin_sessions').column('admin_id').execute();
  // Which events last into some dates, and then their claims that last with them.
  await db.schema.createIndex('events_end').on('events').column('end_time').execute();
  await sql`create index claims_whole on claims (event_id) where date is null`.execute(db);
  // The very first program made none.
  await db.schema.createIndex('idempotent_answers_age').ifNotExists().on('idempotent_answers').column('created_at').execute();
}
