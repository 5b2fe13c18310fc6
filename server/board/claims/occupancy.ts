import { type EventPeriod, eventDate } from '../../../shared/rules/event-period.ts';
import { hoursIn } from '../../../shared/rules/hours.ts';
import { addDays, datesBetween, HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import type { PlannedPart } from '../../../shared/rules/submission.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import {
  BATCH_SIZE,
  type BoundRows,
  type Db,
  inBatches,
  preparedRows,
  type Tx,
  yieldToEventLoop,
} from '../../db/database.ts';
import type { OccupiedDaysTable, OccupiedHoursTable } from '../../db/schema.ts';
import { MANY_ROWS } from '../../db/unit-of-work.ts';

/** The occupancy rows of a stored claim. */
export interface Occupation {
  claim_id: number;
  character_key: string;
  parts: readonly PlannedPart[];
  dates: readonly string[];
}

/** An hour of a spot or a day of a character that is occupied already. */
export type Collision = { claim_id: number; date: string } & (
  | { type: 'hour'; part: PlannedPart }
  | { type: 'day' }
);

// Generators: the claims of an event of a year occupy millions of rows.
export function* occupiedDays(
  occupations: readonly Pick<Occupation, 'claim_id' | 'character_key' | 'dates'>[],
): Generator<OccupiedDaysTable> {
  for (const { claim_id, character_key, dates } of occupations)
    for (const date of dates) yield { character_key, date, claim_id };
}
export function* occupiedHours(
  occupations: readonly Omit<Occupation, 'character_key'>[],
): Generator<OccupiedHoursTable> {
  for (const { claim_id, parts, dates } of occupations)
    for (const part of parts)
      for (const date of dates)
        for (const hour of hoursIn(part))
          yield { respawn_id: part.respawn_id, date, hour, claim_id };
}

/**
 * Inserts the rows whose primary keys make double booking impossible (R7.1, R7.2), even if an earlier check missed a conflict. An occupied
 * row is skipped rather than violated, so that PostgreSQL's transaction can still read the conflicting claim. The caller must throw.
 * @returns the first collision, or null
 */
export async function occupy(
  tx: Tx,
  occupations: readonly Occupation[],
): Promise<Collision | null> {
  return (await occupyDays(tx, occupations)) ?? occupyHours(tx, occupations);
}

/** `occupy` for claims that keep their hours. */
export async function occupyDays(
  tx: Tx,
  occupations: readonly Pick<Occupation, 'claim_id' | 'character_key' | 'dates'>[],
): Promise<(Collision & { type: 'day' }) | null> {
  for await (const { claim_id, date } of insertDaysYieldingTaken(tx, occupiedDays(occupations)))
    return { type: 'day', claim_id, date };
  return null;
}

async function occupyHours(
  tx: Tx,
  occupations: readonly Omit<Occupation, 'character_key'>[],
): Promise<Collision | null> {
  for await (const { claim_id, respawn_id, date, hour } of insertHoursYieldingTaken(
    tx,
    occupiedHours(occupations),
  )) {
    const parts = occupations.find((each) => each.claim_id === claim_id)?.parts;
    const part = parts?.find(
      (each) => each.respawn_id === respawn_id && hoursIn(each).includes(hour),
    );
    if (part) return { type: 'hour', claim_id, part, date };
  }
  return null;
}

/** Inserts days, and yields those that other claims occupy. */
async function* insertDaysYieldingTaken(
  tx: Tx,
  days: Iterable<OccupiedDaysTable>,
): AsyncGenerator<OccupiedDaysTable> {
  for (const batch of inBatches(days)) {
    const inserted = await insertDays(tx, batch);
    if (batch.length === BATCH_SIZE) await yieldToEventLoop();
    if (inserted.length === batch.length) continue;
    const got = new Set(inserted.map((row) => `${row.date} ${row.character_key}`));
    yield* batch.filter(({ date, character_key }) => !got.has(`${date} ${character_key}`));
  }
}

/** Inserts hours, and yields those that other claims occupy. */
async function* insertHoursYieldingTaken(
  tx: Tx,
  hours: Iterable<OccupiedHoursTable>,
): AsyncGenerator<OccupiedHoursTable> {
  for (const batch of inBatches(hours)) {
    const inserted = await insertHours(tx, batch);
    if (batch.length === BATCH_SIZE) await yieldToEventLoop();
    if (inserted.length === batch.length) continue;
    const got = new Set(inserted.map((row) => `${row.respawn_id} ${row.date} ${row.hour}`));
    yield* batch.filter(({ respawn_id, date, hour }) => !got.has(`${respawn_id} ${date} ${hour}`));
  }
}

const insertDays = preparedRows((tx, rows: BoundRows<OccupiedDaysTable>) =>
  tx
    .insertInto('occupied_days')
    .values(
      rows.map((bound) => ({
        character_key: bound('character_key'),
        date: bound('date'),
        claim_id: bound('claim_id'),
      })),
    )
    .onConflict((row) => row.doNothing())
    .returning(['character_key', 'date'])
    .compile(),
);

const insertHours = preparedRows((tx, rows: BoundRows<OccupiedHoursTable>) =>
  tx
    .insertInto('occupied_hours')
    .values(
      rows.map((bound) => ({
        respawn_id: bound('respawn_id'),
        date: bound('date'),
        hour: bound('hour'),
        claim_id: bound('claim_id'),
      })),
    )
    .onConflict((row) => row.doNothing())
    .returning(['respawn_id', 'date', 'hour'])
    .compile(),
);

/** The claims that hold hours or days, by the claim that needs them. */
export type Obstructed = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * `occupy` for many claims (R7.1, R7.2).
 * @returns the claims that did not get all they need; the caller must throw or delete them. A claim is not in its own way.
 */
export async function occupyAll(tx: Tx, occupations: readonly Occupation[]): Promise<Obstructed> {
  const obstructed = new Map<number, Set<number>>();
  await findDayHolders(tx, occupations, obstructed);
  await findHourHolders(tx, occupations, obstructed);
  for (const [claim_id, holders] of obstructed) {
    holders.delete(claim_id);
    if (holders.size === 0) obstructed.delete(claim_id);
  }
  return obstructed;
}

/** The ids of the claims in the way. */
export const holdersIn = (obstructed: Obstructed): number[] => [
  ...new Set([...obstructed.values()].flatMap((holders) => [...holders])),
];

const DATE_LENGTH = '2026-11-21'.length;

type Found = Map<number, Set<number>>;

async function findDayHolders(
  tx: Tx,
  occupations: readonly Occupation[],
  found: Found,
): Promise<void> {
  const missing = new Map<string, Map<string, number[]>>();
  for await (const { character_key, date, claim_id } of insertDaysYieldingTaken(
    tx,
    occupiedDays(occupations),
  ))
    addTo(missing, character_key, { at: date, claim_id });
  for (const [character_key, dates] of missing) {
    const held = await tx
      .selectFrom('occupied_days')
      .select(['date', 'claim_id'])
      .where('character_key', '=', character_key)
      .execute();
    for (const { date, claim_id } of held) note(found, dates.get(date), claim_id);
  }
}

async function findHourHolders(
  tx: Tx,
  occupations: readonly Occupation[],
  found: Found,
): Promise<void> {
  const missing = new Map<number, Map<string, number[]>>();
  for await (const { respawn_id, date, hour, claim_id } of insertHoursYieldingTaken(
    tx,
    occupiedHours(occupations),
  ))
    addTo(missing, respawn_id, { at: `${date} ${hour}`, claim_id });
  for (const [respawn_id, hours] of missing) {
    const dates = [...hours.keys()].map((each) => each.slice(0, DATE_LENGTH)).sort();
    const held = await tx
      .selectFrom('occupied_hours')
      .select(['date', 'hour', 'claim_id'])
      .where('respawn_id', '=', respawn_id)
      .where('date', '>=', dates[0] ?? '')
      .where('date', '<=', dates.at(-1) ?? '')
      .execute();
    for (const { date, hour, claim_id } of held)
      note(found, hours.get(`${date} ${hour}`), claim_id);
  }
}

function addTo<K>(
  needed: Map<K, Map<string, number[]>>,
  key: K,
  { at, claim_id }: { at: string; claim_id: number },
): void {
  const there = needed.get(key) ?? new Map<string, number[]>();
  needed.set(key, there.set(at, [...(there.get(at) ?? []), claim_id]));
}

function note(found: Found, claim_ids: readonly number[] | undefined, holder: number): void {
  for (const claim_id of claim_ids ?? [])
    found.set(claim_id, (found.get(claim_id) ?? new Set()).add(holder));
}

/** Rows one statement deletes at most: SQLite blocks the event loop for 5 ms. */
export const FREED_PER_STATEMENT = 2_000;
const SPOT_DATES_PER_STATEMENT = Math.floor(FREED_PER_STATEMENT / HOURS_IN_DAY);

/** Server-save dates, both ends included. */
export interface DateRange {
  first: string;
  last: string;
}

const countDays = ({ first, last }: DateRange): number => datesBetween(first, last).length;

/** The dates of one range that are not in the other: at most one range at each end. */
export function datesOutside(range: DateRange, other: DateRange): DateRange[] {
  if (range.last < other.first || range.first > other.last) return [range];
  const outside: DateRange[] = [];
  if (range.first < other.first)
    outside.push({ first: range.first, last: addDays(other.first, -1) });
  if (range.last > other.last) outside.push({ first: addDays(other.last, 1), last: range.last });
  return outside;
}

/**
 * Frees the hours and days that whole-event claims occupy on some dates. Statements are bounded in rows: a claim of an event of a year
 * occupies up to 9,000.
 */
export async function freeDates(
  tx: Tx,
  claim_ids: readonly number[],
  range: DateRange,
): Promise<void> {
  for (const ids of inBatches(claim_ids)) {
    const parts = await tx
      .selectFrom('claim_parts')
      .select('respawn_id')
      .distinct()
      .where('claim_id', 'in', ids)
      .execute();
    const dates = datesBetween(range.first, range.last);
    // By spot and date, the start of the primary key.
    for (const someDates of inBatches(dates, SPOT_DATES_PER_STATEMENT)) {
      const first = someDates[0] ?? '';
      const last = someDates.at(-1) ?? first;
      for (const spots of inBatches(
        parts,
        Math.floor(SPOT_DATES_PER_STATEMENT / someDates.length),
      )) {
        await tx
          .deleteFrom('occupied_hours')
          .where(
            'respawn_id',
            'in',
            spots.map(({ respawn_id }) => respawn_id),
          )
          .where('date', '>=', first)
          .where('date', '<=', last)
          .where('claim_id', 'in', ids)
          .execute();
        await yieldToEventLoop();
      }
    }
  }
  // The index is of claims: each statement reads all days of its claims.
  for (const ids of inBatches(
    claim_ids,
    Math.max(1, Math.floor(FREED_PER_STATEMENT / countDays(range))),
  )) {
    await tx
      .deleteFrom('occupied_days')
      .where('claim_id', 'in', ids)
      .where('date', '>=', range.first)
      .where('date', '<=', range.last)
      .execute();
    await yieldToEventLoop();
  }
}

/** Frees all dates of the whole-event claims among these, before they are deleted. */
async function freeWholeEvents(tx: Tx, claim_ids: readonly number[]): Promise<void> {
  const whole = await tx
    .selectFrom('claims')
    .innerJoin('events', 'events.id', 'claims.event_id')
    .select(['claims.id', 'claims.event_id', 'events.start_time', 'events.end_time'])
    .where('claims.id', 'in', claim_ids)
    .where('claims.date', 'is', null)
    .execute();
  for (const claims of Map.groupBy(whole, ({ event_id }) => event_id).values()) {
    const [{ start_time, end_time } = { start_time: '', end_time: '' }] = claims;
    const ids = claims.map(({ id }) => id);
    await freeDates(tx, ids, { first: eventDate(start_time), last: eventDate(end_time) });
  }
}

/** Frees all that a claim occupies, before it occupies other hours or another date. */
export async function freeClaim(tx: Tx, claim_id: number): Promise<void> {
  for (const table of ['occupied_hours', 'occupied_days'] as const)
    await tx.deleteFrom(table).where('claim_id', '=', claim_id).execute();
}

export async function deleteClaimRows(tx: Tx, ids: readonly number[]): Promise<void> {
  // Leaves at most one day's hours of each claim to the deletion of its row.
  await freeWholeEvents(tx, ids);
  await tx.deleteFrom('claims').where('id', 'in', ids).execute();
}

/** Rows a claim occupies on a date: usually four hours and a day. */
const ROWS_PER_DATE = 5;

/** Roughly how many rows claims occupy. */
export const occupiedRows = (claims: number, dates = 1): number => claims * dates * ROWS_PER_DATE;

const daysOfEvent = ({ start_time, end_time }: EventPeriod): number =>
  datesBetween(eventDate(start_time), eventDate(end_time)).length;

/** Roughly how many rows the claims of an event occupy. */
export const rowsOfEvent = (
  event: Pick<Event, 'type' | 'claim_count' | 'start_time' | 'end_time'>,
): number =>
  occupiedRows(event.claim_count, event.type === 'single_claim' ? daysOfEvent(event) : 1);

/** How many hours some claims, or the claims on some spots, occupy; stops counting at `MANY_ROWS`. */
export async function countHours(
  db: Db,
  by: 'claim_id' | 'respawn_id',
  ids: readonly number[],
): Promise<number> {
  let count = 0;
  for (const some of inBatches(ids)) {
    const hours = db
      .selectFrom('occupied_hours')
      .select('hour')
      .where(by, 'in', some)
      .limit(MANY_ROWS);
    const { n } = await db
      .selectFrom(hours.as('hours'))
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    count += Number(n);
    if (count >= MANY_ROWS) break;
  }
  return count;
}
