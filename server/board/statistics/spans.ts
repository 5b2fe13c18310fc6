import { type RawBuilder, sql } from 'kysely';
import { MAX_EVENT_DAYS } from '../../../shared/rules/event-period.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { Dialect } from '../../db/open.ts';

/** Whose hours are counted: those of an event, or on dates from the first to the last. */
export type Scope = { event_id: number } | { from: string; to: string };

type Sql = RawBuilder<unknown>;

/** The first ten signs of an event's time are its date. */
const dateOf = (time: string): Sql => sql`substr(${sql.ref(time)}, 1, 10)`;
/** No claim is outside these. */
const [EVER, NEVER] = ['0001-01-01', '9999-12-31'];

/**
 * Hours of primary claims as rows (character_key, character_name, member_type, hour_start, hour_end, days), to be put into a
 * statement: of those that stand, those that are archived, and of those that ended what had been over by then. What was
 * given back or lost as a no-show had not been, and what an admin's edit took never was.
 */
export function spans(dialect: Dialect, scope: Scope): Sql {
  const [least, greatest] = dialect === 'postgres' ? [sql`least`, sql`greatest`] : [sql`min`, sql`max`];
  const [from, to] = 'event_id' in scope ? [EVER, NEVER] : [scope.from, scope.to];
  /** How many dates there are from one to another; none where it is earlier. */
  const days = (first: Sql, last: Sql): Sql =>
    dialect === 'postgres'
      ? sql`greatest(0, cast(${last} as date) - cast(${first} as date) + 1)`
      : sql`max(0, cast(julianday(${last}) - julianday(${first}) as integer) + 1)`;
  const within = (first: Sql, last: Sql): Sql => days(sql`${greatest}(${first}, ${sql.lit(from)})`, sql`${least}(${last}, ${sql.lit(to)})`);
  const dayBefore = (date: Sql): Sql =>
    dialect === 'postgres' ? sql`to_char(cast(${date} as date) - 1, 'YYYY-MM-DD')` : sql`date(${date}, '-1 day')`;
  const who = sql`character_key, character_name, member_type`;
  const length = sql`hour_start, hour_end`;
  /** Where claims of a table are found that have, or had, dates in the scope. */
  const where = (event: string, date: string): Sql =>
    'event_id' in scope
      ? sql`${sql.ref(event)} = ${scope.event_id}`
      : sql`${sql.ref(date)} >= ${scope.from} and ${sql.ref(date)} <= ${scope.to}`;
  /** The same of claims that last as long as their event. */
  const whileEvent = (event: string, events: string): Sql =>
    'event_id' in scope
      ? sql`${sql.ref(event)} = ${scope.event_id}`
      : sql`${sql.ref(`${events}.end_time`)} >= ${scope.from} and ${dateOf(`${events}.start_time`)} <= ${scope.to}`;
  /** By their last dates, which are indexed: no event is longer than the longest. */
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

/** Endings of claims that had dates in a scope. */
export const endedIn = (scope: Scope): Sql =>
  'event_id' in scope ? sql`event_id = ${scope.event_id}` : sql`last_date >= ${scope.from} and first_date <= ${scope.to}`;
