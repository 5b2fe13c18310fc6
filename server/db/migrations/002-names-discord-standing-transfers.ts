import { type Kysely, sql } from 'kysely';

/**
 * Plain names for columns and stored codes, reopened waitlist entries, the first-run checklist, the Discord app with its direct messages,
 * standing claims and transfers.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  for (const statement of statements(dialect)) await sql.raw(statement).execute(db);
}

function statements(dialect: 'sqlite' | 'postgres'): string[] {
  const id = dialect === 'postgres' ? 'serial primary key' : 'integer primary key autoincrement';
  return [
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
      first_interaction_at text,
      message_error text,
      failures integer not null default 0,
      backoff_until text
    )`,
    `create table discord_interactions (
      id text primary key,
      at text not null
    )`,
    'create index discord_interactions_at on discord_interactions (at)',
    'alter table access_keys add column discord_user_id text',
    'alter table access_keys add column discord_name text',
    'alter table access_keys add column discord_linked_at text',
    'alter table access_keys add column discord_language text',
    'alter table access_keys add column discord_channel_id text',
    'alter table access_keys add column discord_closed_at text',
    'alter table access_keys add column discord_code_hash text',
    'alter table access_keys add column discord_code_expires_at text',
    'create index access_keys_discord_user on access_keys (discord_user_id) where discord_user_id is not null',
    'create unique index access_keys_discord_code on access_keys (discord_code_hash) where discord_code_hash is not null',
    // Direct messages of the Discord app
    'alter table push_preferences add column direct_hold_offered integer not null default 1',
    'alter table push_preferences add column direct_hunt_begins integer not null default 0',
    'alter table push_preferences add column direct_confirm_now integer not null default 1',
    'alter table push_preferences add column direct_claim_changed integer not null default 0',
    `create table direct_messages (
      id ${id},
      access_key_id integer not null references access_keys (id) on delete cascade,
      about text not null,
      subject text not null,
      channel_id text not null,
      message_id text not null,
      language text not null,
      notice text not null,
      until text not null,
      constraint direct_messages_of unique (access_key_id, about, subject)
    )`,
    'create index direct_messages_about on direct_messages (about)',
    'create index direct_messages_until on direct_messages (until)',
    // Standing claims: rules that make claims each week.
    'alter table config add column standing_enabled integer not null default 0',
    'alter table config add column standing_days_ahead integer not null default 7',
    'alter table config add column standing_per_character integer not null default 3',
    `create table standing_claims (
      id ${id},
      respawn_id integer not null,
      character_name text not null,
      character_key text not null,
      member_type text not null,
      weekdays text not null,
      hour_start integer not null,
      hour_end integer not null,
      from_date text not null,
      until_date text,
      join_waitlist integer not null default 0,
      is_paused integer not null default 0,
      next_date text,
      created_at text not null
    )`,
    'create index standing_claims_character on standing_claims (character_key)',
    'create index standing_claims_respawn on standing_claims (respawn_id)',
    // Each date that a rule was tried for, once: with its claim, or with the code of the refusal.
    `create table standing_occurrences (
      standing_id integer not null references standing_claims (id) on delete cascade,
      date text not null,
      tried_on text not null,
      claim_id integer,
      code text,
      wait_id integer,
      constraint standing_occurrences_pk primary key (standing_id, date)
    )`,
    // The rule that made a claim. The rule may have ended.
    'alter table claims add column standing_id integer',
    'create index claims_standing on claims (standing_id) where standing_id is not null',
    'alter table archived_claims add column standing_id integer',
    'alter table claim_endings add column standing_id integer',
    // Transfers. The claims may be deleted while an ended transfer stays, so it keeps their places.
    'alter table config add column transfers_enabled integer not null default 0',
    'alter table claim_endings add column to_name text',
    `create table transfers (
      id ${id},
      kind text not null,
      claim_id integer not null,
      for_claim_id integer,
      from_name text not null,
      from_key text not null,
      to_name text not null,
      to_key text not null,
      offered text not null,
      wanted text,
      created_at text not null,
      expires_at text not null,
      ended_at text,
      outcome text
    )`,
    'create unique index transfers_claim on transfers (claim_id) where ended_at is null',
    'create unique index transfers_for_claim on transfers (for_claim_id) where ended_at is null and for_claim_id is not null',
    'create index transfers_due on transfers (expires_at) where ended_at is null',
    'create index transfers_from on transfers (from_key, id)',
    'create index transfers_to on transfers (to_key, id)',
    'create index transfers_ended on transfers (ended_at) where ended_at is not null',
    // Members with notifications are notified of transfers, too.
    `update clock set subscribed_types = coalesce(subscribed_types || ' ', '') || 'claim.transferred transfer.ended transfer.offered'
      where exists (select 1 from push_subscriptions)`,
    // The write that made an entry of the activity log; null: an earlier version did.
    'alter table activity add column clock integer',
    'create index activity_clock on activity (clock) where clock is not null',
  ];
}
