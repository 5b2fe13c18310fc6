import { type Kysely, sql } from 'kysely';

/** Plain names for columns and stored codes, reopened waitlist entries, the first-run checklist and the Discord app. */
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
  // Waitlist entries that ended with their event come back if it is activated again the same day.
  'alter table waits add column ended_with_event integer not null default 0',
  // Skipped steps of the first-run checklist. A guild that has members needs no checklist.
  `alter table config add column setup text not null default '{"skipped":[],"is_dismissed":false}'`,
  `update config set setup = '{"skipped":[],"is_dismissed":true}' where exists (select 1 from access_keys)`,
  // The Discord app. A character's Discord user is stored with the key, because the link ends with it.
  `create table discord_app (
    id integer primary key check (id = 1),
    application_id text not null,
    public_key text not null,
    bot_token text not null,
    guild_id text,
    saved_at text not null,
    registered_at text,
    register_error text,
    first_interaction_at text
  )`,
  `create table discord_interactions (
    id text primary key,
    at text not null
  )`,
  'create index discord_interactions_at on discord_interactions (at)',
  'alter table access_keys add column discord_user_id text',
  'alter table access_keys add column discord_name text',
  'alter table access_keys add column discord_linked_at text',
  'alter table access_keys add column discord_code_hash text',
  'alter table access_keys add column discord_code_expires_at text',
  'create index access_keys_discord_user on access_keys (discord_user_id) where discord_user_id is not null',
  'create unique index access_keys_discord_code on access_keys (discord_code_hash) where discord_code_hash is not null',
];
