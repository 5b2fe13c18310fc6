import { DomainError } from '../../../shared/errors.ts';
import { respawnsOf } from '../../../shared/rules/claim-parts.ts';
import type { Beginning } from '../../../shared/rules/confirm.ts';
import { eventDate, isWithinEvent } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { datesBetween } from '../../../shared/rules/server-save.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { EventFacts } from '../../../shared/schemas/event.ts';
import { CLAIMS_A_PIECE } from '../../activity/undo-store.ts';
import { breathe, byIds, inBatches } from '../../db/batches.ts';
import type { Tx } from '../../db/open.ts';
import { MANY_CHANGES } from '../../live/many-changes.ts';
import { takeBackEndings } from '../claim-history/record-endings.ts';
import { heldAmong, inTheWay, inTheWayByIds, LISTED, namedFirst } from './claim-facts.ts';
import type { DatedClaim } from './claim-records.ts';
import { recordOf } from './claim-records.ts';
import { growingTally, type Tally } from './claims-changed.ts';
import { occupyAll } from './occupancy.ts';
import type { StoredClaim } from './stored-claim.ts';

/** Claims a statement writes at most: SQLite takes 32,766 values in one, thirteen a claim. */
const CLAIMS_A_STATEMENT = 250;

/** The rows of claims that are about to be deleted, for the undo of it; by id, so that a primary claim comes first. */
export async function* rowsOfClaims(tx: Tx, ids: readonly number[]): AsyncGenerator<StoredClaim[], void> {
  for (const some of inBatches(ids, CLAIMS_A_PIECE)) yield await rowsOf(tx, some);
}

async function rowsOf(tx: Tx, ids: readonly number[]): Promise<StoredClaim[]> {
  const claims = await tx
    .selectFrom('claims')
    .leftJoin('events', 'events.id', 'claims.event_id')
    .selectAll('claims')
    .select('events.name as event_name')
    .where('claims.id', 'in', ids)
    // A hold is not put back: whoever it was for waits no longer.
    .where('held_until', 'is', null)
    .orderBy('claims.id')
    .execute();
  const parts = await tx
    .selectFrom('claim_parts')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select(['claim_id', 'part_number', 'respawn_id', 'respawns.name as respawn_name', 'hour_start', 'hour_end', 'to_confirm'])
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

/** What came back. */
export interface Restored extends Tally {
  count: number;
  /** As the board has them; null where they are many. */
  few: DatedClaim[] | null;
}

/** What stands in the way of putting claims back, found piece by piece. */
interface Obstacles {
  /** Names of spots and events. */
  gone: Set<string>;
  /** The first of those that lie outside their event, and how many do. */
  outside: Claim[];
  outside_count: number;
  /** Claims that hold hours or days by now. */
  holders: Set<number>;
}

/**
 * Puts deleted claims back as they were, with what they occupy, piece by piece: all or nothing, since the caller's transaction
 * is rolled back where it throws. It asks nothing that only rules who may submit: the claims were let in once.
 * @param isJudged whether a part that was to be confirmed still is
 * @param tell tells of those of a piece
 * @returns what the caller keeps the counts with
 * @throws DomainError activity.goneMeanwhile for a spot or event that no longer exists, or no longer takes such
 * claims; event.claimsOutside and activity.hoursTaken, naming the claims; hold.taken for hours held for somebody in line
 */
export async function restoreClaims(
  tx: Tx,
  pieces: AsyncIterable<readonly StoredClaim[]>,
  isJudged: Judge,
  tell: (claims: readonly Claim[]) => Promise<void>,
): Promise<Restored> {
  const found: Obstacles = { gone: new Set(), outside: [], outside_count: 0, holders: new Set() };
  const own = new Set<number>();
  const tally = growingTally();
  const few: DatedClaim[] = [];
  for await (const piece of pieces) {
    const stored = piece.map((claim) => asJudged(claim, isJudged));
    const events = await lookForGone(tx, stored, found.gone);
    // Nothing of them stays: what is still of interest is what else is gone.
    if (found.gone.size > 0) continue;
    const claims = await restorePiece(tx, stored, events, found);
    for (const { claim } of claims) {
      own.add(claim.id);
      tally.add(claim.event_id, respawnsOf(claim));
    }
    await tell(claims.map(({ claim }) => claim));
    if (few.length <= MANY_CHANGES) few.push(...claims);
  }
  if (found.gone.size > 0) throw new DomainError('activity.goneMeanwhile', { list: namedFirst([...found.gone]) });
  if (found.outside_count > 0) throw await inTheWay(tx, 'event.claimsOutside', found.outside, found.outside_count);
  // One of two that were one character's on one date holds the day.
  const holders = found.holders.difference(own);
  if (holders.size > 0) throw (await heldAmong(tx, [...holders])) ?? (await inTheWayByIds(tx, 'activity.hoursTaken', [...holders]));
  return { count: own.size, respawns: tally.respawns, events: tally.events, few: own.size > MANY_CHANGES ? null : few };
}

/** Whether a part of a claim that begins then has to be confirmed where it stands again. */
export type Judge = (begins: Beginning) => boolean;

function asJudged(claim: StoredClaim, isJudged: Judge): StoredClaim {
  const { date, parts } = claim;
  const judged = parts.map((part) => ({
    ...part,
    to_confirm: part.to_confirm && date !== null && isJudged({ date, hour_start: part.hour_start }) ? (1 as const) : (0 as const),
  }));
  return { ...claim, parts: judged };
}

type Events = ReadonlyMap<number, EventFacts & { name: string }>;

async function restorePiece(tx: Tx, stored: readonly StoredClaim[], events: Events, found: Obstacles): Promise<DatedClaim[]> {
  const periodOf = ({ event_id }: Pick<Claim, 'event_id'>) => (event_id === null ? undefined : events.get(event_id));
  const lastDateOf = (claim: StoredClaim): string => claim.date ?? eventDate(periodOf(claim)?.end_time ?? '');
  for (const batch of inBatches(stored, CLAIMS_A_STATEMENT)) {
    await insert(tx, batch, lastDateOf);
    await takeBackEndings(
      tx,
      batch.map(({ id }) => id),
    );
    await breathe();
  }
  const claims = stored.map((each) => {
    const event = periodOf(each);
    const first_date = each.date ?? eventDate(event?.start_time ?? '');
    return { claim: recordOf(each), first_date, last_date: lastDateOf(each), event_name: event?.name ?? null };
  });
  for (const { claim } of claims) {
    const event = periodOf(claim);
    if (!event || claim.date === null || isWithinEvent(claim.date, event)) continue;
    found.outside_count += 1;
    if (found.outside.length < LISTED) found.outside.push(claim);
  }
  const occupations = stored
    .filter((claim) => !claim.is_secondary_claim)
    .map((claim) => ({
      claim_id: claim.id,
      character_key: nameKey(claim.character_name),
      parts: claim.parts,
      dates: claim.date === null ? datesOf(periodOf(claim)) : [claim.date],
    }));
  for (const id of await occupyAll(tx, occupations)) found.holders.add(id);
  return claims;
}

function datesOf(event: EventFacts | undefined): string[] {
  return event ? datesBetween(eventDate(event.start_time), eventDate(event.end_time)) : [];
}

/**
 * Adds the names of the spots and events of some claims that are gone.
 * @returns the events that the claims belong to, by id
 */
async function lookForGone(tx: Tx, stored: readonly StoredClaim[], gone: Set<string>): Promise<Events> {
  const parts = stored.flatMap((claim) => claim.parts);
  const spots = new Set(parts.map((part) => part.respawn_id));
  const found = await byIds(spots, (some) => tx.selectFrom('respawns').select('id').where('id', 'in', some).execute());
  const present = new Set(found.map((respawn) => respawn.id));
  for (const part of parts) if (!present.has(part.respawn_id)) gone.add(part.respawn_name);

  const ids = new Set(stored.map((claim) => claim.event_id).filter((id) => id !== null));
  const rows = await byIds(ids, (some) =>
    tx
      .selectFrom('events')
      .select(['id', 'name', 'type', 'start_time', 'end_time'])
      .where('id', 'in', some)
      // What is archived is gone, for an undo.
      .where('is_leaving', '=', 0)
      .execute(),
  );
  const events = new Map(rows.map((event) => [event.id, event]));
  for (const { event_id, event_name, date } of stored) {
    const event = event_id === null ? undefined : events.get(event_id);
    // An event whose claims are all gone may have become one of the other type.
    const fits = event_id === null || event?.type === (date === null ? 'single_claim' : 'multiple_claims');
    if (!fits && event_name !== null) gone.add(event_name);
  }
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
