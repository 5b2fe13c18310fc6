import { sql } from 'kysely';
import type { HeldDay, TakenRange } from '../../../shared/rules/conflicts.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { lastOf, type PlannedClaim, type PlannedPart } from '../../../shared/rules/submission.ts';
import { inBatches } from '../../db/batches.ts';
import type { Tx } from '../../db/open.ts';
import { type BoundRows, preparedRows } from '../../db/prepared.ts';
import type { CategoriesTable, RespawnsTable } from '../../db/schema.ts';
import { imageUrl, type Place } from '../respawns/queries.ts';

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
