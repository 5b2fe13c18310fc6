import { DomainError } from '../../shared/errors.ts';
import { eventDate, isWithinEvent } from '../../shared/rules/event-period.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { datesBetween } from '../../shared/rules/server-save.ts';
import { MAX_CLAIMS_TO_UNDO } from '../../shared/schemas/activity.ts';
import type { Claim } from '../../shared/schemas/claim.ts';
import type { EventFacts } from '../../shared/schemas/event.ts';
import type { StoredClaim } from '../activity/undo-rows.ts';
import { breathe, byIds, inBatches } from '../db/batches.ts';
import type { Tx } from '../db/open.ts';
import { inTheWay, inTheWayByIds, namedFirst } from './in-the-way.ts';
import { occupyAll } from './occupy-all.ts';
import { type ClaimScope, type DatedClaim, idsIn } from './queries.ts';
import { recordOf } from './record-of.ts';

/** Claims a statement writes at most: SQLite takes 32,766 values in one, thirteen a claim. */
const CLAIMS_A_STATEMENT = 250;
/** Claims that are read at once. */
const CLAIMS_READ = 500;

/**
 * The rows of claims that are about to be deleted, for the undo of it; by id, so that a primary claim comes first.
 * @returns null where they are more than an undo puts back
 */
export async function rowsOfClaims(tx: Tx, scope: ClaimScope): Promise<StoredClaim[] | null> {
  const found = await idsIn(tx, scope)
    .orderBy('claims.id')
    .limit(MAX_CLAIMS_TO_UNDO + 1)
    .execute();
  if (found.length > MAX_CLAIMS_TO_UNDO) return null;
  const stored: StoredClaim[] = [];
  for (const batch of inBatches(found, CLAIMS_READ)) {
    const ids = batch.map(({ id }) => id);
    stored.push(...(await rowsOf(tx, ids)));
    await breathe();
  }
  return stored;
}

async function rowsOf(tx: Tx, ids: readonly number[]): Promise<StoredClaim[]> {
  const claims = await tx
    .selectFrom('claims')
    .leftJoin('events', 'events.id', 'claims.event_id')
    .selectAll('claims')
    .select('events.name as event_name')
    .where('claims.id', 'in', ids)
    .orderBy('claims.id')
    .execute();
  const parts = await tx
    .selectFrom('claim_parts')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select(['claim_id', 'part_number', 'respawn_id', 'respawns.name as respawn_name', 'hour_start', 'hour_end'])
    .where('claim_id', 'in', ids)
    .orderBy('part_number')
    .execute();
  const secondaries = await tx.selectFrom('claims').select(['id', 'primary_claim_id']).where('primary_claim_id', 'in', ids).execute();
  const partsOf = Map.groupBy(parts, (part) => part.claim_id);
  const secondariesOf = Map.groupBy(secondaries, (claim) => claim.primary_claim_id);
  return claims.map((claim) => ({
    ...claim,
    parts: (partsOf.get(claim.id) ?? []).map(({ claim_id: _, ...part }) => part),
    secondary_ids: (secondariesOf.get(claim.id) ?? []).map((secondary) => secondary.id),
  }));
}

/**
 * Puts deleted claims back as they were, with what they occupy: all or nothing. It asks nothing that only rules
 * who may submit: the claims were let in once.
 * @returns them as the board has them; the counts that they move are the caller's to keep
 * @throws DomainError activity.goneMeanwhile for a spot or event that no longer exists, or no longer takes such
 * claims; event.claimsOutside and activity.hoursTaken, naming the claims
 */
export async function restoreClaims(tx: Tx, stored: readonly StoredClaim[]): Promise<DatedClaim[]> {
  const events = await assertNothingIsGone(tx, stored);
  const periodOf = ({ event_id }: Pick<Claim, 'event_id'>) => (event_id === null ? undefined : events.get(event_id));
  const lastDateOf = (claim: StoredClaim): string => claim.date ?? eventDate(periodOf(claim)?.end_time ?? '');
  for (const batch of inBatches(stored, CLAIMS_A_STATEMENT)) {
    await insert(tx, batch, lastDateOf);
    await breathe();
  }
  const claims = stored.map((each) => ({ claim: recordOf(each), last_date: lastDateOf(each) }));

  const outside = claims.filter(({ claim }) => {
    const event = periodOf(claim);
    return event && claim.date !== null && !isWithinEvent(claim.date, event);
  });
  if (outside.length > 0) {
    const named = outside.map(({ claim }) => claim);
    throw await inTheWay(tx, 'event.claimsOutside', named, named.length);
  }

  const occupations = stored
    .filter((claim) => !claim.is_secondary_claim)
    .map((claim) => ({
      claim_id: claim.id,
      character_key: nameKey(claim.character_name),
      parts: claim.parts,
      dates: claim.date === null ? datesOf(periodOf(claim)) : [claim.date],
    }));
  const holders = await occupyAll(tx, occupations);
  if (holders.length > 0) throw await inTheWayByIds(tx, 'activity.hoursTaken', holders);
  return claims;
}

function datesOf(event: EventFacts | undefined): string[] {
  return event ? datesBetween(eventDate(event.start_time), eventDate(event.end_time)) : [];
}

/** @returns the events that the claims belong to, by id */
async function assertNothingIsGone(tx: Tx, stored: readonly StoredClaim[]): Promise<Map<number, EventFacts>> {
  const parts = stored.flatMap((claim) => claim.parts);
  const spots = new Set(parts.map((part) => part.respawn_id));
  const found = await byIds(spots, (some) => tx.selectFrom('respawns').select('id').where('id', 'in', some).execute());
  const present = new Set(found.map((respawn) => respawn.id));
  const gone = new Set(parts.filter((part) => !present.has(part.respawn_id)).map((part) => part.respawn_name));

  const ids = new Set(stored.map((claim) => claim.event_id).filter((id) => id !== null));
  const rows = await byIds(ids, (some) =>
    tx
      .selectFrom('events')
      .select(['id', 'type', 'start_time', 'end_time'])
      .where('id', 'in', some)
      // What is archived is gone, for an undo.
      .where('is_leaving', '=', 0)
      .execute(),
  );
  const events = new Map<number, EventFacts>(rows.map((event) => [event.id, event]));
  for (const { event_id, event_name, date } of stored) {
    const event = event_id === null ? undefined : events.get(event_id);
    // An event whose claims are all gone may have become one of the other type.
    const fits = event_id === null || event?.type === (date === null ? 'single_claim' : 'multiple_claims');
    if (!fits && event_name !== null) gone.add(event_name);
  }
  if (gone.size > 0) throw new DomainError('activity.goneMeanwhile', { list: namedFirst([...gone]) });
  return events;
}

async function insert(tx: Tx, batch: readonly StoredClaim[], lastDateOf: (claim: StoredClaim) => string): Promise<void> {
  const here = new Set(batch.map((claim) => claim.id));
  const asked = batch.map((claim) => claim.primary_claim_id).filter((id) => id !== null);
  const primaries = asked.length > 0 ? await tx.selectFrom('claims').select('id').where('id', 'in', asked).execute() : [];
  for (const { id } of primaries) here.add(id);
  const rows = batch.map(({ parts: _p, secondary_ids: _s, event_name: _e, primary_claim_id, ...claim }) => ({
    ...claim,
    // Made anew: names may be compared otherwise than when the claim was deleted.
    character_key: nameKey(claim.character_name),
    primary_claim_id: primary_claim_id !== null && here.has(primary_claim_id) ? primary_claim_id : null,
  }));
  await tx.insertInto('claims').values(rows).execute();
  const parts = batch.flatMap((claim) =>
    claim.parts.map(({ respawn_name: _, ...part }) => ({ ...part, claim_id: claim.id, last_date: lastDateOf(claim) })),
  );
  await tx.insertInto('claim_parts').values(parts).execute();
  for (const { id, secondary_ids } of batch) {
    if (secondary_ids.length > 0) await tx.updateTable('claims').set({ primary_claim_id: id }).where('id', 'in', secondary_ids).execute();
  }
}
