import { eventDate } from '../../../shared/rules/event-period.ts';
import { datesBetween } from '../../../shared/rules/server-save.ts';
import type { Db, Tx } from '../../db/open.ts';
import { daysOf, hoursOf, type Occupation } from './occupancy.ts';

/** How the rows that make double booking impossible differ from what the claims themselves say. */
export interface WrongOccupancy {
  /** How many claims were looked at. */
  claims: number;
  /** Rows that are missing, and rows of no claim. */
  wrong: number;
  first: { what: 'missing' | 'surplus'; claim: number; date: string; hour: string } | null;
}

/** Claims that are looked at together; fewer where they cover many dates. */
const CLAIMS_AT_ONCE = 500;
const DATES_AT_ONCE = 20_000;
/** Ids lie in between, in either database. */
const [BEFORE_ALL, AFTER_ALL] = [-2_147_483_648, 2_147_483_647];

type Row = { claim_id: number; date: string } & ({ respawn_id: number; hour: number } | { character_key: string });

/**
 * Holds every row that occupies an hour or a day against the claims, made anew of them: all there are, bit by bit. In one
 * transaction, or what is claimed meanwhile would be told.
 */
export async function wrongOccupancy(db: Db | Tx): Promise<WrongOccupancy> {
  const dates = await datesOfEvents(db);
  const found: WrongOccupancy = { claims: 0, wrong: 0, first: null };
  const wrong = (what: 'missing' | 'surplus', row: Row): void => {
    found.wrong += 1;
    found.first ??= { what, claim: row.claim_id, date: row.date, hour: 'hour' in row ? `SS+${row.hour}` : row.character_key };
  };
  for (let after = BEFORE_ALL; ; ) {
    const { claims, isLast } = await claimsAfter(db, after, dates);
    // Beyond the last of them there may still be rows of none.
    const until = isLast ? AFTER_ALL : (claims.at(-1)?.id ?? after);
    found.claims += claims.length;
    const occupations = await occupationsOf(db, claims, dates);
    const stored = await rowsBetween(db, after, until);
    compare([...hoursOf(occupations)], stored.hours, wrong);
    compare([...daysOf(occupations)], stored.days, wrong);
    if (isLast) return found;
    after = until;
  }
}

const textOf = (row: Row): string =>
  'hour' in row ? `${row.claim_id} ${row.respawn_id} ${row.date} ${row.hour}` : `${row.claim_id} ${row.date} ${row.character_key}`;

function compare(wanted: readonly Row[], stored: readonly Row[], wrong: (what: 'missing' | 'surplus', row: Row) => void): void {
  const there = new Set(stored.map(textOf));
  for (const row of wanted) if (!there.delete(textOf(row))) wrong('missing', row);
  if (there.size > 0) for (const row of stored) if (there.has(textOf(row))) wrong('surplus', row);
}

async function datesOfEvents(db: Db | Tx): Promise<Map<number, string[]>> {
  const events = await db.selectFrom('events').select(['id', 'start_time', 'end_time']).execute();
  return new Map(events.map((event) => [event.id, datesBetween(eventDate(event.start_time), eventDate(event.end_time))]));
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

async function claimsAfter(db: Db | Tx, after: number, dates: Dates): Promise<{ claims: Claims; isLast: boolean }> {
  const claims = await claimsFrom(db, after);
  let weight = 0;
  const most = claims.findIndex((claim) => {
    weight += datesOf(claim, dates).length;
    return weight > DATES_AT_ONCE;
  });
  const taken = most === -1 ? claims : claims.slice(0, Math.max(most, 1));
  return { claims: taken, isLast: taken.length === claims.length && claims.length < CLAIMS_AT_ONCE };
}

const datesOf = ({ date, event_id }: Claims[number], dates: Dates): readonly string[] =>
  date === null ? (dates.get(event_id ?? 0) ?? []) : [date];

/** What the claims hold; secondary ones hold nothing. */
async function occupationsOf(db: Db | Tx, claims: Claims, dates: Dates): Promise<Occupation[]> {
  const [first, last] = [claims[0]?.id ?? 0, claims.at(-1)?.id ?? -1];
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
      dates: datesOf(claim, dates),
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
