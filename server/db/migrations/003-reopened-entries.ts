import { type Kysely, sql } from 'kysely';

/** Waitlist entries that ended with their event: they come back if it is activated again the same day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table waits add column ended_with_event integer not null default 0`.execute(db);
}
