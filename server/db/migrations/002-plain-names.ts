import { type Kysely, sql } from 'kysely';

/** Columns and stored codes get the names that the code uses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table clock rename column heard to subscribed_types',
  'alter table calendars rename column shown to shown_events',
  'alter table heartbeats rename column doubt to pause_reason',
  'alter table heartbeats rename column doubt_seconds to pause_seconds',
  'alter table destinations rename column place to last_event_id',
  'alter table destinations rename column heard_after to subscribed_after',
  'alter table destinations rename column asked_to_wait to rescheduled_attempts',
  'alter table push_subscriptions rename column rests_until to backoff_until',
  "update activity set action = 'change_undone' where action = 'deed_undone'",
  `update jobs set payload = replace(payload, '"deed":', '"change":') where kind = 'push.send'`,
  "update jobs set kind = 'hold.shorten' where kind = 'hold.cut'",
];
