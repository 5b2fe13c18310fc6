import { sql } from 'kysely';
import { DomainError } from '../../../shared/errors.ts';
import { timeConflict } from '../../../shared/rules/conflicts.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { lastOf, type PlannedClaim } from '../../../shared/rules/submission.ts';
import { MOST_HOLDERS } from '../../../shared/schemas/event-copy.ts';
import { breathe, inBatches } from '../../db/batches.ts';
import type { Tx } from '../../db/open.ts';

/** Parts of claims that are looked up with one statement. */
const PARTS_A_STATEMENT = 100;

/** What stands in the way of a claim, and the ids of the first claims that do. */
export interface Collision {
  why: DomainError;
  holders: number[];
}

interface Row {
  nth: number;
  is_day: number;
  claim_id: number;
  date: string;
  character_name: string;
  held_until: string | null;
}

/**
 * Who holds hours that some claims need, or other hours of their characters on those dates: what a submission of them would be
 * refused for (R4.6, R4.7). A hold that is over is in nobody's way (R9.8).
 * @param claims of which `readStanding` says that something is in the way
 */
export async function collisionsOf(tx: Tx, claims: readonly PlannedClaim[], now: string): Promise<Map<PlannedClaim, Collision>> {
  const collisions = new Map<PlannedClaim, Collision>();
  const parts = claims.flatMap((claim) => claim.parts.map((part) => ({ claim, part })));
  for (const batch of inBatches(parts, PARTS_A_STATEMENT)) {
    const found = Map.groupBy(await inTheWayOf(tx, batch, now), ({ nth }) => nth);
    for (const [nth, { claim, part }] of batch.entries()) {
      const rows = found.get(nth) ?? [];
      const before = collisions.get(claim);
      const [day, hour] = [rows.find(({ is_day }) => is_day), rows.find(({ is_day, held_until }) => !is_day && held_until)];
      const [first] = rows;
      if (!first) continue;
      const holders = [...new Set([...(before?.holders ?? []), ...rows.map(({ claim_id }) => claim_id)])].slice(0, MOST_HOLDERS);
      const why = before?.why ?? (day ? dayTaken(claim, day) : hour ? held(hour, part.hour_start) : timeConflict(claim, part, first.date));
      collisions.set(claim, { why, holders });
    }
    await breathe();
  }
  return collisions;
}

function dayTaken({ asked_start, character_name }: PlannedClaim, { date, held_until }: Row): DomainError {
  return held_until === null
    ? new DomainError('claim.characterHasClaim', { date, hour: asked_start, character_name })
    : new DomainError('hold.isYours', { date, character_name, held_until });
}

const held = ({ character_name, held_until, date }: Row, hour: number): DomainError =>
  new DomainError('hold.taken', { character_name, held_until, date, hour });

type Batch = readonly { claim: PlannedClaim; part: PlannedClaim['parts'][number] }[];

/** A row for each claim that is in the way of a part, with the first date on which it is. */
async function inTheWayOf(tx: Tx, batch: Batch, now: string): Promise<Row[]> {
  const wanted = batch.map(({ claim, part: { respawn_id, hour_start, hour_end } }, nth) => {
    const numbers = [nth, respawn_id, hour_start, hour_end].map((number) => sql`cast(${number} as integer)`);
    const first = claim.dates.reduce((a, b) => (a < b ? a : b));
    return sql`(${sql.join(numbers)}, ${nameKey(claim.character_name)}, ${first}, ${lastOf(claim)})`;
  });
  const { rows } = await sql<Row>`
    with wanted (nth, respawn_id, hour_start, hour_end, character_key, first_date, last_date) as (values ${sql.join(wanted)}),
    found as (
      select wanted.nth, 1 as is_day, occupied_days.claim_id, min(occupied_days.date) as date from wanted
        join occupied_days on occupied_days.character_key = wanted.character_key
          and occupied_days.date between first_date and last_date
        group by wanted.nth, occupied_days.claim_id
      union all
      select wanted.nth, 0 as is_day, occupied_hours.claim_id, min(occupied_hours.date) as date from wanted
        join occupied_hours on occupied_hours.respawn_id = wanted.respawn_id
          and occupied_hours.date between first_date and last_date and hour >= hour_start and hour < hour_end
        group by wanted.nth, occupied_hours.claim_id
    )
    select nth, is_day, found.claim_id, found.date, character_name, held_until from found
      join claims on claims.id = found.claim_id
      where held_until is null or held_until > ${now}
      order by nth, is_day desc, found.date, found.claim_id`.execute(tx);
  return rows;
}
