import { sql } from 'kysely';
import { DomainError, type Json } from '../../../shared/errors.ts';
import { type AskedHours, assertWithinBudget, lengthOf } from '../../../shared/rules/budget.ts';
import type { HeldDay, TakenRange } from '../../../shared/rules/conflicts.ts';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { datesBetween } from '../../../shared/rules/server-save.ts';
import { lastOf, type PlannedClaim, type PlannedPart } from '../../../shared/rules/submission.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { EventFacts } from '../../../shared/schemas/event.ts';
import type { MemberType } from '../../../shared/schemas/member-type.ts';
import { byIds, inBatches } from '../../db/batches.ts';
import type { Tx } from '../../db/open.ts';
import { type BoundRows, preparedRows } from '../../db/prepared.ts';
import type { CategoriesTable, RespawnsTable } from '../../db/schema.ts';
import { imageUrl, type Place } from '../records/respawns.ts';
import { claimRows, loadClaims } from './claim-records.ts';

const first = (dates: readonly string[]): string => dates.reduce((a, b) => (a < b ? a : b));

/** What stands where a claim's part is to stand. */
export interface Standing {
  claim: PlannedClaim;
  part: PlannedPart;
  /** null: there is no such respawn. */
  respawn: (Place & { is_enabled: number }) | null;
  /** The first date on which others hold some of its hours; null: they are free. */
  taken_on: string | null;
  /** The first date on which its character has a claim; null: none. */
  held_on: string | null;
}

interface Row extends Pick<RespawnsTable, 'name' | 'image' | 'category_id'> {
  id: number | null;
  is_enabled: number;
  category_name: CategoriesTable['name'] | null;
  taken_on: string | null;
  held_on: string | null;
}

/** What stands where each part of some claims is to stand, in their order: a statement for all, and a row for each. */
export async function readStanding(tx: Tx, claims: readonly PlannedClaim[]): Promise<Standing[]> {
  const parts = claims.flatMap((claim) => claim.parts.map((part) => ({ claim, part })));
  const standing: Standing[] = [];
  for (const batch of inBatches(parts)) {
    const wanted = batch.map(({ claim, part: { respawn_id, hour_start, hour_end } }, nth) => ({
      ...{ nth, respawn_id, hour_start, hour_end, character_key: nameKey(claim.character_name) },
      ...{ first_date: first(claim.dates), last_date: lastOf(claim) },
    }));
    const rows = await standingOf(tx, wanted);
    for (const [nth, { id, name, image, category_id, category_name, is_enabled, taken_on, held_on }] of rows.entries()) {
      const respawn = id === null ? null : { id, name, image, image_url: imageUrl(image), category_id, category_name, is_enabled };
      const of = batch[nth];
      if (of) standing.push({ ...of, respawn, taken_on, held_on });
    }
  }
  return standing;
}

interface Wanted extends Pick<PlannedPart, 'respawn_id' | 'hour_start' | 'hour_end'> {
  nth: number;
  character_key: string;
  first_date: string;
  last_date: string;
}

const standingOf = preparedRows((tx, rows: BoundRows<Wanted>) => {
  const wanted = rows.map((bound) => {
    const numbers = (['nth', 'respawn_id', 'hour_start', 'hour_end'] as const).map((name) => sql`cast(${bound(name)} as integer)`);
    return sql`(${sql.join(numbers)}, ${bound('character_key')}, ${bound('first_date')}, ${bound('last_date')})`;
  });
  return sql<Row>`
    with wanted (nth, respawn_id, hour_start, hour_end, character_key, first_date, last_date) as (values ${sql.join(wanted)})
    select respawns.id, respawns.name, image, is_enabled, category_id, categories.name as category_name,
      (select min(date) from occupied_hours where occupied_hours.respawn_id = wanted.respawn_id and date between first_date and last_date
        and hour >= hour_start and hour < hour_end) as taken_on,
      (select min(date) from occupied_days where occupied_days.character_key = wanted.character_key
        and date between first_date and last_date) as held_on
    from wanted
    left join respawns on respawns.id = wanted.respawn_id
    left join categories on categories.id = respawns.category_id
    order by nth`.compile(tx);
});

/** The hours that stored claims hold on a claim's respawns and dates. */
export async function takenRanges(tx: Tx, claim: PlannedClaim): Promise<TakenRange[]> {
  const rows = await tx
    .selectFrom('occupied_hours')
    .select(['respawn_id', 'date', 'hour'])
    .where(
      'respawn_id',
      'in',
      claim.parts.map((part) => part.respawn_id),
    )
    .where('date', '>=', first(claim.dates))
    .where('date', '<=', lastOf(claim))
    .execute();
  return rows.map(({ respawn_id, date, hour }) => ({ respawn_id, date, hour_start: hour, hour_end: hour + 1 }));
}

/** The claims a character already has within a claim's dates. */
export async function heldDays(tx: Tx, claim: PlannedClaim): Promise<HeldDay[]> {
  return tx
    .selectFrom('occupied_days')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'occupied_days.claim_id')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select(['occupied_days.date', 'respawns.name as respawn_name', 'hour_start', 'hour_end'])
    .where('occupied_days.character_key', '=', nameKey(claim.character_name))
    .where('occupied_days.date', '>=', first(claim.dates))
    .where('occupied_days.date', '<=', lastOf(claim))
    .orderBy('occupied_days.date')
    .orderBy('hour_start')
    .execute();
}

const holds = (tx: Tx) =>
  tx
    .selectFrom('occupied_hours')
    .innerJoin('claims', 'claims.id', 'occupied_hours.claim_id')
    .select(['character_name', 'held_until', 'occupied_hours.date', 'hour'])
    .where('held_until', 'is not', null);
type HeldHour = Awaited<ReturnType<ReturnType<typeof holds>['execute']>>[number];

const taken = ({ character_name, held_until, date, hour }: HeldHour): DomainError =>
  new DomainError('hold.taken', { character_name, held_until, date, hour });

/** The refusal of hours of which some are held for somebody in line (R9.10); null: none are. */
export async function heldInTheWay(tx: Tx, { parts, dates }: Pick<PlannedClaim, 'parts' | 'dates'>): Promise<DomainError | null> {
  const sorted = [...dates].sort();
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
  for (const { respawn_id, hour_start, hour_end } of parts) {
    const found = await holds(tx)
      .where('respawn_id', '=', respawn_id)
      .where('occupied_hours.date', '>=', first)
      .where('occupied_hours.date', '<=', last)
      .where('hour', '>=', hour_start)
      .where('hour', '<', hour_end)
      .orderBy('occupied_hours.date')
      .orderBy('hour')
      .limit(1)
      .executeTakeFirst();
    if (found) return taken(found);
  }
  return null;
}

/** The same of claims that turned out to be in the way. */
export async function heldAmong(tx: Tx, claim_ids: readonly number[]): Promise<DomainError | null> {
  const [found] = await byIds(claim_ids, (some) =>
    holds(tx).where('claim_id', 'in', some).orderBy('occupied_hours.date').orderBy('hour').limit(1).execute(),
  );
  return found ? taken(found) : null;
}

/** @throws DomainError hold.isYours for a character for whom hours are held on one of some dates */
export async function assertHoldsNothing(tx: Tx, character_name: string, dates: readonly string[]): Promise<void> {
  const sorted = [...dates].sort();
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
  const found = await tx
    .selectFrom('occupied_days')
    .innerJoin('claims', 'claims.id', 'occupied_days.claim_id')
    .select(['occupied_days.date', 'held_until'])
    .where('occupied_days.character_key', '=', nameKey(character_name))
    .where('occupied_days.date', '>=', first)
    .where('occupied_days.date', '<=', last)
    .where('held_until', 'is not', null)
    .orderBy('occupied_days.date')
    .limit(1)
    .executeTakeFirst();
  if (found) throw new DomainError('hold.isYours', { character_name, ...found });
}

/**
 * R9.27, R9.28: what a character asks for lies within the budget of its type. Nothing is read where that has none.
 * @param event the active one
 * @throws DomainError budget.day, budget.event
 */
export async function assertInBudget(
  tx: Tx,
  character_name: string,
  asked: readonly AskedHours[],
  type: MemberType,
  event: EventFacts | null,
): Promise<void> {
  if (type.max_hours_per_day === null && type.max_hours_per_event === null) return;
  const isCounted = event !== null && type.max_hours_per_event !== null;
  assertWithinBudget(asked, type, isCounted ? { used: await hoursUsed(tx, nameKey(character_name), event, { held: false }) } : null);
}

/** What a submission's primary claims ask for. */
export const hoursAsked = (planned: readonly PlannedClaim[]): AskedHours[] =>
  planned.filter((claim) => !claim.is_secondary_claim).map(({ dates, parts }) => ({ dates, hours: lengthOf(parts) }));

/** What counts of somebody in the budget for an event, with what is held for them; null where there is none, and nothing is read. */
export async function hoursToOffer(
  tx: Tx,
  character_key: string,
  { max_hours_per_event }: MemberType,
  event: EventFacts | null,
): Promise<{ used: number } | null> {
  if (max_hours_per_event === null || !event) return null;
  return { used: await hoursUsed(tx, character_key, event, { held: true }) };
}

/**
 * The hours that a character has in an event, as `hoursInEvent` counts them.
 * @param held whether those that are held for it count, too
 */
async function hoursUsed(
  tx: Tx,
  character_key: string,
  { id, type, start_time, end_time }: EventFacts,
  { held }: { held: boolean },
): Promise<number> {
  const [first, last] = [eventDate(start_time), eventDate(end_time)];
  const all = tx
    .selectFrom('claims')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .select(({ eb, fn }) => fn.coalesce(fn.sum<number>(eb('hour_end', '-', eb.ref('hour_start'))), eb.lit(0)).as('hours'))
    .where('character_key', '=', character_key)
    // What is held without an event is of this one once it is accepted (R9.12).
    .where(({ eb, or, and }) => {
      const its = eb('event_id', '=', id);
      return held ? or([its, and([eb('event_id', 'is', null), eb('held_until', 'is not', null)])]) : its;
    })
    .where('is_secondary_claim', '=', 0);
  const own = held ? all : all.where('held_until', 'is', null);
  // By its dates, too, which are indexed with the character.
  const its = type === 'single_claim' ? own.where('date', 'is', null) : own.where('date', '>=', first).where('date', '<=', last);
  const { hours } = await its.executeTakeFirstOrThrow();
  return Number(hours) * (type === 'single_claim' ? datesBetween(first, last).length : 1);
}

/** What a refusal names in its sentence at most. */
const NAMED = 3;
/** Claims that its other parameters hold at most; how many there are, they say. */
export const LISTED = 100;

/** The first of a list for a sentence, and whether there is more. */
export function namedFirst(names: readonly string[]): string {
  const list = names.slice(0, NAMED).join('; ');
  return names.length > NAMED ? `${list}; …` : list;
}

type Code = 'event.claimsOutside' | 'event.hoursTaken' | 'activity.hoursTaken';

/**
 * A refusal that names the claims in the way: who holds which hours of which spot and date.
 * @param claims all of them, or enough to list
 * @param count how many they are
 */
export async function inTheWay(tx: Tx, code: Code, claims: readonly Claim[], count: number): Promise<DomainError> {
  const rows = await claimRows(tx, claims.slice(0, LISTED));
  const named = rows.map(({ id, character_name, respawn_name, date, hour_start, hour_end }) => {
    return { id, character_name, respawn_name, date, hour_start, hour_end };
  });
  const sentences = named.map((claim) =>
    [claim.character_name, claim.respawn_name, claim.date, `SS+${claim.hour_start}-${claim.hour_end}`].filter(Boolean).join(', '),
  );
  const params: Record<string, Json> = { count, list: namedFirst(sentences), claims: named };
  return new DomainError(code, params);
}

export async function inTheWayByIds(tx: Tx, code: Code, ids: readonly number[]): Promise<DomainError> {
  const first = [...ids].sort((a, b) => a - b).slice(0, LISTED);
  return inTheWay(tx, code, await loadClaims(tx, { of: 'ids', ids: first }), ids.length);
}
