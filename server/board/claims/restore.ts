import { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import type { Beginning } from '../../../shared/rules/confirm.ts';
import { eventDate, isWithinEvent } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { datesBetween } from '../../../shared/rules/server-save.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { EventFacts } from '../../../shared/schemas/event.ts';
import { date, flag, id, timestamp } from '../../../shared/schemas/fields.ts';
import { CLAIMS_A_PIECE } from '../../activity/undo-store.ts';
import { inBatches, readByIds, type Tx, yieldToEventLoop } from '../../db/database.ts';
import type { BulkWork } from './claim-events.ts';
import { firstNames, holdRefusalOf, LISTED, refusalNaming, refusalNamingIds } from './claim-facts.ts';
import { type ClaimChange, type DatedClaim, recordOf } from './claim-records.ts';
import { type ClaimWrite, manyClaimsChanged } from './claims-changed.ts';
import { occupyAll } from './occupancy.ts';
import { needsConfirmation } from './store-claims.ts';

const storedPart = z.object({
  part_number: z.number().int(),
  respawn_id: id,
  /** To name the spot if it is gone. */
  respawn_name: z.string(),
  hour_start: z.number().int(),
  hour_end: z.number().int(),
  /** Missing in undos that are older than confirmations. */
  to_confirm: flag.default(0),
});

/** A deleted claim's row with its parts. */
export const storedClaim = z.object({
  id,
  event_id: id.nullable(),
  /** To name the event if it is gone. */
  event_name: z.string().nullable(),
  character_name: z.string(),
  character_key: z.string(),
  member_type: z.string(),
  date: date.nullable(),
  custom_duration: z.number().int().nullable(),
  voucher_duration: z.number().int(),
  is_secondary_claim: flag,
  secondary_priority: z.number().int(),
  primary_claim_id: id.nullable(),
  is_split_claim: flag,
  created_at: timestamp,
  /** Missing in undos that are older than standing claims. */
  standing_id: id.nullable().default(null),
  parts: z.array(storedPart),
  /** Secondary claims that were submitted with it and outlive it: the deletion unlinks them. */
  secondary_ids: z.array(id),
});
export type StoredClaim = z.infer<typeof storedClaim>;

/** Claims one statement inserts at most: SQLite binds 32,766 values, fourteen a claim. */
const CLAIMS_A_STATEMENT = 250;

/** The rows of claims that are about to be deleted, for the undo; by id, so that primary claims come first. */
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
    // Holds are not restored: their characters have left the waitlist.
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

/** What prevents restoring claims, found piece by piece. */
interface Obstacles {
  /** Names of spots and events. */
  gone: Set<string>;
  /** The first claims outside of their event, and how many there are. */
  outside: Claim[];
  outside_count: number;
  /** Ids of claims that occupy the hours or days now. */
  holders: Set<number>;
}

/**
 * Restores deleted claims with what they occupied, all or nothing, and with everything that follows (`claimsChanged`). Rules about who
 * may claim don't apply: the claims were allowed once.
 * @param bulk the summary for channels; null for a single claim
 * @returns how many claims were restored
 * @throws DomainError activity.goneMeanwhile if a spot or event is gone or takes no such claims; event.claimsOutside,
 * activity.hoursTaken, hold.taken
 */
export async function restoreClaims(
  unit: ClaimWrite,
  pieces: AsyncIterable<readonly StoredClaim[]>,
  bulk: BulkWork | null,
): Promise<number> {
  return manyClaimsChanged(unit, restoreInPieces(unit, pieces), { cause: 'restored', bulk });
}

async function* restoreInPieces(
  { ctx, tx, guild }: ClaimWrite,
  pieces: AsyncIterable<readonly StoredClaim[]>,
): AsyncGenerator<ClaimChange[], void> {
  const found: Obstacles = { gone: new Set(), outside: [], outside_count: 0, holders: new Set() };
  const own = new Set<number>();
  const mustConfirm = needsConfirmation(ctx, guild);
  for await (const piece of pieces) {
    const stored = piece.map((claim) => stillToConfirm(claim, mustConfirm));
    const events = await lookForGone(tx, stored, found.gone);
    // The restore will be refused: go on only to name everything that is gone.
    if (found.gone.size > 0) continue;
    const claims = await restorePiece(tx, stored, events, found);
    for (const { claim } of claims) own.add(claim.id);
    yield claims.map((after) => ({ before: null, after }));
  }
  if (found.gone.size > 0) throw new DomainError('activity.goneMeanwhile', { list: firstNames([...found.gone]) });
  if (found.outside_count > 0) throw await refusalNaming(tx, 'event.claimsOutside', found.outside, found.outside_count);
  // A restored claim may hold the day of another one, if its character's name had two spellings then.
  const holders = found.holders.difference(own);
  if (holders.size > 0) throw (await holdRefusalOf(tx, [...holders])) ?? (await refusalNamingIds(tx, 'activity.hoursTaken', [...holders]));
}

function stillToConfirm(claim: StoredClaim, mustConfirm: (begins: Beginning) => boolean): StoredClaim {
  const { date, parts } = claim;
  const isStill = ({ to_confirm, hour_start }: (typeof parts)[number]) => to_confirm && date !== null && mustConfirm({ date, hour_start });
  return { ...claim, parts: parts.map((part) => ({ ...part, to_confirm: isStill(part) ? (1 as const) : (0 as const) })) };
}

type Events = ReadonlyMap<number, EventFacts & { name: string }>;

async function restorePiece(tx: Tx, stored: readonly StoredClaim[], events: Events, found: Obstacles): Promise<DatedClaim[]> {
  const periodOf = ({ event_id }: Pick<Claim, 'event_id'>) => (event_id === null ? undefined : events.get(event_id));
  const lastDateOf = (claim: StoredClaim): string => claim.date ?? eventDate(periodOf(claim)?.end_time ?? '');
  for (const batch of inBatches(stored, CLAIMS_A_STATEMENT)) {
    await insert(tx, batch, lastDateOf);
    await yieldToEventLoop();
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
 * Adds the names of deleted spots and events to `gone`.
 * @returns the claims' events by id
 */
async function lookForGone(tx: Tx, stored: readonly StoredClaim[], gone: Set<string>): Promise<Events> {
  const parts = stored.flatMap((claim) => claim.parts);
  const spots = new Set(parts.map((part) => part.respawn_id));
  const found = await readByIds(spots, (some) => tx.selectFrom('respawns').select('id').where('id', 'in', some).execute());
  const present = new Set(found.map((respawn) => respawn.id));
  for (const part of parts) if (!present.has(part.respawn_id)) gone.add(part.respawn_name);

  const ids = new Set(stored.map((claim) => claim.event_id).filter((id) => id !== null));
  const rows = await readByIds(ids, (some) =>
    tx
      .selectFrom('events')
      .select(['id', 'name', 'type', 'start_time', 'end_time'])
      .where('id', 'in', some)
      // An undo finds no archived events.
      .where('is_leaving', '=', 0)
      .execute(),
  );
  const events = new Map(rows.map((event) => [event.id, event]));
  for (const { event_id, event_name, date } of stored) {
    const event = event_id === null ? undefined : events.get(event_id);
    // The event's type may have changed while it had no claims.
    const fits = event_id === null || event?.type === (date === null ? 'single_claim' : 'multiple_claims');
    if (!fits && event_name !== null) gone.add(event_name);
  }
  return events;
}

async function insert(tx: Tx, batch: readonly StoredClaim[], lastDateOf: (claim: StoredClaim) => string): Promise<void> {
  const here = new Set(batch.map((claim) => claim.id));
  const primaryIds = batch.map((claim) => claim.primary_claim_id).filter((id) => id !== null);
  const primaries = primaryIds.length > 0 ? await tx.selectFrom('claims').select('id').where('id', 'in', primaryIds).execute() : [];
  for (const { id } of primaries) here.add(id);
  const rows = batch.map(({ parts: _p, secondary_ids: _s, event_name: _e, primary_claim_id, ...claim }) => ({
    ...claim,
    // Computed again: the rule for comparing names may have changed since.
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
