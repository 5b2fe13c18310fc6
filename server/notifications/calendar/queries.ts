import { sql } from 'kysely';
import { eventDate, MAX_EVENT_DAYS } from '../../../shared/rules/event-period.ts';
import { addDays, datesBetween, instantOf, type ServerSaveClock } from '../../../shared/rules/server-save.ts';
import type { Flag } from '../../db/columns.ts';
import type { Db, Tx } from '../../db/open.ts';
import { MAX_EVENTS } from './advance.ts';
import type { Standing } from './shown.ts';

/** Server-save dates, both included. */
export interface Dates {
  from: string;
  to: string;
}

/** A calendar by its address. */
export interface FoundCalendar {
  character_key: string;
  character_name: string;
  access_key_id: number;
  token_hash: string;
  language: string;
  uid: string;
  shown: string;
}

/** The calendar of a token, whose owner still has the key that it was made with, and is not banned. */
export async function calendarOf(db: Db | Tx, token_hash: string): Promise<FoundCalendar | null> {
  const found = await db
    .selectFrom('calendars')
    .innerJoin('access_keys', 'access_keys.id', 'calendars.access_key_id')
    .select(['calendars.character_key', 'character_name', 'access_key_id', 'language', 'uid', 'shown'])
    .where('token_hash', '=', token_hash)
    .where('is_revoked', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('bans').select('bans.character_key').whereRef('bans.character_key', '=', 'calendars.character_key'))),
    )
    .executeTakeFirst();
  return found ? { ...found, token_hash } : null;
}

interface Row {
  claim_id: number;
  /** null: every date from the first to the last of its event. */
  date: string | null;
  first: string;
  last: string;
  part_number: number;
  respawn_id: number;
  respawn_name: string;
  hour_start: number;
  hour_end: number;
  is_secondary_claim: Flag;
}

/**
 * The parts of a character's claims on each of some dates, archived ones too, without holds; the latest, where they are more
 * than a calendar has.
 */
export async function standingOn(db: Db | Tx, character_key: string, dates: Dates, clock: ServerSaveClock): Promise<Standing[]> {
  const part = sql`part_number, respawn_id, respawns.name as respawn_name, hour_start, hour_end, is_secondary_claim`;
  const archivedPart = sql`part_number, respawn_id, respawn_name, hour_start, hour_end, is_secondary_claim`;
  const { from, to } = dates;
  // One statement: what is archived meanwhile is in one of the tables, and in one only.
  const { rows } = await sql<Row>`
    select claims.id as claim_id, date, date as first, date as last, ${part}
      from claims inner join claim_parts on claim_parts.claim_id = claims.id inner join respawns on respawns.id = respawn_id
      where character_key = ${character_key} and date >= ${from} and date <= ${to} and held_until is null
    union all select claims.id, date, start_time, end_time, ${part}
      from claims inner join events on events.id = claims.event_id
      inner join claim_parts on claim_parts.claim_id = claims.id inner join respawns on respawns.id = respawn_id
      where character_key = ${character_key} and date is null and end_time >= ${from} and held_until is null
    union all select archived_claims.id, date, date, date, ${archivedPart}
      from archived_claims inner join archived_claim_parts on archived_claim_parts.claim_id = archived_claims.id
      where character_key = ${character_key} and archived_claims.last_date >= ${from} and archived_claims.last_date <= ${to}
      and date is not null
    union all select archived_claims.id, date, start_time, end_time, ${archivedPart}
      from archived_claims inner join archived_events on archived_events.id = archived_claims.event_id
      inner join archived_claim_parts on archived_claim_parts.claim_id = archived_claims.id
      where character_key = ${character_key} and archived_claims.last_date >= ${from}
      and archived_claims.last_date <= ${addDays(to, MAX_EVENT_DAYS)} and date is null
    order by last desc, claim_id, part_number limit ${sql.lit(MAX_EVENTS)}`.execute(db);
  // One by one: as many claims as there may be, each on every date, would be a hundred times what a calendar has.
  return rows
    .values()
    .flatMap((row) => onEachDate(row, dates, clock))
    .take(MAX_EVENTS)
    .toArray();
}

function* onEachDate({ first, last, is_secondary_claim, ...row }: Row, { from, to }: Dates, clock: ServerSaveClock): Generator<Standing> {
  const [begin, end] = [eventDate(first), eventDate(last)];
  for (const date of datesBetween(begin > from ? begin : from, end < to ? end : to)) {
    yield {
      ...row,
      date,
      starts_at: instantOf(date, row.hour_start, clock).toISOString(),
      ends_at: instantOf(date, row.hour_end, clock).toISOString(),
      is_secondary: is_secondary_claim === 1,
    };
  }
}
