import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { addDays, serverSaveTime } from '../../../shared/rules/server-save.ts';
import { DATABASE_FILE } from '../../db/sqlite.ts';
import {
  BENCH_APPLICATION,
  discordUserOf,
  type Guild,
  HOURS_OF_BOARD,
  KEYS,
  keyOf,
  racerOf,
} from './numbered-claim.ts';
import { recountIn } from './recount.ts';
import { startSubject } from './subject.ts';

export interface GuildSize {
  /** Claims of past dates: half in ended events, half without an event. */
  history: number;
  /** Claims on the board, all in the active event. */
  board: number;
  /** For each number, a separate spot with that many past claims. */
  cleared?: readonly number[];
}

export interface FilledGuild extends Guild {
  data_dir: string;
  /** The active event. */
  event_id: number;
  ended_event_ids: number[];
  /** The spots for `cleared`, in its order. */
  cleared_spots: number[];
}

const ENDED_EVENTS = 5;
const HISTORY_HOURS = 2;
const DAY_HOURS = 24;
/** The longest event allowed, 366 dates; it began two days ago. */
const BEGAN_DAYS_AGO = 2;
const LAST_DAY = 363;

/**
 * Lets the server create a database and fills it by plain SQL, without the rules: a million claims take a minute.
 * @param root the server's repository; may be another version
 */
export async function fillGuild(
  root: string,
  data_dir: string,
  { history, board, cleared = [] }: GuildSize,
): Promise<FilledGuild> {
  await (await startSubject({ root, data_dir })).stop();
  const today = serverSaveTime(new Date(), {
    ss_time_zone: 'America/Los_Angeles',
    ss_hour: 1,
  }).date;
  const database = openForFilling(data_dir);
  try {
    const spots = Number(database.prepare('select count(*) from respawns').pluck().get());
    const fill = filler(database, new Date().toISOString());
    fill.keys();
    const cleared_spots = cleared.map((claims) => {
      const id = fill.spot();
      const days = Math.ceil(claims / DAY_HOURS);
      const where = { first_spot: id, spots: 1, first_hour: 0, slots: DAY_HOURS, hours: 1 };
      fill.claims({
        ...where,
        count: claims,
        first_date: addDays(today, -days - 1),
        event_id: null,
        who: `Camper ${id}`,
      });
      return id;
    });
    const all = { first_spot: 1, spots, who: 'Hunter' };
    const old = { ...all, first_hour: 0, slots: DAY_HOURS / HISTORY_HOURS, hours: HISTORY_HOURS };
    const rest = history - cleared.reduce((sum, claims) => sum + claims, 0);
    let until = addDays(today, -BEGAN_DAYS_AGO - 1);
    const past = (
      count: number,
      make: (first: string, last: string) => number | null,
    ): number | null => {
      const last = until;
      const first_date = addDays(last, -Math.ceil(count / (spots * old.slots)));
      until = addDays(first_date, -1);
      const event_id = make(first_date, last);
      if (count > 0) fill.claims({ ...old, count, first_date, event_id });
      return event_id;
    };
    past(Math.ceil(rest / 2), () => null);
    const ended = Array.from({ length: ENDED_EVENTS }, (_, n) =>
      past(Math.floor(rest / 2 / ENDED_EVENTS), (first, last) =>
        fill.event(`Old hunt ${n}`, first, last, 0),
      ),
    );
    const first_date = addDays(today, -BEGAN_DAYS_AGO);
    const event_id = fill.event('Bench', first_date, addDays(first_date, LAST_DAY), 1);
    const guild = {
      data_dir,
      today,
      spots,
      event_id,
      ended_event_ids: ended.flatMap((id) => id ?? []),
      cleared_spots,
    };
    await fillBoard(database, guild, { from: 0, until: board });
    return guild;
  } finally {
    database.close();
  }
}

/** Adds claims `from` to `until - 1` to the board of a guild whose server is stopped. */
export async function moreOnBoard(
  { data_dir, ...guild }: FilledGuild,
  more: { from: number; until: number },
): Promise<void> {
  const database = openForFilling(data_dir);
  try {
    await fillBoard(database, guild, more);
  } finally {
    database.close();
  }
}

/** Links each member of a guild whose server is stopped to a Discord user of their own. */
export function linkMembers({ data_dir }: FilledGuild, public_key: string): void {
  const database = openForFilling(data_dir);
  try {
    const at = new Date().toISOString();
    database
      .prepare(`insert into discord_app (id, application_id, public_key, bot_token, saved_at, first_interaction_at)
        values (1, :application_id, :public_key, 'bench-token', :at, :at)`)
      .run({ application_id: BENCH_APPLICATION, public_key, at });
    const users =
      database.prepare(`update access_keys set discord_user_id = :user, discord_name = character_name, discord_linked_at = :at,
      discord_language = 'en' where character_name = :name`);
    database.transaction(() => {
      for (let n = 0; n < KEYS; n++) users.run({ user: discordUserOf(n), name: racerOf(n), at });
    })();
    database.pragma('wal_checkpoint(truncate)');
  } finally {
    database.close();
  }
}

async function fillBoard(
  database: BetterSqlite.Database,
  { today, spots, event_id }: Omit<FilledGuild, 'data_dir'>,
  { from, until }: { from: number; until: number },
): Promise<void> {
  const slots = HOURS_OF_BOARD / HISTORY_HOURS;
  const where = {
    first_spot: 1,
    spots,
    first_hour: 0,
    slots,
    hours: HISTORY_HOURS,
    first_date: addDays(today, -BEGAN_DAYS_AGO),
  };
  filler(database, new Date().toISOString()).claims({
    ...where,
    from,
    count: until - from,
    event_id,
    who: 'Hunter',
  });
  await recountIn(database);
  database.pragma('wal_checkpoint(truncate)');
}

/** Without durability and foreign keys: the database is created again for each bench. */
function openForFilling(data_dir: string): BetterSqlite.Database {
  const database = new BetterSqlite(path.join(data_dir, DATABASE_FILE));
  database.pragma('synchronous = off');
  database.pragma('foreign_keys = off');
  database.pragma('cache_size = -500000');
  return database;
}

interface Claims {
  count: number;
  /** The number of the first claim. */
  from?: number;
  first_spot: number;
  spots: number;
  first_hour: number;
  /** Claims per spot and date, and their length in hours. */
  slots: number;
  hours: number;
  first_date: string;
  event_id: number | null;
  /** The prefix of the characters' names; a name occurs once a date. */
  who: string;
}

interface Filler {
  keys: () => void;
  spot: () => number;
  event: (name: string, first: string, last: string, is_active: 0 | 1) => number;
  claims: (claims: Claims) => void;
}

function filler(database: BetterSqlite.Database, at: string): Filler {
  const insert = (sql: string, values: Record<string, string | number | null>): number => {
    // A JavaScript number would be bound as a float, and division would not truncate.
    const whole = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? BigInt(value) : value,
    ]);
    return Number(database.prepare(sql).run(Object.fromEntries(whole)).lastInsertRowid);
  };
  return {
    keys: () => {
      const key =
        database.prepare(`insert into access_keys (character_name, character_key, key_value, member_type, created_at, is_revoked)
        values (:name, lower(:name), :key, 'member', :at, 0)`);
      database.transaction(() => {
        for (let n = 0; n < KEYS; n++) key.run({ name: racerOf(n), key: keyOf(n), at });
      })();
    },
    spot: () =>
      insert(
        `insert into respawns (name, name_key, image, category_id, created_at)
         select 'Bench spot ' || (max(id) + 1), 'bench spot ' || (max(id) + 1), max(image), max(category_id), :at from respawns`,
        { at },
      ),
    event: (name, first, last, is_active) =>
      insert(
        `insert into events (name, name_key, type, start_time, end_time, is_active, created_at)
         values (:name, lower(:name), 'multiple_claims', :first || 'T10:00', :last || 'T10:00', :is_active, :at)`,
        { name, first, last, is_active, at },
      ),
    claims: ({ count, from = 0, ...values }) => {
      const first_id = Number(
        database.prepare('select coalesce(max(id), 0) + 1 from claims').pluck().get(),
      );
      const all = { ...values, from, count, first_id, a_day: values.spots * values.slots, at };
      const numbers =
        'with recursive n(i) as (select :from union all select i + 1 from n where i < :from + :count - 1)';
      const hours =
        'h(hour) as (select 0 union all select hour + 1 from h where hour < :hours - 1)';
      const id = ':first_id + i - :from';
      const who = "(:who || ' ' || (i % :a_day))";
      const date = "date(:first_date, '+' || (i / :a_day) || ' days')";
      const spot = ':first_spot + (i % :a_day) / :slots';
      const hour = ':first_hour + (i % :slots) * :hours';
      database.transaction(() => {
        insert(
          `insert into claims (id, event_id, character_name, character_key, member_type, date, custom_duration, voucher_duration,
             is_secondary_claim, secondary_priority, primary_claim_id, is_split_claim, created_at)
           ${numbers} select ${id}, :event_id, ${who}, lower(${who}), 'member', ${date}, :hours, 4, 0, 0, null, 0, :at from n`,
          all,
        );
        insert(
          `insert into claim_parts (claim_id, part_number, respawn_id, hour_start, hour_end)
           ${numbers} select ${id}, 1, ${spot}, ${hour}, ${hour} + :hours from n`,
          all,
        );
        insert(
          `insert into occupied_hours (respawn_id, date, hour, claim_id)
           ${numbers}, ${hours} select ${spot}, ${date}, ${hour} + h.hour, ${id} from n, h order by 1, 2, 3`,
          all,
        );
        insert(
          `insert into occupied_days (character_key, date, claim_id) ${numbers} select lower(${who}), ${date}, ${id} from n order by 1, 2`,
          all,
        );
        insert(
          `insert into activity (timestamp, action, details)
           ${numbers} select :at, 'claim_created', json_object('by', ${who}, 'claim_id', ${id}, 'character_name', ${who},
             'member_type', 'member', 'date', ${date}, 'event_id', :event_id, 'places', json_array()) from n`,
          all,
        );
      })();
    },
  };
}
