import { DomainError, type Json } from '../../shared/errors.ts';
import { claimOnRespawns } from '../../shared/rules/claim-parts.ts';
import { type EventPeriod, eventDate, isWithinEvent } from '../../shared/rules/event-period.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { datesBetween } from '../../shared/rules/server-save.ts';
import type { Claim } from '../../shared/schemas/claim.ts';
import type { Event } from '../../shared/schemas/event.ts';
import { type Collision, type Occupation, occupy } from '../claims/occupancy.ts';
import { claimRows, loadClaims } from '../claims/queries.ts';
import type { Tx } from '../db/open.ts';

/** Claims a refusal names in its sentence; `params.claims` holds them all. */
const NAMED = 3;

/**
 * Moves what an event's claims occupy to its new dates: a dated claim must still lie inside (R3.7), a
 * single_claim event's claims take their hours along (R3.8).
 * @throws DomainError event.claimsOutside or event.hoursTaken, naming the claims in the way
 */
export async function moveEventDates(tx: Tx, event: Event, period: EventPeriod): Promise<void> {
  if (event.claim_count === 0) return;
  const [from, to] = [eventDate(period.start_time), eventDate(period.end_time)];
  if (from === eventDate(event.start_time) && to === eventDate(event.end_time)) return;
  const claims = await loadClaims(tx, { of: 'event', event_id: event.id });
  const outside = claims.filter((claim) => claim.date !== null && !isWithinEvent(claim.date, period));
  if (outside.length > 0) throw await inTheWay(tx, 'event.claimsOutside', outside);
  if (event.type === 'single_claim') await occupyAnew(tx, event.id, claims, datesBetween(from, to));
}

async function occupyAnew(tx: Tx, event_id: number, claims: readonly Claim[], dates: readonly string[]): Promise<void> {
  const ofEvent = tx.selectFrom('claims').select('id').where('event_id', '=', event_id);
  await tx.deleteFrom('occupied_hours').where('claim_id', 'in', ofEvent).execute();
  await tx.deleteFrom('occupied_days').where('claim_id', 'in', ofEvent).execute();
  const blocking = new Set<number>();
  for (const claim of claims.filter((each) => !each.is_secondary_claim)) {
    const parts = claimOnRespawns(claim).map(({ split_part_number, respawn_id, hour_start, hour_end }) => {
      return { part_number: split_part_number ?? 1, respawn_id, hour_start, hour_end };
    });
    const character_key = nameKey(claim.character_name);
    const occupation = { claim_id: claim.id, character_key, parts, dates };
    const collision = await occupy(tx, occupation);
    if (collision) for (const id of await holders(tx, occupation, collision)) blocking.add(id);
  }
  if (blocking.size > 0) throw await inTheWay(tx, 'event.hoursTaken', await loadClaims(tx, { of: 'ids', ids: [...blocking] }));
}

/** The claims of others that hold what an occupation ran into. */
async function holders(tx: Tx, { character_key, claim_id, dates }: Occupation, collision: Collision): Promise<number[]> {
  const [from = '', to = from] = [dates[0], dates.at(-1)];
  const held =
    collision.of === 'day'
      ? await tx
          .selectFrom('occupied_days')
          .select('claim_id')
          .where('character_key', '=', character_key)
          .where('date', '>=', from)
          .where('date', '<=', to)
          .execute()
      : await tx
          .selectFrom('occupied_hours')
          .select('claim_id')
          .where('respawn_id', '=', collision.part.respawn_id)
          .where('hour', '>=', collision.part.hour_start)
          .where('hour', '<', collision.part.hour_end)
          .where('date', '>=', from)
          .where('date', '<=', to)
          .execute();
  return held.map((row) => row.claim_id).filter((id) => id !== claim_id);
}

async function inTheWay(tx: Tx, code: 'event.claimsOutside' | 'event.hoursTaken', claims: readonly Claim[]): Promise<DomainError> {
  const named = (await claimRows(tx, claims)).map(({ id, character_name, respawn_name, date, hour_start, hour_end }) => ({
    id,
    character_name,
    respawn_name,
    date,
    hour_start,
    hour_end,
  }));
  const list = named
    .slice(0, NAMED)
    .map((claim) =>
      [claim.character_name, claim.respawn_name, claim.date, `SS+${claim.hour_start}-${claim.hour_end}`].filter(Boolean).join(', '),
    )
    .join('; ');
  const params: Record<string, Json> = { count: claims.length, list: named.length > NAMED ? `${list}; …` : list, claims: named };
  return new DomainError(code, params);
}
