import { type ExpressionBuilder, sql } from 'kysely';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { datesBetween } from '../../../shared/rules/server-save.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { ClaimPartsTable, ClaimsTable, Database, EventsTable } from '../../db/schema.ts';
import { type Occupation, occupiedDays, occupiedHours } from './occupancy.ts';

/** A stored count that disagrees with a recount. */
interface WrongCount {
  type: 'respawn' | 'event' | 'archived event' | 'part of claim';
  id: number;
  kept: readonly (string | number | null)[];
  counted: readonly (string | number | null)[];
}

type Nullable<T> = { [K in keyof T]: T[K] | null };
type OfPart = Database & {
  claim_parts: ClaimPartsTable;
  claims: ClaimsTable;
  events: Nullable<EventsTable>;
};

const lastDate = (of: ExpressionBuilder<OfPart, 'claims' | 'events'>) =>
  of.fn.coalesce(
    'claims.date',
    of.fn<string>('substr', ['events.end_time', of.lit(1), of.lit(10)]),
    of.val(''),
  );

/** The counts of spots, archived claims included. Two parts of a split claim on one spot count once. */
const countedOfRespawns = (db: Db | Tx) =>
  db
    .selectFrom(
      db
        .selectFrom('claim_parts')
        .select(['respawn_id', 'claim_id', 'last_date'])
        .unionAll(
          db.selectFrom('archived_claim_parts').select(['respawn_id', 'claim_id', 'last_date']),
        )
        .as('part'),
    )
    .select(({ fn }) => [
      'respawn_id',
      fn.count<number>('claim_id').distinct().as('total_claims'),
      fn.max('last_date').as('last_claim_date'),
    ])
    .groupBy('respawn_id')
    .as('counted');

const countedOfEvents = (db: Db | Tx) =>
  db
    .selectFrom(
      db
        .selectFrom('claims')
        .select('event_id')
        .unionAll(db.selectFrom('archived_claims').select('event_id'))
        .as('claim'),
    )
    .select(({ fn }) => ['event_id', fn.countAll<number>().as('claim_count')])
    .groupBy('event_id')
    .as('counted');

/** Recounts every stored count, which takes seconds, and returns those that differ. */
export async function wrongCounts(db: Db | Tx): Promise<WrongCount[]> {
  const parts = await db
    .selectFrom('claim_parts')
    .innerJoin('claims', 'claims.id', 'claim_parts.claim_id')
    .leftJoin('events', 'events.id', 'claims.event_id')
    .select((of) => ['claim_id as id', 'last_date', lastDate(of).as('counted')])
    .where((of) => of('last_date', '<>', lastDate(of)))
    .orderBy('claim_id')
    .execute();
  const respawns = await db
    .selectFrom('respawns')
    .leftJoin(countedOfRespawns(db), 'counted.respawn_id', 'respawns.id')
    .select(({ fn, lit }) => [
      'id',
      'respawns.total_claims',
      'respawns.last_claim_date',
      fn.coalesce('counted.total_claims', lit(0)).as('counted'),
      'counted.last_claim_date as counted_date',
    ])
    .orderBy('id')
    .execute();
  const events = await db
    .selectFrom('events')
    .leftJoin(countedOfEvents(db), 'counted.event_id', 'events.id')
    .select(({ fn, lit }) => [
      'id',
      'events.claim_count',
      fn.coalesce('counted.claim_count', lit(0)).as('counted'),
    ])
    .orderBy('id')
    .execute();
  const archived = await db
    .selectFrom('archived_events')
    .leftJoin(countedOfEvents(db), 'counted.event_id', 'archived_events.id')
    .select(({ fn, lit }) => [
      'id',
      'archived_events.claim_count',
      fn.coalesce('counted.claim_count', lit(0)).as('counted'),
    ])
    // While an event is being archived, its count is with the event.
    .where('id', 'not in', db.selectFrom('events').select('events.id'))
    .orderBy('id')
    .execute();
  const all: WrongCount[] = [
    ...parts.map((row) => ({
      type: 'part of claim' as const,
      id: row.id,
      kept: [row.last_date],
      counted: [row.counted],
    })),
    ...respawns.map((row) => ({
      type: 'respawn' as const,
      id: row.id,
      kept: [row.total_claims, row.last_claim_date],
      counted: [row.counted, row.counted_date],
    })),
    ...events.map((row) => ({
      type: 'event' as const,
      id: row.id,
      kept: [row.claim_count],
      counted: [row.counted],
    })),
    ...archived.map((row) => ({
      type: 'archived event' as const,
      id: row.id,
      kept: [row.claim_count],
      counted: [row.counted],
    })),
  ];
  return all.filter(({ kept, counted }) => kept.some((value, at) => value !== counted[at]));
}

/** Recomputes every stored count, for claims that were inserted directly. */
export async function recount(tx: Tx): Promise<void> {
  await sql`update claim_parts set last_date = (
    select coalesce(claims.date, substr(events.end_time, 1, 10), '')
    from claims left join events on events.id = claims.event_id where claims.id = claim_parts.claim_id
  )`.execute(tx);
  await recountOwners(tx);
}

/** Recomputes the counts of spots and events; the claims' last dates must be right. */
export async function recountOwners(tx: Tx): Promise<void> {
  await sql`update respawns set
    total_claims = (select count(distinct claim_id) from claim_parts where claim_parts.respawn_id = respawns.id)
      + (select count(distinct claim_id) from archived_claim_parts where archived_claim_parts.respawn_id = respawns.id),
    last_claim_date = (select max(last_date) from (
      select max(last_date) as last_date from claim_parts where claim_parts.respawn_id = respawns.id
      union all select max(last_date) from archived_claim_parts where archived_claim_parts.respawn_id = respawns.id) as last)`.execute(
    tx,
  );
  for (const table of ['events', 'archived_events'])
    await sql`update ${sql.table(table)} set claim_count =
      (select count(*) from claims where claims.event_id = ${sql.table(table)}.id)
      + (select count(*) from archived_claims where archived_claims.event_id = ${sql.table(table)}.id)`.execute(
      tx,
    );
}

/** How the occupancy rows differ from the claims. */
interface WrongOccupancy {
  /** How many claims were checked. */
  claims: number;
  /** How many rows are missing or of no claim. */
  wrong: number;
  first: { what: 'missing' | 'surplus'; claim: number; date: string; hour: string } | null;
}

/** Claims checked at once; fewer if they cover many dates. */
const CLAIMS_AT_ONCE = 500;
const DATES_AT_ONCE = 20_000;
/** The bounds of ids in both databases. */
const BEFORE_ALL = -2_147_483_648;
const AFTER_ALL = 2_147_483_647;

type OccupancyRow = { claim_id: number; date: string } & (
  | { respawn_id: number; hour: number }
  | { character_key: string }
);

/** Compares every occupancy row with the claims, in batches. Call it in one transaction, or claims made meanwhile would be reported. */
export async function wrongOccupancy(db: Db | Tx): Promise<WrongOccupancy> {
  const dates = await datesOfEvents(db);
  const found: WrongOccupancy = { claims: 0, wrong: 0, first: null };
  const wrong = (what: 'missing' | 'surplus', row: OccupancyRow): void => {
    found.wrong += 1;
    found.first ??= {
      what,
      claim: row.claim_id,
      date: row.date,
      hour: 'hour' in row ? `SS+${row.hour}` : row.character_key,
    };
  };
  for (let after = BEFORE_ALL; ; ) {
    const { claims, isLast } = await claimsAfter(db, after, dates);
    // There may be rows of no claim after the last one.
    const until = isLast ? AFTER_ALL : (claims.at(-1)?.id ?? after);
    found.claims += claims.length;
    const occupations = await occupationsOf(db, claims, dates);
    const stored = await rowsBetween(db, after, until);
    compare([...occupiedHours(occupations)], stored.hours, wrong);
    compare([...occupiedDays(occupations)], stored.days, wrong);
    if (isLast) return found;
    after = until;
  }
}

const occupancyText = (row: OccupancyRow): string =>
  'hour' in row
    ? `${row.claim_id} ${row.respawn_id} ${row.date} ${row.hour}`
    : `${row.claim_id} ${row.date} ${row.character_key}`;

function compare(
  wanted: readonly OccupancyRow[],
  stored: readonly OccupancyRow[],
  wrong: (what: 'missing' | 'surplus', row: OccupancyRow) => void,
): void {
  const there = new Set(stored.map(occupancyText));
  for (const row of wanted) if (!there.delete(occupancyText(row))) wrong('missing', row);
  if (there.size > 0)
    for (const row of stored) if (there.has(occupancyText(row))) wrong('surplus', row);
}

async function datesOfEvents(db: Db | Tx): Promise<Map<number, string[]>> {
  const events = await db.selectFrom('events').select(['id', 'start_time', 'end_time']).execute();
  return new Map(
    events.map((event) => [
      event.id,
      datesBetween(eventDate(event.start_time), eventDate(event.end_time)),
    ]),
  );
}

const claimsFrom = (db: Db | Tx, after: number) =>
  db
    .selectFrom('claims')
    .select(['id', 'event_id', 'date', 'character_key', 'is_secondary_claim'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(CLAIMS_AT_ONCE)
    .execute();
type Claims = Awaited<ReturnType<typeof claimsFrom>>;
type Dates = ReadonlyMap<number, readonly string[]>;

async function claimsAfter(
  db: Db | Tx,
  after: number,
  dates: Dates,
): Promise<{ claims: Claims; isLast: boolean }> {
  const claims = await claimsFrom(db, after);
  let weight = 0;
  const most = claims.findIndex((claim) => {
    weight += coveredDates(claim, dates).length;
    return weight > DATES_AT_ONCE;
  });
  const taken = most === -1 ? claims : claims.slice(0, Math.max(most, 1));
  return {
    claims: taken,
    isLast: taken.length === claims.length && claims.length < CLAIMS_AT_ONCE,
  };
}

const coveredDates = ({ date, event_id }: Claims[number], dates: Dates): readonly string[] =>
  date === null ? (dates.get(event_id ?? 0) ?? []) : [date];

/** Secondary claims occupy nothing. */
async function occupationsOf(db: Db | Tx, claims: Claims, dates: Dates): Promise<Occupation[]> {
  const first = claims[0]?.id ?? 0;
  const last = claims.at(-1)?.id ?? -1;
  const parts = await db
    .selectFrom('claim_parts')
    .select(['claim_id', 'part_number', 'respawn_id', 'hour_start', 'hour_end'])
    .where('claim_id', '>=', first)
    .where('claim_id', '<=', last)
    .execute();
  const byClaim = Map.groupBy(parts, ({ claim_id }) => claim_id);
  return claims
    .filter(({ is_secondary_claim }) => !is_secondary_claim)
    .map((claim) => ({
      claim_id: claim.id,
      character_key: claim.character_key,
      parts: byClaim.get(claim.id) ?? [],
      dates: coveredDates(claim, dates),
    }));
}

async function rowsBetween(db: Db | Tx, after: number, until: number) {
  const hours = await db
    .selectFrom('occupied_hours')
    .select(['claim_id', 'respawn_id', 'date', 'hour'])
    .where('claim_id', '>', after)
    .where('claim_id', '<=', until)
    .execute();
  const days = await db
    .selectFrom('occupied_days')
    .select(['claim_id', 'date', 'character_key'])
    .where('claim_id', '>', after)
    .where('claim_id', '<=', until)
    .execute();
  return { hours, days };
}
