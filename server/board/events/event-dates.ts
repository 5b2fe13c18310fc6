import type { DomainError } from '../../../shared/errors.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { type EventPeriod, eventDate } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { datesBetween } from '../../../shared/rules/server-save.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import { type Tx, writeInBatches } from '../../db/database.ts';
import { holdRefusalOf, LISTED, refusalNaming, refusalNamingIds } from '../claims/claim-facts.ts';
import { loadClaims } from '../claims/claim-records.ts';
import { type ClaimScope, countInScope, idsOfPage } from '../claims/claim-scopes.ts';
import {
  type DateRange,
  datesOutside,
  freeDates,
  holdersIn,
  occupyAll,
} from '../claims/occupancy.ts';
import { endTransfersOfClaims, type TransferEnd } from '../end-transfers.ts';
import { keepLastClaimDates } from '../records/respawns.ts';

/**
 * Moves the hours of an event's claims to its new dates: dated claims must be inside (R3.7), claims of a single_claim event move
 * along (R3.8). Holds outside end after the work of the write (R9.9).
 * @throws DomainError event.claimsOutside or event.hoursTaken, naming the claims; hold.taken
 */
export async function moveEventDates(
  write: TransferEnd,
  event: Event,
  period: EventPeriod,
): Promise<void> {
  const { tx } = write;
  if (event.claim_count === 0) return;
  const from = eventDate(period.start_time);
  const to = eventDate(period.end_time);
  if (from === eventDate(event.start_time) && to === eventDate(event.end_time)) return;
  const outside = { type: 'event-outside', event_id: event.id, first: from, last: to } as const;
  const count = await countInScope(tx, outside);
  if (count > 0) throw await firstInTheWay(tx, outside, count);
  if (event.type !== 'single_claim') return;
  await moveOccupation(write, event, { first: from, last: to });
  if (to !== eventDate(event.end_time)) await endOn(tx, event.id, to);
}

/** Claims of a single_claim event end with it. */
async function endOn(tx: Tx, event_id: number, last_date: string): Promise<void> {
  const ofEvent = await tx
    .selectFrom('claims')
    .select('id')
    .where('event_id', '=', event_id)
    .where('date', 'is', null)
    .execute();
  await writeInBatches(ofEvent, (some) =>
    tx
      .updateTable('claim_parts')
      .set({ last_date })
      .where(
        'claim_id',
        'in',
        some.map(({ id }) => id),
      )
      .execute(),
  );
  await keepLastClaimDates(tx, event_id);
}

async function firstInTheWay(tx: Tx, scope: ClaimScope, count: number): Promise<DomainError> {
  const ids = await idsOfPage(tx, scope, { limit: LISTED });
  const claims = await loadClaims(tx, { type: 'ids', ids });
  return refusalNaming(tx, 'event.claimsOutside', { claims, count });
}

/** Frees the dates that an event loses, and occupies those that it gains. Transfers of its claims end. */
async function moveOccupation(write: TransferEnd, event: Event, after: DateRange): Promise<void> {
  const { tx } = write;
  const before = { first: eventDate(event.start_time), last: eventDate(event.end_time) };
  const claims = (await loadClaims(tx, { type: 'event', event_id: event.id })).filter(
    (claim) => !claim.is_secondary_claim,
  );
  const ids = claims.map(({ id }) => id);
  // Their hours are no longer the ones that were offered.
  await endTransfersOfClaims(write, ids);
  for (const range of datesOutside(before, after)) await freeDates(tx, ids, range);
  const dates = datesOutside(after, before).flatMap(({ first, last }) => datesBetween(first, last));
  const occupations = claims.map((claim) => {
    const parts = claimOnRespawns(claim).map(
      ({ split_part_number, respawn_id, hour_start, hour_end }) => {
        return { part_number: split_part_number ?? 1, respawn_id, hour_start, hour_end };
      },
    );
    return { claim_id: claim.id, character_key: nameKey(claim.character_name), parts, dates };
  });
  const blocking = holdersIn(await occupyAll(tx, occupations));
  if (blocking.length > 0)
    throw (
      (await holdRefusalOf(tx, blocking)) ??
      (await refusalNamingIds(tx, 'event.hoursTaken', blocking))
    );
}
