import { type RawBuilder, sql } from 'kysely';
import type { Dialect, Tx } from '../database.ts';
import { CHANGE_SETS_KEPT } from '../unit-of-work.ts';

/**
 * Rows of each table that grows while a guild plays. SQLite plans without having counted them. On PostgreSQL, what a statement reads is
 * counted: far more than it may read.
 */
const ROWS: Readonly<Record<Dialect, number>> = { sqlite: 4_000, postgres: 20_000 };
/** Of the claims, those that are on the board while no event is active. */
const ON_BOARD = 300;
/** Open entries for claims on the board, twelve to a waitlist; the first of each has a hold. */
const IN_LINE = 2_400;
const LINES = 200;
const SPOTS = 100;
const EVENTS = 900;
/** One event in so many lasts as a whole, and its claims have no date. */
const ONE_WHOLE_IN = 50;

/** The tables that grow for as long as a guild plays. The others have as many rows as admins made. */
export const GROWING = [
  'access_keys',
  'activity',
  'activity_names',
  'admin_sessions',
  'archived_claim_parts',
  'archived_claims',
  'archived_events',
  'bans',
  'calendars',
  'changes',
  'claim_endings',
  'claim_parts',
  'claims',
  'deliveries',
  'events',
  'idempotent_answers',
  'images',
  'jobs',
  'occupied_days',
  'occupied_hours',
  'outbox',
  'push_subscriptions',
  'undo_images',
  'undo_pieces',
  'undos',
  'verifications',
  'waits',
] as const;

/** Fills a database with years of a guild's history before today, and a board's worth after it. */
export async function fillWithHistory(tx: Tx, dialect: Dialect, today: string): Promise<void> {
  const grown = ROWS[dialect];
  // The rows that each row refers to exist: looking them up one by one would cost as much as writing them.
  if (dialect === 'postgres') await sql`set local session_replication_role = replica`.execute(tx);
  const day = (offset: RawBuilder<unknown>) =>
    dialect === 'postgres'
      ? sql`to_char(date '${sql.raw(today)}' + (${offset})::int, 'YYYY-MM-DD')`
      : sql`date('${sql.raw(today)}', (${offset}) || ' days')`;
  const numbers = (count: number) =>
    sql.raw(
      `with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${count})`,
    );
  const rows = async (into: string, values: RawBuilder<unknown>, count = grown): Promise<void> => {
    await sql`insert into ${sql.raw(into)} ${numbers(count)} select ${values} from numbers`.execute(
      tx,
    );
  };
  const at = sql`${day(sql`-(i % 700) - 1`)} || 'T12:00:00.000Z'`;
  const later = sql`'2026-11-25T12:00:00.000Z'`;
  // The oldest first, and the last of them on the board.
  const date = day(
    sql`case when i > ${sql.raw(String(grown - ON_BOARD))} then i % 3 else (i - ${sql.raw(String(grown))}) / 20 - 1 end`,
  );
  const event = sql`case when i > ${sql.raw(String(grown - ON_BOARD))} or i % 2 = 0 then null else 101 + i / 25 end`;
  const isWhole = sql.raw(
    `(i <= ${grown - ON_BOARD} and i % 2 = 1 and (101 + i / 25) % ${ONE_WHOLE_IN} = 0)`,
  );
  const begins = day(sql`(i - ${sql.raw(String(EVENTS))}) - 3`);
  const type = sql`case when (100 + i) % ${sql.raw(String(ONE_WHOLE_IN))} = 0 then 'single_claim' else 'multiple_claims' end`;

  await rows(
    'events (id, name, name_key, type, start_time, end_time, is_active, created_at)',
    sql`100 + i, 'Week ' || i, 'week ' || i, ${type}, ${begins} || 'T10:00', ${begins} || 'T20:00', 0, ${at}`,
    EVENTS,
  );
  await rows(
    `claims (id, event_id, character_name, character_key, member_type, date, custom_duration, voucher_duration, is_secondary_claim,
      secondary_priority, primary_claim_id, is_split_claim, created_at)`,
    sql`i, ${event}, 'Old ' || (i % 500), 'old ' || (i % 500), 'member', case when ${isWhole} then null else ${date} end, 1, 4,
      case when i % 10 = 0 then 1 else 0 end, 0, case when i % 10 = 0 then i - 1 else null end, 0, ${at}`,
  );
  await rows(
    'archived_events (id, name, type, start_time, end_time, claim_count, created_at, archived_at)',
    sql`100000 + i, 'Week ' || i, 'multiple_claims', '2020-01-01', '2020-02-01', 25, ${at}, ${at}`,
  );
  await rows(
    `archived_claims (id, event_id, character_name, character_key, member_type, date, voucher_duration, is_secondary_claim, secondary_priority,
      is_split_claim, created_at, last_date)`,
    sql`100000 + i, 100000 + i / 25, 'Old ' || (i % 500), 'old ' || (i % 500), 'member', ${day(sql`i / 20 - 1500`)}, 4, 0, 0, 0, ${at},
      ${day(sql`i / 20 - 1500`)}`,
  );
  const spot = sql.raw(`1 + i % ${SPOTS}`);
  await rows(
    'archived_claim_parts (claim_id, part_number, respawn_id, respawn_name, hour_start, hour_end, last_date)',
    sql`100000 + i, 1, ${spot}, 'Spot', 2, 3, ${day(sql`i / 20 - 1500`)}`,
  );
  await rows(
    'claim_parts (claim_id, part_number, respawn_id, hour_start, hour_end, last_date)',
    sql`i, 1, ${spot}, 2, 3, ${date}`,
  );
  await rows(
    `claim_endings (claim_id, part_number, character_name, character_key, member_type, is_secondary_claim, respawn_id, respawn_name, event_id, date,
      first_date, last_date, hour_start, hour_end, made_at, ended_at, ended_date, ended_hour, reason, ended_by)`,
    sql`200000 + i, 1, 'Old ' || (i % 500), 'old ' || (i % 500), 'member', 0, ${spot}, 'Spot', 101 + i / 25, ${date}, ${date}, ${date}, 2, 3,
      ${at}, ${at}, ${day(sql`-(i % 700) - 1`)}, 4, case when i % 40 = 0 then 'no_show' else 'released' end, null`,
  );
  // Follows the board's claims, so that no entry gets an offer of taken hours.
  const occupied = sql`case when i > ${sql.raw(String(grown - ON_BOARD))} then ${date} else 'x' || i end`;
  await rows('occupied_hours (respawn_id, date, hour, claim_id)', sql`${spot}, ${occupied}, 2, i`);
  await rows(
    'occupied_days (character_key, date, claim_id)',
    sql`'old ' || (i % 500), ${occupied}, i`,
  );
  // An hour of the board's and the one behind it, tomorrow and the day after; the first in each line has the second one held.
  const lineDate = day(sql.raw(`1 + i / ${SPOTS} % 2`));
  const hold = sql.raw(`${grown} + i`);
  await rows(
    `claims (id, character_name, character_key, member_type, date, custom_duration, voucher_duration, is_secondary_claim, secondary_priority,
      is_split_claim, created_at, held_until)`,
    sql`${hold}, 'Next ' || i, 'next ' || i, 'member', ${lineDate}, 1, 4, 0, 0, 0, ${at}, ${later}`,
    LINES,
  );
  await rows(
    'claim_parts (claim_id, part_number, respawn_id, hour_start, hour_end, last_date)',
    sql`${hold}, 1, ${spot}, 3, 4, ${lineDate}`,
    LINES,
  );
  await rows(
    'occupied_hours (respawn_id, date, hour, claim_id)',
    sql`${spot}, ${lineDate}, 3, ${hold}`,
    LINES,
  );
  await rows(
    'occupied_days (character_key, date, claim_id)',
    sql`'next ' || i, ${lineDate}, ${hold}`,
    LINES,
  );
  const wait =
    'respawn_id, date, hour_start, hour_end, min_hours, character_name, character_key, member_type, status, position, created_at';
  await rows(
    `waits (${wait}, ended_at)`,
    sql`${spot}, ${day(sql`i / 20 - 1000`)}, 2, 4, 1, 'Old ' || (i % 500), 'old ' || (i % 500), 'member', 'lapsed', 0, ${at}, ${at}`,
  );
  const isHeld = sql.raw(`i <= ${LINES}`);
  await rows(
    `waits (${wait}, held_claim_id, held_until)`,
    sql`${spot}, ${lineDate}, 2, 4, 1, 'Next ' || i, 'next ' || i, 'member', case when ${isHeld} then 'offered' else 'waiting' end,
      (i - 1) / ${sql.raw(String(LINES))} + 1, ${at}, case when ${isHeld} then ${hold} else null end, case when ${isHeld} then ${later} else null end`,
    IN_LINE,
  );
  await rows(
    'calendars (character_key, access_key_id, token_hash, language, made_at, uid, shown_events)',
    sql`'member ' || i, i, 'hash ' || i, 'en', ${at}, 'uid ' || i, '[]'`,
  );
  await rows(
    'access_keys (character_name, character_key, key_value, member_type, created_at)',
    sql`'Old ' || i, 'old ' || i, 'KEY-' || i, 'member', ${at}`,
  );
  await rows(
    'verifications (character_name, character_key, code, token_hash, created_at, expires_at, verified_at, address_hash)',
    sql`'Old ' || i, 'old ' || i, 'CODE' || i, 'token ' || i, ${at}, ${later}, case when i % 3 = 0 then null else ${at} end, 'address ' || (i % 900)`,
  );
  await rows(
    'bans (character_key, character_name, created_at)',
    sql`'old ' || (i * 7), 'Old ' || (i * 7), ${at}`,
  );
  await rows(
    'admin_sessions (token_hash, admin_id, created_at, expires_at)',
    sql`'hash ' || i, 1, ${at}, ${later}`,
  );
  await rows(
    'activity (timestamp, action, actor_kind, actor_name, admin_id, admin_key, details)',
    sql`${at}, case when i % 40 = 0 then 'event_created' else 'claim_created' end, 'admin', 'admin', 1, case when i % 3 = 0 then 'admin' else null end, '{}'`,
  );
  await rows(
    'activity_names (name_key, entry_id)',
    sql`'old ' || (i % 500), (select min(id) from activity) + i`,
    grown - 1,
  );
  await rows(
    'undos (entry_id, version, made_at, claims, pieces)',
    sql`(select min(id) from activity) + i, 1, ${at}, 1, 1`,
    grown / 10,
  );
  await rows(
    'undo_images (undo_id, hash)',
    sql`(select min(id) from undos) + i - 1, 'unused ' || i`,
    grown / 10,
  );
  await rows(
    'undo_pieces (undo_id, piece, body)',
    sql`(select min(id) from undos) + i - 1, 0, '[]'`,
    grown / 10,
  );
  await rows(
    'images (hash, bytes, created_at)',
    sql`'hash ' || i, ${dialect === 'postgres' ? sql`'x'::bytea` : sql`'x'`}, ${at}`,
  );
  await rows(
    'idempotent_answers (credential_hash, idempotency_key, request_hash, answer, created_at)',
    sql`'c' || i, 'k' || i, 'r', '[]', ${later}`,
  );
  await rows('jobs (kind, key, due_at, payload)', sql`'test.later', 'k' || i, ${later}, '{}'`);
  await rows(
    'jobs (kind, key, due_at, payload, given_up_at)',
    sql`'test.given.up', 'k' || i, ${at}, '{}', ${later}`,
  );
  // A new subscriber gets none of these.
  await rows('outbox (at, type, body)', sql`${at}, 'claim.created', '{}'`);
  await rows(
    'channels (id, name, name_key, kind, url, events, language, is_enabled, last_event_id, created_at)',
    sql`120, 'Old', 'old', 'discord', 'https://discord.com/api/webhooks/1/x', '["claim.created"]', 'en', 0, 0, ${at}`,
    1,
  );
  await rows(
    'deliveries (channel_id, message_id, type, at, attempt, ms, outcome, answer)',
    sql`120, 'msg_' || i, 'claim.created', ${at}, 1, 1, 'delivered', ''`,
  );
  await rows(
    'push_subscriptions (character_key, access_key_id, endpoint, p256dh, auth, language, renewed_at)',
    sql`'old ' || i, (select min(id) from access_keys) + i - 1, 'https://push.example/' || i, 'p', 'a', 'en', ${at}`,
  );
  // The clock continues after them.
  await rows(
    'changes (clock, body, at)',
    sql`(select value from clock) + i, '[]', ${at}`,
    CHANGE_SETS_KEPT,
  );
  await sql`update clock set value = value + ${CHANGE_SETS_KEPT}, open_waits = ${IN_LINE}, next_due = ${later}`.execute(
    tx,
  );
  if (dialect === 'postgres')
    for (const table of ['events', 'access_keys', 'verifications', 'activity', 'claims', 'waits'])
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${grown + 100_000})`.execute(
        tx,
      );
}
