import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

/** The first schema. Databases have it: change it by adding the next migration. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  for (const statement of statements(dialect)) await sql.raw(statement).execute(db);
  const epoch = randomBytes(8).toString('hex');
  const address = randomBytes(32).toString('base64url');
  await sql`insert into clock (id, value, board_date, epoch) values (1, 0, '', ${epoch})`.execute(
    db,
  );
  await sql`insert into config (id, submission_enabled) values (1, 1)`.execute(db);
  // Hashes the addresses that ask for verification codes.
  await sql`insert into secrets (name, value) values ('address', ${address})`.execute(db);
}

function statements(dialect: 'sqlite' | 'postgres'): string[] {
  const isPostgres = dialect === 'postgres';
  // SQLite's autoincrement never gives a deleted record's id to a new one, which the live protocol relies on.
  const id = isPostgres ? 'serial primary key' : 'integer primary key autoincrement';
  const blob = isPostgres ? 'bytea' : 'blob';
  return [
    // The board's clock and its change sets
    `create table clock (
      id integer primary key check (id = 1),
      value bigint not null,
      board_date text not null,
      epoch text not null default '',
      open_waits integer not null default 0,
      next_due text,
      subscribed_types text
    )`,
    `create table changes (
      clock bigint primary key,
      body text not null,
      at text not null
    )`,
    `create table config (
      id integer primary key check (id = 1),
      submission_enabled integer not null,
      guild_name text,
      waits_enabled integer not null default 1,
      release_enabled integer not null default 0,
      confirm_enabled integer not null default 0,
      hold_minutes integer not null default 10,
      grace_minutes integer not null default 10,
      notifications_paused_at text,
      setup text not null default '{"skipped":[],"is_dismissed":false}',
      standing_enabled integer not null default 0,
      standing_days_ahead integer not null default 7,
      standing_per_character integer not null default 3,
      transfers_enabled integer not null default 0
    )`,
    `create table secrets (
      name text primary key,
      value text not null
    )`,
    // Spots
    `create table categories (
      id ${id},
      name text not null,
      name_key text not null unique
    )`,
    `create table respawns (
      id ${id},
      name text not null,
      name_key text not null unique,
      image text not null,
      category_id integer references categories (id),
      is_enabled integer not null default 1,
      created_at text not null,
      total_claims integer not null default 0,
      last_claim_date text
    )`,
    `create index respawns_category on respawns (category_id)`,
    `create table images (
      hash text primary key,
      bytes ${blob} not null,
      created_at text not null
    )`,
    // Members and events
    `create table member_types (
      member_type text primary key,
      name_key text not null unique,
      voucher_duration_hours integer not null check (voucher_duration_hours between 1 and 24),
      can_submit integer not null,
      earliest_submission_date text not null,
      allow_secondary_claims integer not null,
      background_color text not null,
      is_system integer not null,
      guild_ranks text not null,
      max_hours_per_day integer,
      max_hours_per_event integer
    )`,
    `create table events (
      id ${id},
      name text not null,
      name_key text not null unique,
      type text not null,
      start_time text not null,
      end_time text not null,
      single_claim_template text,
      is_active integer not null default 0,
      created_at text not null,
      claim_count integer not null default 0,
      is_leaving integer not null default 0
    )`,
    `create index events_end on events (end_time)`,
    `create index events_leaving on events (is_leaving) where is_leaving = 1`,
    // At most one event is active, even if two paths set it.
    `create unique index events_one_active on events (is_active) where is_active = 1`,
    `create table event_templates (
      id ${id},
      name text not null,
      name_key text not null unique,
      type text not null,
      days integer not null,
      weekday integer,
      start_clock text not null,
      end_clock text not null,
      single_claim_template text,
      claims text not null,
      made_events text not null,
      created_at text not null
    )`,
    `create table access_keys (
      id ${id},
      character_name text not null,
      character_key text not null unique,
      key_value text not null unique,
      created_by_username text,
      member_type text not null,
      created_at text not null,
      is_revoked integer not null default 0,
      discord_user_id text,
      discord_name text,
      discord_linked_at text,
      discord_language text,
      discord_channel_id text,
      discord_closed_at text,
      discord_code_hash text,
      discord_code_expires_at text
    )`,
    `create index access_keys_discord_user on access_keys (discord_user_id) where discord_user_id is not null`,
    `create unique index access_keys_discord_code on access_keys (discord_code_hash) where discord_code_hash is not null`,
    `create table verifications (
      id ${id},
      character_name text not null,
      character_key text not null,
      code text unique,
      token_hash text,
      created_at text not null,
      expires_at text,
      verified_at text,
      address_hash text
    )`,
    `create index verifications_address on verifications (address_hash, id)`,
    `create index verifications_character on verifications (character_key)`,
    // The open codes that expire, among verified records that stay.
    `create index verifications_open on verifications (created_at) where verified_at is null`,
    `create table bans (
      character_key text primary key,
      character_name text not null,
      created_at text not null
    )`,
    // When the last key of a character was deleted or, because the character was traded, replaced.
    `create table former_members (
      character_key text primary key,
      left_at text not null
    )`,
    // They belong to the character, so they survive a new access key; and their spots, so that undoing a deletion brings them back.
    `create table stars (
      character_key text not null,
      respawn_id integer not null,
      position integer not null,
      unused_since text,
      constraint stars_pk primary key (character_key, respawn_id)
    )`,
    // Admins
    `create table admins (
      id ${id},
      username text not null,
      username_key text not null unique,
      password_hash text not null,
      created_at text not null,
      role text not null default 'admin',
      has_generated_password integer not null default 0
    )`,
    `create table admin_sessions (
      token_hash text primary key,
      admin_id integer not null references admins (id) on delete cascade,
      created_at text not null,
      expires_at text not null
    )`,
    `create index admin_sessions_admin on admin_sessions (admin_id)`,
    `create index admin_sessions_expiry on admin_sessions (expires_at)`,
    `create table invitations (
      id ${id},
      username text not null,
      username_key text not null unique,
      role text not null,
      token_hash text not null unique,
      created_by_username text not null,
      created_at text not null,
      expires_at text not null
    )`,
    `create table wrong_tries (
      who text primary key,
      tries integer not null,
      until text not null,
      next_at text not null
    )`,
    `create index wrong_tries_until on wrong_tries (until)`,
    // Claims and the hours and days that they occupy
    `create table claims (
      id ${id},
      event_id integer references events (id) on delete cascade,
      character_name text not null,
      character_key text not null,
      member_type text not null,
      date text,
      custom_duration integer,
      voucher_duration integer not null,
      is_secondary_claim integer not null,
      secondary_priority integer not null,
      primary_claim_id integer references claims (id) on delete set null,
      is_split_claim integer not null,
      created_at text not null,
      held_until text,
      standing_id integer
    )`,
    `create index claims_character on claims (character_key, date)`,
    `create index claims_date on claims (date)`,
    `create index claims_event on claims (event_id, id)`,
    `create index claims_primary on claims (primary_claim_id)`,
    `create index claims_standing on claims (standing_id) where standing_id is not null`,
    `create index claims_whole on claims (event_id) where date is null`,
    `create index claims_without_event on claims (event_id, date, id) where event_id is null`,
    `create table claim_parts (
      claim_id integer not null references claims (id) on delete cascade,
      part_number integer not null,
      respawn_id integer not null references respawns (id),
      hour_start integer not null,
      hour_end integer not null,
      last_date text not null default '',
      to_confirm integer not null default 0,
      constraint claim_parts_pk primary key (claim_id, part_number),
      constraint claim_parts_hours check (hour_start >= 0 and hour_start < hour_end and hour_end <= 24)
    )`,
    `create index claim_parts_respawn on claim_parts (respawn_id, last_date, claim_id)`,
    `create index claim_parts_to_confirm on claim_parts (last_date, hour_start, claim_id, part_number) where to_confirm = 1`,
    // The last line of defence: a unique violation here becomes the same 409 as the rule.
    `create table occupied_hours (
      respawn_id integer not null references respawns (id),
      date text not null,
      hour integer not null check (hour between 0 and 23),
      claim_id integer not null references claims (id) on delete cascade,
      constraint occupied_hours_pk primary key (respawn_id, date, hour)
    )`,
    `create index occupied_hours_claim on occupied_hours (claim_id)`,
    `create table occupied_days (
      character_key text not null,
      date text not null,
      claim_id integer not null references claims (id) on delete cascade,
      constraint occupied_days_pk primary key (character_key, date)
    )`,
    `create index occupied_days_claim on occupied_days (claim_id)`,
    `create table claim_endings (
      id ${id},
      claim_id integer not null,
      part_number integer not null,
      character_name text not null,
      character_key text not null,
      member_type text not null,
      is_secondary_claim integer not null,
      respawn_id integer not null,
      respawn_name text not null,
      event_id integer,
      date text,
      first_date text not null,
      last_date text not null,
      hour_start integer not null,
      hour_end integer not null,
      made_at text not null,
      ended_at text not null,
      ended_date text not null,
      ended_hour integer not null,
      reason text not null,
      ended_by text,
      standing_id integer,
      to_name text
    )`,
    `create index claim_endings_character on claim_endings (character_key, ended_at)`,
    `create index claim_endings_claim on claim_endings (claim_id)`,
    `create index claim_endings_date on claim_endings (last_date)`,
    `create index claim_endings_event on claim_endings (event_id)`,
    `create index claim_endings_reason on claim_endings (reason, id)`,
    `create table idempotent_answers (
      credential_hash text not null,
      idempotency_key text not null,
      request_hash text not null,
      answer text not null,
      created_at text not null,
      constraint idempotent_answers_pk primary key (credential_hash, idempotency_key)
    )`,
    `create index idempotent_answers_age on idempotent_answers (created_at)`,
    // Waitlist
    `create table waits (
      id ${id},
      respawn_id integer not null,
      event_id integer,
      date text not null,
      hour_start integer not null,
      hour_end integer not null,
      min_hours integer not null,
      character_name text not null,
      character_key text not null,
      member_type text not null,
      status text not null,
      position integer not null,
      created_at text not null,
      held_claim_id integer,
      held_until text,
      ended_at text,
      quiet_until text,
      is_by_admin integer not null default 0,
      wanted_hours integer not null default 16777215,
      ended_with_event integer not null default 0
    )`,
    `create index waits_date on waits (date, id)`,
    `create index waits_due on waits (held_until) where ended_at is null and held_until is not null`,
    `create index waits_ended on waits (character_key, ended_at) where ended_at is not null`,
    `create index waits_event on waits (event_id) where event_id is not null`,
    `create index waits_line on waits (respawn_id, date, id) where ended_at is null`,
    `create index waits_of on waits (character_key, date) where ended_at is null`,
    `create unique index waits_one on waits (respawn_id, date, character_key) where ended_at is null`,
    `create index waits_open on waits (id) where ended_at is null`,
    `create index waits_over on waits (date, hour_end) where ended_at is null`,
    `create index waits_quiet on waits (quiet_until) where ended_at is null and quiet_until is not null`,
    // Weekly claims
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
      created_at text not null,
      access_key_id integer,
      ended_at text,
      end_reason text,
      respawn_name text
    )`,
    `create index standing_claims_character on standing_claims (character_key)`,
    `create index standing_claims_respawn on standing_claims (respawn_id)`,
    `create index standing_claims_ended on standing_claims (ended_at) where ended_at is not null`,
    // Each date that a weekly claim was tried for, once: with its claim, or with the code of the refusal.
    `create table standing_occurrences (
      standing_id integer not null references standing_claims (id) on delete cascade,
      date text not null,
      tried_on text not null,
      claim_id integer,
      code text,
      wait_id integer,
      constraint standing_occurrences_pk primary key (standing_id, date)
    )`,
    // The claims may be deleted while an ended transfer stays, so it has where and when they were.
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
    `create unique index transfers_claim on transfers (claim_id) where ended_at is null`,
    `create unique index transfers_for_claim on transfers (for_claim_id) where ended_at is null and for_claim_id is not null`,
    `create index transfers_due on transfers (expires_at) where ended_at is null`,
    `create index transfers_from on transfers (from_key, id)`,
    `create index transfers_to on transfers (to_key, id)`,
    `create index transfers_ended on transfers (ended_at) where ended_at is not null`,
    // Archive
    `create table archived_events (
      id integer primary key,
      name text not null,
      type text not null,
      start_time text not null,
      end_time text not null,
      single_claim_template text,
      claim_count integer not null,
      created_at text not null,
      archived_at text not null
    )`,
    `create table archived_claims (
      id integer primary key,
      event_id integer,
      character_name text not null,
      character_key text not null,
      member_type text not null,
      date text,
      custom_duration integer,
      voucher_duration integer not null,
      is_secondary_claim integer not null,
      secondary_priority integer not null,
      primary_claim_id integer,
      is_split_claim integer not null,
      created_at text not null,
      last_date text not null,
      standing_id integer
    )`,
    `create index archived_claims_character on archived_claims (character_key, last_date)`,
    `create index archived_claims_date on archived_claims (last_date)`,
    `create index archived_claims_event on archived_claims (event_id, id)`,
    `create table archived_claim_parts (
      claim_id integer not null references archived_claims (id) on delete cascade,
      part_number integer not null,
      respawn_id integer not null,
      respawn_name text not null,
      hour_start integer not null,
      hour_end integer not null,
      last_date text not null,
      constraint archived_claim_parts_pk primary key (claim_id, part_number)
    )`,
    `create index archived_claim_parts_respawn on archived_claim_parts (respawn_id, last_date, claim_id)`,
    // Activity log and undo
    `create table activity (
      id ${id},
      timestamp text not null,
      action text not null,
      admin_id integer,
      actor_name text,
      details text not null,
      undone_at text,
      admin_key text,
      undo_expired_at text,
      actor_kind text not null default 'server',
      clock integer
    )`,
    `create index activity_action on activity (action, id, timestamp, admin_key)`,
    `create index activity_admin on activity (admin_key, id, timestamp)`,
    `create index activity_clock on activity (clock) where clock is not null`,
    `create index activity_timestamp on activity (timestamp)`,
    `create table undos (
      id ${id},
      entry_id integer unique references activity (id) on delete cascade,
      version integer not null,
      made_at text not null,
      event text,
      claims integer not null,
      pieces integer not null,
      records integer not null default 0,
      record_pieces integer not null default 0
    )`,
    `create index undos_made_at on undos (made_at, id)`,
    `create table undo_pieces (
      undo_id integer not null references undos (id) on delete cascade,
      piece integer not null,
      body text not null,
      constraint undo_pieces_pk primary key (undo_id, piece)
    )`,
    `create table undo_images (
      undo_id integer not null references undos (id) on delete cascade,
      hash text not null,
      constraint undo_images_pk primary key (undo_id, hash)
    )`,
    `create index undo_images_hash on undo_images (hash)`,
    // Jobs and notifications
    `create table jobs (
      id ${id},
      kind text not null,
      key text not null,
      due_at text not null,
      payload text not null,
      attempts integer not null default 0,
      last_error text,
      leased_until text,
      revision integer not null default 0,
      given_up_at text,
      via text,
      constraint jobs_kind_key unique (kind, key)
    )`,
    `create index jobs_due on jobs (due_at, id) where given_up_at is null`,
    `create index jobs_given_up on jobs (given_up_at) where given_up_at is not null`,
    `create table news (
      id ${id},
      at text not null,
      type text not null,
      body text not null
    )`,
    `create index news_at on news (at)`,
    `create table destinations (
      id ${id},
      name text not null,
      name_key text not null unique,
      kind text not null,
      url text not null,
      secret text,
      old_secret text,
      old_secret_until text,
      events text not null,
      language text not null,
      is_enabled integer not null,
      switched_off text,
      last_event_id integer not null,
      waiting integer not null default 0,
      attempts integer not null default 0,
      next_try_at text,
      last_delivery_at text,
      last_error text,
      created_at text not null,
      subscribed_after text not null default '{}',
      rescheduled_attempts integer not null default 0
    )`,
    `create index destinations_on on destinations (id) where is_enabled = 1`,
    `create table deliveries (
      id ${id},
      destination_id integer not null references destinations (id) on delete cascade,
      message_id text not null,
      type text not null,
      at text not null,
      attempt integer not null,
      status integer,
      error text,
      ms integer not null,
      outcome text not null,
      answer text not null
    )`,
    `create index deliveries_of on deliveries (destination_id, id)`,
    `create table push_subscriptions (
      id ${id},
      character_key text not null,
      access_key_id integer not null references access_keys (id) on delete cascade,
      endpoint text not null,
      p256dh text not null,
      auth text not null,
      language text not null,
      renewed_at text not null,
      expires_at text,
      failures integer not null default 0,
      backoff_until text,
      constraint push_subscriptions_of unique (character_key, endpoint)
    )`,
    `create index push_subscriptions_key on push_subscriptions (access_key_id)`,
    `create table push_preferences (
      character_key text primary key,
      hold_offered integer not null,
      hunt_begins integer not null,
      confirm_now integer not null,
      claim_changed integer not null,
      quiet_from text,
      quiet_until text,
      time_zone text not null,
      direct_hold_offered integer not null default 1,
      direct_hunt_begins integer not null default 0,
      direct_confirm_now integer not null default 1,
      direct_claim_changed integer not null default 0
    )`,
    `create table push_reminders (
      hour_at text not null,
      at text not null,
      constraint push_reminders_pk primary key (hour_at, at)
    )`,
    `create table calendars (
      character_key text primary key,
      access_key_id integer not null,
      token_hash text unique,
      language text not null,
      made_at text not null,
      uid text not null,
      revision integer not null default 0,
      shown_events text not null
    )`,
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
    `create index discord_interactions_at on discord_interactions (at)`,
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
    `create index direct_messages_about on direct_messages (about)`,
    `create index direct_messages_until on direct_messages (until)`,
    // Operation
    `create table heartbeats (
      began_at text primary key,
      beat_at text not null,
      pause_reason text,
      pause_seconds integer not null default 0
    )`,
    `create table servers (
      id text primary key,
      started_at text not null,
      seen_at text not null,
      build text,
      settings text not null
    )`,
    `create table backups (
      id ${id},
      server text not null,
      folder text not null,
      file text not null,
      occasion text not null,
      started_at text not null,
      renewed_at text not null,
      ended_at text,
      percent integer,
      bytes bigint,
      error text
    )`,
    `create unique index backups_asked_running on backups (occasion) where ended_at is null and occasion = 'asked'`,
    `create table checkups (
      id ${id},
      server text not null,
      started_at text not null,
      renewed_at text not null,
      ended_at text,
      looking_at text,
      done integer not null default 0,
      checks text
    )`,
    `create unique index checkups_running on checkups ((ended_at is null)) where ended_at is null`,
  ];
}
