import { type RawBuilder, sql } from 'kysely';
import { DomainError } from '../../../shared/errors.ts';
import { eventDate, MAX_EVENT_DAYS } from '../../../shared/rules/event-period.ts';
import { hoursIn } from '../../../shared/rules/hours.ts';
import { addDays, HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import {
  MAX_RANKED,
  type Statistics,
  type StatisticsQuery,
} from '../../../shared/schemas/statistics.ts';
import { serverSaveToday } from '../../db/clock/server-save-clock.ts';
import type { Db, Dialect, Reading } from '../../db/database.ts';
import { RETRY_AFTER_S } from '../../db/errors.ts';
import { defineMemory } from '../../db/memory.ts';
import { activeEvent } from '../records/guild.ts';

/** Days up to today that are counted by default. */
const DAYS = 30;
/** How long a result is reused, in milliseconds. */
const FRESH_MS = 10_000;
/** Statistics that are counted or cached at the same time. */
export const COUNTED_AT_ONCE = 20;

/** Reads statistics. Equal queries within 10 s share one result. */
export type ReadStatistics = (query: StatisticsQuery) => Promise<Statistics>;

interface Counting {
  begun: number;
  isDone: boolean;
  statistics: Promise<Statistics>;
}

/** @throws DomainError event.notFound, server.busy if too many scopes are being counted */
export const readStatistics = defineMemory(createStatistics);

function createStatistics(ctx: Reading): ReadStatistics {
  const countings = new Map<string, Counting>();
  const evict = (now: number): void => {
    for (const [name, { begun, isDone }] of countings)
      if (isDone && Math.abs(now - begun) >= FRESH_MS) countings.delete(name);
    for (const [name, { isDone }] of countings)
      if (countings.size >= COUNTED_AT_ONCE && isDone) countings.delete(name);
    if (countings.size >= COUNTED_AT_ONCE)
      throw new DomainError('server.busy', { seconds: RETRY_AFTER_S });
  };
  return async (query) => {
    const period = await periodOf(ctx, query);
    const name = JSON.stringify(period);
    const now = ctx.now().getTime();
    const known = countings.get(name);
    if (known && Math.abs(now - known.begun) < FRESH_MS) return known.statistics;
    evict(now);
    const { event_id, from, to } = period;
    const counted = countStatistics(
      ctx.longReads,
      ctx.dialect,
      event_id === null ? { from, to } : { event_id },
    );
    const counting: Counting = {
      begun: now,
      isDone: false,
      statistics: counted.then((all) => ({ ...period, ...all })),
    };
    countings.set(name, counting);
    counting.statistics.then(
      () => {
        counting.isDone = true;
      },
      () => countings.delete(name),
    );
    return counting.statistics;
  };
}

type Period = Pick<Statistics, 'event_id' | 'event_name' | 'from' | 'to'>;

async function periodOf(ctx: Reading, { event_id, from, to }: StatisticsQuery): Promise<Period> {
  if (event_id === undefined && from !== undefined && to !== undefined)
    return { event_id: null, event_name: null, from, to };
  const event =
    event_id === undefined ? await activeEvent(ctx.db) : await eventEver(ctx.db, event_id);
  if (event)
    return {
      event_id: event.id,
      event_name: event.name,
      from: eventDate(event.start_time),
      to: eventDate(event.end_time),
    };
  if (event_id !== undefined) throw new DomainError('event.notFound');
  const today = serverSaveToday(ctx);
  return { event_id: null, event_name: null, from: addDays(today, 1 - DAYS), to: today };
}

/** Includes archived events. */
async function eventEver(db: Db, id: number) {
  for (const table of ['events', 'archived_events'] as const) {
    const event = await db
      .selectFrom(table)
      .select(['id', 'name', 'start_time', 'end_time'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (event) return event;
  }
  return null;
}

/** The scope: an event, or the dates from the first to the last. */
type Scope = { event_id: number } | { from: string; to: string };

type Sql = RawBuilder<unknown>;

/** The first ten characters of an event's time are its date. */
const dateOf = (time: string): Sql => sql`substr(${sql.ref(time)}, 1, 10)`;
/** All claims are between these. */
const EVER = '0001-01-01';
const NEVER = '9999-12-31';

/**
 * The used hours of primary claims, as rows (character_key, character_name, member_type, standing_id, hour_start, hour_end, days) for a
 * statement: existing and archived claims, and the past hours of deleted ones. Released hours, no-shows and hours that an admin's edit removed don't count.
 */
function spans(dialect: Dialect, scope: Scope): Sql {
  const [least, greatest] =
    dialect === 'postgres' ? [sql`least`, sql`greatest`] : [sql`min`, sql`max`];
  const [from, to] = 'event_id' in scope ? [EVER, NEVER] : [scope.from, scope.to];
  /** The number of dates from one to another; 0 if the second is earlier. */
  const days = (first: Sql, last: Sql): Sql =>
    dialect === 'postgres'
      ? sql`greatest(0, cast(${last} as date) - cast(${first} as date) + 1)`
      : sql`max(0, cast(julianday(${last}) - julianday(${first}) as integer) + 1)`;
  const within = (first: Sql, last: Sql): Sql =>
    days(sql`${greatest}(${first}, ${sql.lit(from)})`, sql`${least}(${last}, ${sql.lit(to)})`);
  const dayBefore = (date: Sql): Sql =>
    dialect === 'postgres'
      ? sql`to_char(cast(${date} as date) - 1, 'YYYY-MM-DD')`
      : sql`date(${date}, '-1 day')`;
  const who = sql`character_key, character_name, member_type, standing_id`;
  const length = sql`hour_start, hour_end`;
  /** Selects claims with dates in the scope. */
  const where = (event: string, date: string): Sql =>
    'event_id' in scope
      ? sql`${sql.ref(event)} = ${scope.event_id}`
      : sql`${sql.ref(date)} >= ${scope.from} and ${sql.ref(date)} <= ${scope.to}`;
  /** The same for claims of single_claim events, which last as long as the event. */
  const whileEvent = (event: string, events: string): Sql =>
    'event_id' in scope
      ? sql`${sql.ref(event)} = ${scope.event_id}`
      : sql`${sql.ref(`${events}.end_time`)} >= ${scope.from} and ${dateOf(`${events}.start_time`)} <= ${scope.to}`;
  /** By last date, which is indexed; an event has at most MAX_EVENT_DAYS. */
  const archivedWhole =
    'event_id' in scope
      ? sql`archived_claims.event_id = ${scope.event_id}`
      : sql`archived_claims.last_date >= ${scope.from} and archived_claims.last_date < ${addDays(scope.to, MAX_EVENT_DAYS)}
          and ${dateOf('archived_events.start_time')} <= ${scope.to}`;
  const ended = sql`is_secondary_claim = 0 and reason in ('admin', 'cleared', 'event', 'respawn')`;
  return sql`
    select ${who}, ${length}, 1 as days from claims inner join claim_parts on claim_parts.claim_id = claims.id
      where ${where('claims.event_id', 'claims.date')} and date is not null and is_secondary_claim = 0 and held_until is null
    union all select ${who}, ${length}, ${within(dateOf('start_time'), dateOf('end_time'))}
      from events inner join claims on claims.event_id = events.id inner join claim_parts on claim_parts.claim_id = claims.id
      where ${whileEvent('events.id', 'events')} and date is null and is_secondary_claim = 0 and held_until is null
    union all select ${who}, ${length}, 1
      from archived_claims inner join archived_claim_parts on archived_claim_parts.claim_id = archived_claims.id
      where ${where('archived_claims.event_id', 'archived_claims.last_date')} and date is not null and is_secondary_claim = 0
    union all select ${who}, ${length}, ${within(dateOf('start_time'), dateOf('end_time'))}
      from archived_claims inner join archived_events on archived_events.id = archived_claims.event_id
      inner join archived_claim_parts on archived_claim_parts.claim_id = archived_claims.id
      where ${archivedWhole} and date is null and is_secondary_claim = 0
    union all select ${who}, ${length}, ${within(sql`first_date`, sql`${least}(last_date, ${dayBefore(sql`ended_date`)})`)}
      from claim_endings where ${endedIn(scope)} and ${ended} and first_date < ended_date
    union all select ${who}, hour_start, ${least}(hour_end, ended_hour), 1
      from claim_endings where ${endedIn(scope)} and ${ended} and ended_hour > hour_start
      and ended_date >= ${greatest}(first_date, ${sql.lit(from)}) and ended_date <= ${least}(last_date, ${sql.lit(to)})`;
}

/** Ended claims with dates in the scope. */
const endedIn = (scope: Scope): Sql =>
  'event_id' in scope
    ? sql`event_id = ${scope.event_id}`
    : sql`last_date >= ${scope.from} and first_date <= ${scope.to}`;

type Counted = Omit<Statistics, 'event_id' | 'event_name' | 'from' | 'to'>;
/** A literal, since it limits groups and not the rows read. */
const LIMIT = sql.lit(MAX_RANKED);

/** The sums of claims, endings and waitlist entries of a scope. The database counts them, on `longReads`. */
async function countStatistics(longReads: Db, dialect: Dialect, scope: Scope): Promise<Counted> {
  const ofScope = spans(dialect, scope);
  const hours = sql`cast(sum((hour_end - hour_start) * days) as integer)`;
  const members = await sql<
    Member & { hours: number }
  >`select character_key, max(character_name) as character_name, member_type, ${hours} as hours
    from (${ofScope}) as span group by character_key, member_type order by hours desc, character_key, member_type limit ${LIMIT}`.execute(
    longReads,
  );
  const byRules = sql`cast(sum(case when standing_id is null then 0 else (hour_end - hour_start) * days end) as integer)`;
  const types = await sql<{
    member_type: string;
    hours: number;
    standing: number;
  }>`select member_type, ${hours} as hours,
    ${byRules} as standing from (${ofScope}) as span group by member_type order by hours desc, member_type limit ${LIMIT}`.execute(
    longReads,
  );
  const ranges = await sql<{
    hour_start: number;
    hour_end: number;
    days: number;
  }>`select hour_start, hour_end,
    cast(sum(days) as integer) as days from (${ofScope}) as span group by hour_start, hour_end`.execute(
    longReads,
  );
  const missed = await sql<
    Member & { count: number }
  >`select character_key, max(character_name) as character_name, member_type,
    cast(count(*) as integer) as count from claim_endings where reason = 'no_show' and is_secondary_claim = 0 and ${endedIn(scope)}
    group by character_key, member_type order by count desc, character_key, member_type limit ${LIMIT}`.execute(
    longReads,
  );
  return {
    hours_by_member: byMember(members.rows, missed.rows),
    hours_by_type: types.rows
      .filter((row) => row.hours > 0)
      .map(({ member_type, hours }) => ({ member_type, hours })),
    standing_hours: types.rows.reduce((sum, { standing }) => sum + standing, 0),
    transfers: await countTransfers(longReads, scope),
    hours_by_hour: byHour(ranges.rows),
    wanted_spots: await wantedSpots(longReads, scope),
    no_shows: noShows(missed.rows),
  };
}

/** A split claim counts once each time that it changes hands. */
async function countTransfers(longReads: Db, scope: Scope): Promise<Counted['transfers']> {
  const { rows } = await sql<{ reason: 'handed_over' | 'swapped'; count: number }>`select reason,
    cast(count(distinct claim_id || ' ' || ended_at) as integer) as count from claim_endings
    where reason in ('handed_over', 'swapped') and is_secondary_claim = 0 and ${endedIn(scope)} group by reason`.execute(
    longReads,
  );
  const countOf = (reason: 'handed_over' | 'swapped'): number =>
    rows.find((row) => row.reason === reason)?.count ?? 0;
  return { handed_over: countOf('handed_over'), swapped: countOf('swapped') };
}

interface Member {
  character_key: string;
  character_name: string;
  member_type: string;
}

/** Includes members who only have no-shows. */
function byMember(
  held: readonly (Member & { hours: number })[],
  missed: readonly (Member & { count: number })[],
) {
  const keyOf = ({ character_key, member_type }: Member): string =>
    `${character_key} ${member_type}`;
  const counts = new Map(missed.map((row) => [keyOf(row), row]));
  const withHours = new Set(held.map(keyOf));
  const only = missed
    .filter((row) => !withHours.has(keyOf(row)))
    .map((row) => ({ ...row, hours: 0 }));
  return [...held.filter((row) => row.hours > 0 || counts.has(keyOf(row))), ...only].map(
    ({ character_name, member_type, hours, ...row }) => {
      const no_shows = counts.get(keyOf({ character_name, member_type, ...row }))?.count ?? 0;
      return { character_name, member_type, hours, no_shows };
    },
  );
}

function byHour(
  ranges: readonly { hour_start: number; hour_end: number; days: number }[],
): Counted['hours_by_hour'] {
  const hours = Array.from({ length: HOURS_IN_DAY }, (_, hour) => ({ hour, hours: 0 }));
  for (const range of ranges)
    for (const hour of hoursIn(range)) {
      const at = hours[hour];
      if (at) at.hours += range.days;
    }
  return hours;
}

function noShows(missed: readonly (Member & { count: number })[]): Counted['no_shows'] {
  const counts = new Map<string, { character_name: string; count: number }>();
  for (const { character_key, character_name, count } of missed) {
    const known = counts.get(character_key);
    counts.set(character_key, { character_name, count: count + (known?.count ?? 0) });
  }
  return [...counts.values()].sort((one, other) => other.count - one.count);
}

/** The most wanted spots first; a deleted spot has no name. */
async function wantedSpots(longReads: Db, scope: Scope): Promise<Counted['wanted_spots']> {
  const found = await sql<
    Counted['wanted_spots'][number]
  >`select respawn_id, coalesce(max(respawns.name), '') as respawn_name,
    cast(count(*) as integer) as asked, cast(sum(case when status = 'accepted' then 1 else 0 end) as integer) as got,
    cast(sum(case when status in ('declined', 'lapsed', 'withdrawn', 'void') then 1 else 0 end) as integer) as lost
    from waits left join respawns on respawns.id = waits.respawn_id
    where ${'event_id' in scope ? sql`event_id = ${scope.event_id}` : sql`date >= ${scope.from} and date <= ${scope.to}`}
    group by respawn_id order by asked desc, respawn_id limit ${LIMIT}`.execute(longReads);
  return found.rows;
}
