import { type QueryExecutorProvider, sql } from 'kysely';

/** Before all times: what is due then is due at the first look. */
const AT_ONCE = '2000-01-01T00:00:00.000Z';

/**
 * Waits end when the last of their hours does. The first of them is found by an index; when that is depends on the settings, so
 * for those who wait already it is looked up at the first look.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`create index waits_over on waits (date, hour_end) where ended_at is null`.execute(db);
  await sql`
    insert into jobs (kind, key, due_at, payload) select 'due.ends', '', ${AT_ONCE}, 'null' from clock where open_waits > 0
    on conflict (kind, key) do update set due_at = excluded.due_at, attempts = 0, last_error = null, given_up_at = null,
      revision = jobs.revision + 1
  `.execute(db);
  await sql`update clock set next_due = ${AT_ONCE} where open_waits > 0`.execute(db);
}
