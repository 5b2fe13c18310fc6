import { sql } from 'kysely';
import { hoursIn } from '../../../shared/rules/hours.ts';
import { HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import { MAX_RANKED, type Statistics } from '../../../shared/schemas/statistics.ts';
import type { Db, Dialect } from '../../db/open.ts';
import { endedIn, type Scope, spans } from './spans.ts';

type Counted = Omit<Statistics, 'event_id' | 'event_name' | 'from' | 'to'>;
/** What one may name at most; written into the statement, since it cuts what is counted and not what is read. */
const MOST = sql.lit(MAX_RANKED);

/** What claims, endings and waits of a scope come to. Everything is counted by the database, aside. */
export async function countStatistics(aside: Db, dialect: Dialect, scope: Scope): Promise<Counted> {
  const ofScope = spans(dialect, scope);
  const hours = sql`cast(sum((hour_end - hour_start) * days) as integer)`;
  const members = await sql<
    Member & { hours: number }
  >`select character_key, max(character_name) as character_name, member_type, ${hours} as hours
    from (${ofScope}) as span group by character_key, member_type order by hours desc, character_key, member_type limit ${MOST}`.execute(
    aside,
  );
  const types = await sql<{ member_type: string; hours: number }>`select member_type, ${hours} as hours
    from (${ofScope}) as span group by member_type order by hours desc, member_type limit ${MOST}`.execute(aside);
  const ranges = await sql<{ hour_start: number; hour_end: number; days: number }>`select hour_start, hour_end,
    cast(sum(days) as integer) as days from (${ofScope}) as span group by hour_start, hour_end`.execute(aside);
  const missed = await sql<Member & { count: number }>`select character_key, max(character_name) as character_name, member_type,
    cast(count(*) as integer) as count from claim_endings where reason = 'no_show' and is_secondary_claim = 0 and ${endedIn(scope)}
    group by character_key, member_type order by count desc, character_key, member_type limit ${MOST}`.execute(aside);
  return {
    hours_by_member: byMember(members.rows, missed.rows),
    hours_by_type: types.rows.filter((row) => row.hours > 0),
    hours_by_hour: byHour(ranges.rows),
    wanted_spots: await wantedSpots(aside, scope),
    no_shows: noShows(missed.rows),
  };
}

interface Member {
  character_key: string;
  character_name: string;
  member_type: string;
}

/** Also those who have nothing but no-shows. */
function byMember(held: readonly (Member & { hours: number })[], missed: readonly (Member & { count: number })[]) {
  const keyOf = ({ character_key, member_type }: Member): string => `${character_key} ${member_type}`;
  const counts = new Map(missed.map((row) => [keyOf(row), row]));
  const withHours = new Set(held.map(keyOf));
  const only = missed.filter((row) => !withHours.has(keyOf(row))).map((row) => ({ ...row, hours: 0 }));
  return [...held.filter((row) => row.hours > 0 || counts.has(keyOf(row))), ...only].map(
    ({ character_name, member_type, hours, ...row }) => {
      const no_shows = counts.get(keyOf({ character_name, member_type, ...row }))?.count ?? 0;
      return { character_name, member_type, hours, no_shows };
    },
  );
}

function byHour(ranges: readonly { hour_start: number; hour_end: number; days: number }[]): Counted['hours_by_hour'] {
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

/** Those for which most asked first; one that is gone has no name. */
async function wantedSpots(aside: Db, scope: Scope): Promise<Counted['wanted_spots']> {
  const found = await sql<Counted['wanted_spots'][number]>`select respawn_id, coalesce(max(respawns.name), '') as respawn_name,
    cast(count(*) as integer) as asked, cast(sum(case when status = 'accepted' then 1 else 0 end) as integer) as got,
    cast(sum(case when status in ('declined', 'lapsed', 'withdrawn', 'void') then 1 else 0 end) as integer) as lost
    from waits left join respawns on respawns.id = waits.respawn_id
    where ${'event_id' in scope ? sql`event_id = ${scope.event_id}` : sql`date >= ${scope.from} and date <= ${scope.to}`}
    group by respawn_id order by asked desc, respawn_id limit ${MOST}`.execute(aside);
  return found.rows;
}
