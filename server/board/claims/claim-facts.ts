import { sql } from 'kysely';
import { DomainError, type Json } from '../../../shared/errors.ts';
import { assertWithinBudget, type RequestedHours } from '../../../shared/rules/budget.ts';
import type { HeldDay, TakenRange } from '../../../shared/rules/conflicts.ts';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { datesBetween } from '../../../shared/rules/server-save.ts';
import { lastOf, type PlannedClaim, type PlannedPart } from '../../../shared/rules/submission.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { EventFacts } from '../../../shared/schemas/event.ts';
import type { MemberType } from '../../../shared/schemas/member-type.ts';
import { type BoundRows, inBatches, preparedRows, readByIds, type Tx } from '../../db/database.ts';
import type { CategoriesTable, RespawnsTable } from '../../db/schema.ts';
import { imageUrl, type RespawnLabel } from '../records/respawns.ts';
import { claimRows, loadClaims } from './claim-records.ts';

const first = (dates: readonly string[]): string => dates.reduce((a, b) => (a < b ? a : b));

/** The facts that decide whether a part of a claim may be stored. */
export interface PartFacts {
  claim: PlannedClaim;
  part: PlannedPart;
  /** null: it does not exist. */
  respawn: (RespawnLabel & { is_enabled: number }) | null;
  /** The first date on which some of its hours are occupied; null: all are free. */
  taken_on: string | null;
  /** The first date on which its character has a claim or hold; null: none. */
  held_on: string | null;
}

interface Row extends Pick<RespawnsTable, 'name' | 'image' | 'category_id'> {
  id: number | null;
  is_enabled: number;
  category_name: CategoriesTable['name'] | null;
  taken_on: string | null;
  held_on: string | null;
}

/** Reads the facts of each part, in order, with one statement. */
export async function readPartFacts(tx: Tx, claims: readonly PlannedClaim[]): Promise<PartFacts[]> {
  const parts = claims.flatMap((claim) => claim.parts.map((part) => ({ claim, part })));
  const facts: PartFacts[] = [];
  for (const batch of inBatches(parts)) {
    const wanted = batch.map(({ claim, part: { respawn_id, hour_start, hour_end } }, nth) => ({
      nth,
      respawn_id,
      hour_start,
      hour_end,
      character_key: nameKey(claim.character_name),
      first_date: first(claim.dates),
      last_date: lastOf(claim),
    }));
    const rows = await partFactsOf(tx, wanted);
    for (const [
      nth,
      { id, name, image, category_id, category_name, is_enabled, taken_on, held_on },
    ] of rows.entries()) {
      const respawn =
        id === null
          ? null
          : { id, name, image, image_url: imageUrl(image), category_id, category_name, is_enabled };
      const of = batch[nth];
      if (of) facts.push({ ...of, respawn, taken_on, held_on });
    }
  }
  return facts;
}

interface Wanted extends Pick<PlannedPart, 'respawn_id' | 'hour_start' | 'hour_end'> {
  nth: number;
  character_key: string;
  first_date: string;
  last_date: string;
}

const partFactsOf = preparedRows((tx, rows: BoundRows<Wanted>) => {
  const wanted = rows.map((bound) => {
    const numbers = (['nth', 'respawn_id', 'hour_start', 'hour_end'] as const).map(
      (name) => sql`cast(${bound(name)} as integer)`,
    );
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

/** The occupied hours on a claim's spots and dates. */
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
  return rows.map(({ respawn_id, date, hour }) => ({
    respawn_id,
    date,
    hour_start: hour,
    hour_end: hour + 1,
  }));
}

/** The claims that a claim's character has on its dates. @param except claims that the character is giving away */
export async function heldDays(
  tx: Tx,
  claim: Pick<PlannedClaim, 'character_name' | 'dates'>,
  except: readonly number[] = [],
): Promise<HeldDay[]> {
  const days = tx
    .selectFrom('occupied_days')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'occupied_days.claim_id')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select(['occupied_days.date', 'respawns.name as respawn_name', 'hour_start', 'hour_end'])
    .where('occupied_days.character_key', '=', nameKey(claim.character_name))
    .where('occupied_days.date', '>=', first(claim.dates))
    .where('occupied_days.date', '<=', lastOf(claim))
    .orderBy('occupied_days.date')
    .orderBy('hour_start');
  return (
    except.length === 0 ? days : days.where('occupied_days.claim_id', 'not in', except)
  ).execute();
}

export async function datesOf(tx: Tx, { date, event_id }: Claim): Promise<string[]> {
  if (date !== null) return [date];
  const event = await tx
    .selectFrom('events')
    .select(['start_time', 'end_time'])
    .where('id', '=', event_id)
    .executeTakeFirstOrThrow();
  return datesBetween(eventDate(event.start_time), eventDate(event.end_time));
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

/** The refusal if some of the hours are held for a member on the waitlist (R9.10); null: none are. */
export async function holdRefusal(
  tx: Tx,
  { parts, dates }: Pick<PlannedClaim, 'parts' | 'dates'>,
): Promise<DomainError | null> {
  const sorted = [...dates].sort();
  const first = sorted[0] ?? '';
  const last = sorted.at(-1) ?? '';
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

/** The refusal if one of these claims, which are in the way, is a hold. */
export async function holdRefusalOf(
  tx: Tx,
  claim_ids: readonly number[],
): Promise<DomainError | null> {
  const [found] = await readByIds(claim_ids, (some) =>
    holds(tx)
      .where('claim_id', 'in', some)
      .orderBy('occupied_hours.date')
      .orderBy('hour')
      .limit(1)
      .execute(),
  );
  return found ? taken(found) : null;
}

/** @throws DomainError hold.isYours if hours are held for the character on one of the dates */
export async function assertHasNoHold(
  tx: Tx,
  character_name: string,
  dates: readonly string[],
): Promise<void> {
  const sorted = [...dates].sort();
  const first = sorted[0] ?? '';
  const last = sorted.at(-1) ?? '';
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

interface BudgetClaim {
  character_name: string;
  requested: readonly RequestedHours[];
  type: MemberType;
  event: EventFacts | null;
  /** Claims that the character is giving away. */
  except?: readonly number[];
}

/**
 * R9.27, R9.28: the requested hours fit the budget of the character's type.
 * @throws DomainError budget.day, budget.event
 */
export async function assertInBudget(
  tx: Tx,
  { character_name, requested, type, event, except = [] }: BudgetClaim,
): Promise<void> {
  if (type.max_hours_per_day === null && type.max_hours_per_event === null) return;
  const isCounted = event !== null && type.max_hours_per_event !== null;
  assertWithinBudget(
    requested,
    type,
    isCounted
      ? { used: await hoursUsed(tx, event, { character_key: nameKey(character_name), except }) }
      : null,
  );
}

/** The hours of an event's budget that a character has used, holds included; null: its type has no such budget. */
export async function hoursUsedForOffer(
  tx: Tx,
  event: EventFacts | null,
  { character_key, type }: { character_key: string; type: MemberType },
): Promise<{ used: number } | null> {
  if (type.max_hours_per_event === null || !event) return null;
  return { used: await hoursUsed(tx, event, { character_key, countsHolds: true }) };
}

interface Counted {
  character_key: string;
  countsHolds?: boolean;
  /** Claims that don't count. */
  except?: readonly number[];
}

/** The hours that a character has in an event, by the rule `hoursInEvent`. */
async function hoursUsed(
  tx: Tx,
  { id, type, start_time, end_time }: EventFacts,
  { character_key, countsHolds = false, except = [] }: Counted,
): Promise<number> {
  const first = eventDate(start_time);
  const last = eventDate(end_time);
  const all = tx
    .selectFrom('claims')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .select(({ eb, fn }) =>
      fn.coalesce(fn.sum<number>(eb('hour_end', '-', eb.ref('hour_start'))), eb.lit(0)).as('hours'),
    )
    .where('character_key', '=', character_key)
    // A hold without an event becomes a claim of this event when it is accepted (R9.12).
    .where(({ eb, or, and }) => {
      const its = eb('event_id', '=', id);
      return countsHolds
        ? or([its, and([eb('event_id', 'is', null), eb('held_until', 'is not', null)])])
        : its;
    })
    .where('is_secondary_claim', '=', 0);
  const kept = except.length === 0 ? all : all.where('claims.id', 'not in', except);
  const own = countsHolds ? kept : kept.where('held_until', 'is', null);
  // The event's dates are implied, but the index is of characters and dates.
  const its =
    type === 'single_claim'
      ? own.where('date', 'is', null)
      : own.where('date', '>=', first).where('date', '<=', last);
  const { hours } = await its.executeTakeFirstOrThrow();
  return Number(hours) * (type === 'single_claim' ? datesBetween(first, last).length : 1);
}

/** Names that a refusal's sentence lists. */
const NAMED = 3;
/** Claims that a refusal's parameters list; they also say how many there are. */
export const LISTED = 100;

/** The first names, and `…` if there are more. */
export function firstNames(names: readonly string[]): string {
  const list = names.slice(0, NAMED).join('; ');
  return names.length > NAMED ? `${list}; …` : list;
}

type Code = 'event.claimsOutside' | 'event.hoursTaken' | 'activity.hoursTaken';

/**
 * A refusal that names the claims in the way, with their hours, spots and dates.
 * @param claims at least the first `LISTED`
 * @param count of all claims in the way
 */
export async function refusalNaming(
  tx: Tx,
  code: Code,
  { claims, count }: { claims: readonly Claim[]; count: number },
): Promise<DomainError> {
  const rows = await claimRows(tx, claims.slice(0, LISTED));
  const named = rows.map(({ id, character_name, respawn_name, date, hour_start, hour_end }) => {
    return { id, character_name, respawn_name, date, hour_start, hour_end };
  });
  const sentences = named.map((claim) =>
    [
      claim.character_name,
      claim.respawn_name,
      claim.date,
      `SS+${claim.hour_start}-${claim.hour_end}`,
    ]
      .filter(Boolean)
      .join(', '),
  );
  const params: Record<string, Json> = { count, list: firstNames(sentences), claims: named };
  return new DomainError(code, params);
}

export async function refusalNamingIds(
  tx: Tx,
  code: Code,
  ids: readonly number[],
): Promise<DomainError> {
  const first = [...ids].sort((a, b) => a - b).slice(0, LISTED);
  const claims = await loadClaims(tx, { type: 'ids', ids: first });
  return refusalNaming(tx, code, { claims, count: ids.length });
}
