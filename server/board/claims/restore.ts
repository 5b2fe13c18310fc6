import { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import { omit } from '../../../shared/omit.ts';
import type { Beginning } from '../../../shared/rules/confirm.ts';
import { eventDate, isWithinEvent } from '../../../shared/rules/event-period.ts';
import { datesBetween } from '../../../shared/rules/server-save.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { EventFacts } from '../../../shared/schemas/event.ts';
import { date, flag, id, timestamp } from '../../../shared/schemas/fields.ts';
import { CLAIMS_A_PIECE } from '../../activity/undo-store.ts';
import {
  CLAIM_BATCH_SIZE,
  inBatches,
  readByIds,
  type Tx,
  yieldToEventLoop,
} from '../../db/database.ts';
import {
  type AuthorizedCharacter,
  authorizedCharacters,
  bannedRefusal,
} from '../records/members.ts';
import type { BulkWork } from './claim-events.ts';
import { firstNames, LISTED, refusalNaming, refusalNamingIds } from './claim-facts.ts';
import { type ClaimChange, claimRecord, type DatedClaim } from './claim-records.ts';
import { type ClaimWrite, manyClaimsChanged } from './claims-changed.ts';
import {
  deleteClaimRows,
  holdersIn,
  type Obstructed,
  type Occupation,
  occupyAll,
} from './occupancy.ts';
import { needsConfirmation } from './store-claims.ts';

const storedPart = z.object({
  part_number: z.number().int(),
  respawn_id: id,
  /** To name the spot if it is gone. */
  respawn_name: z.string(),
  hour_start: z.number().int(),
  hour_end: z.number().int(),
  to_confirm: flag,
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
  standing_id: id.nullable(),
  parts: z.array(storedPart),
  /** Secondary claims that were submitted with it and outlive it: the deletion unlinks them. */
  secondary_ids: z.array(id),
});
export type StoredClaim = z.infer<typeof storedClaim>;

/** The rows of claims that are about to be deleted, for the undo; by id, so that primary claims come first. */
export async function* rowsOfClaims(
  tx: Tx,
  ids: readonly number[],
): AsyncGenerator<StoredClaim[], void> {
  for (const some of inBatches(ids, CLAIMS_A_PIECE)) yield await readStoredClaims(tx, some);
}

async function readStoredClaims(tx: Tx, ids: readonly number[]): Promise<StoredClaim[]> {
  const claims = await tx
    .selectFrom('claims')
    .leftJoin('events', 'events.id', 'claims.event_id')
    .selectAll('claims')
    .select('events.name as event_name')
    .where('claims.id', 'in', ids)
    // Holds are not restored: their waitlist entries are reopened.
    .where('held_until', 'is', null)
    .orderBy('claims.id')
    .execute();
  const parts = await tx
    .selectFrom('claim_parts')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select([
      'claim_id',
      'part_number',
      'respawn_id',
      'respawns.name as respawn_name',
      'hour_start',
      'hour_end',
      'to_confirm',
    ])
    .where('claim_id', 'in', ids)
    .orderBy('part_number')
    .execute();
  const secondaries = await tx
    .selectFrom('claims')
    .select(['id', 'primary_claim_id'])
    .where('primary_claim_id', 'in', ids)
    .execute();
  const partsOf = Map.groupBy(parts, (part) => part.claim_id);
  const secondariesOf = Map.groupBy(secondaries, (claim) => claim.primary_claim_id);
  return claims.map((claim) => ({
    ...claim,
    parts: (partsOf.get(claim.id) ?? []).map((part) => omit(part, 'claim_id')),
    secondary_ids: (secondariesOf.get(claim.id) ?? []).map((secondary) => secondary.id),
  }));
}

/** Why claims can't be restored, found piece by piece. */
interface Obstacles {
  /** Names of spots and events that are gone. */
  gone: Set<string>;
  /** Names of banned characters. */
  banned: Set<string>;
  /** The first claims outside of their event, and how many there are. */
  outside: Claim[];
  outside_count: number;
  /** Ids of claims that occupy the hours or days now. */
  holders: Set<number>;
  /** Ids of the claims that are not restored. */
  left: Set<number>;
}

/** Withdraws the offers of these holds (`board/waitlist`, which imports this folder). */
export type WithdrawOffers = (unit: ClaimWrite, claim_ids: readonly number[]) => Promise<void>;

interface Restoration {
  /** The summary for channels; null for a single claim. */
  bulk: BulkWork | null;
  withdrawOffers: WithdrawOffers;
}

/** The outcome of restoring claims. */
export interface Restored {
  count: number;
  /** Ids of the claims that could not be restored. */
  left: ReadonlySet<number>;
  /** Why: activity.goneMeanwhile, event.claimsOutside, character.banned or activity.hoursTaken. null: all were restored. */
  refusal: DomainError | null;
}

/**
 * Restores deleted claims with what they occupied, and with everything that follows (`claimsChanged`). Offers of their hours that are
 * unanswered are withdrawn. Rules about who may claim don't apply: the claims were allowed once. Only a banned character gets none back.
 */
export async function restoreClaims(
  unit: ClaimWrite,
  pieces: AsyncIterable<readonly StoredClaim[]>,
  { bulk, withdrawOffers }: Restoration,
): Promise<Restored> {
  const found: Obstacles = {
    gone: new Set(),
    banned: new Set(),
    outside: [],
    outside_count: 0,
    holders: new Set(),
    left: new Set(),
  };
  const restored = restoreInPieces(unit, pieces, { found, withdrawOffers });
  const count = await manyClaimsChanged(unit, restored, { cause: 'restored', bulk });
  return { count, left: found.left, refusal: await obstacleRefusal(unit.tx, found) };
}

async function obstacleRefusal(
  tx: Tx,
  { gone, banned, outside, outside_count, holders }: Obstacles,
): Promise<DomainError | null> {
  if (gone.size > 0)
    return new DomainError('activity.goneMeanwhile', { list: firstNames([...gone]) });
  if (outside_count > 0)
    return refusalNaming(tx, 'event.claimsOutside', { claims: outside, count: outside_count });
  if (banned.size > 0) return bannedRefusal([...banned]);
  return holders.size > 0 ? refusalNamingIds(tx, 'activity.hoursTaken', [...holders]) : null;
}

interface Restoring extends Pick<Restoration, 'withdrawOffers'> {
  found: Obstacles;
}

async function* restoreInPieces(
  unit: ClaimWrite,
  pieces: AsyncIterable<readonly StoredClaim[]>,
  { found, withdrawOffers }: Restoring,
): AsyncGenerator<ClaimChange[], void> {
  const { ctx, tx, guild } = unit;
  const mustConfirm = needsConfirmation(ctx, guild);
  for await (const piece of pieces) {
    const stored = piece.map((claim) => withOpenConfirmations(claim, mustConfirm));
    const characters = await authorizedCharacters(
      tx,
      stored.map(({ character_name }) => character_name),
    );
    const events = await lookForGone(tx, stored, found);
    const possible = stored.flatMap((claim): Restorable[] => {
      if (found.left.has(claim.id)) return [];
      const character = characters.of(claim.character_name);
      if (character) return [{ ...claim, character_name: character.character_name, character }];
      found.banned.add(claim.character_name);
      found.left.add(claim.id);
      return [];
    });
    const claims = await restorePiece(unit, possible, { events, found, withdrawOffers });
    yield claims.map((after) => ({ before: null, after }));
  }
}

function withOpenConfirmations(
  claim: StoredClaim,
  mustConfirm: (begins: Beginning) => boolean,
): StoredClaim {
  const { date, parts } = claim;
  const isStill = ({ to_confirm, hour_start }: (typeof parts)[number]) =>
    to_confirm && date !== null && mustConfirm({ date, hour_start });
  return {
    ...claim,
    parts: parts.map((part) => ({
      ...part,
      to_confirm: isStill(part) ? (1 as const) : (0 as const),
    })),
  };
}

type Events = ReadonlyMap<number, EventFacts & { name: string }>;

interface Restorable extends StoredClaim {
  character: AuthorizedCharacter;
}

/** @returns the restored claims */
async function restorePiece(
  unit: ClaimWrite,
  stored: readonly Restorable[],
  { events, found, withdrawOffers }: Restoring & { events: Events },
): Promise<DatedClaim[]> {
  const { tx } = unit;
  const periodOf = ({ event_id }: Pick<Claim, 'event_id'>) =>
    event_id === null ? undefined : events.get(event_id);
  const lastDateOf = (claim: StoredClaim): string =>
    claim.date ?? eventDate(periodOf(claim)?.end_time ?? '');
  const isOutside = (claim: StoredClaim): boolean => {
    const event = periodOf(claim);
    return event !== undefined && claim.date !== null && !isWithinEvent(claim.date, event);
  };
  for (const claim of stored.filter(isOutside)) {
    found.outside_count += 1;
    found.left.add(claim.id);
    if (found.outside.length < LISTED) found.outside.push(claimRecord(claim));
  }
  const within = stored.filter((claim) => !isOutside(claim));
  for (const batch of inBatches(within, CLAIM_BATCH_SIZE)) {
    await insert(tx, batch, lastDateOf);
    await yieldToEventLoop();
  }
  const occupations = within
    .filter((claim) => !claim.is_secondary_claim)
    .map((claim) => ({
      claim_id: claim.id,
      character_key: claim.character.character_key,
      parts: claim.parts,
      dates: claim.date === null ? datesOfEvent(periodOf(claim)) : [claim.date],
    }));
  const obstructed = await occupyWithoutOffers(unit, occupations, withdrawOffers);
  for (const holder of holdersIn(obstructed)) found.holders.add(holder);
  for (const id of obstructed.keys()) found.left.add(id);
  for (const some of inBatches(obstructed.keys(), CLAIM_BATCH_SIZE))
    await deleteClaimRows(tx, some);
  const restored = within.filter(({ id }) => !obstructed.has(id));
  return restored.map((each) => {
    const event = periodOf(each);
    const first_date = each.date ?? eventDate(event?.start_time ?? '');
    return {
      claim: claimRecord(each),
      first_date,
      last_date: lastDateOf(each),
      event_name: event?.name ?? null,
    };
  });
}

/** Occupies hours and days, also those that are only offered to members on the waitlist: these offers are withdrawn. */
export async function occupyWithoutOffers(
  unit: ClaimWrite,
  occupations: readonly Occupation[],
  withdrawOffers: WithdrawOffers,
): Promise<Obstructed> {
  const obstructed = await occupyAll(unit.tx, occupations);
  const holds = await holdsAmong(unit.tx, holdersIn(obstructed));
  if (holds.length === 0) return obstructed;
  await withdrawOffers(unit, holds);
  const again = await occupyAll(
    unit.tx,
    occupations.filter(({ claim_id }) => obstructed.has(claim_id)),
  );
  return new Map(
    [...obstructed.keys()].flatMap((id) => {
      const holders = again.get(id);
      return holders ? [[id, holders]] : [];
    }),
  );
}

const holdsAmong = async (tx: Tx, claim_ids: readonly number[]): Promise<number[]> => {
  const holds = await readByIds(claim_ids, (some) =>
    tx
      .selectFrom('claims')
      .select('id')
      .where('id', 'in', some)
      .where('held_until', 'is not', null)
      .execute(),
  );
  return holds.map(({ id }) => id);
};

function datesOfEvent(event: EventFacts | undefined): string[] {
  return event ? datesBetween(eventDate(event.start_time), eventDate(event.end_time)) : [];
}

/**
 * Notes deleted spots and events, and their claims.
 * @returns the claims' events by id
 */
async function lookForGone(
  tx: Tx,
  stored: readonly StoredClaim[],
  { gone, left }: Obstacles,
): Promise<Events> {
  const parts = stored.flatMap((claim) => claim.parts);
  const spots = new Set(parts.map((part) => part.respawn_id));
  const known = await readByIds(spots, (some) =>
    tx.selectFrom('respawns').select('id').where('id', 'in', some).execute(),
  );
  const present = new Set(known.map((respawn) => respawn.id));
  for (const { id, parts } of stored) {
    for (const { respawn_id, respawn_name } of parts) {
      if (present.has(respawn_id)) continue;
      gone.add(respawn_name);
      left.add(id);
    }
  }

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
  for (const { id, event_id, event_name, date } of stored) {
    const event = event_id === null ? undefined : events.get(event_id);
    // The event's type may have changed while it had no claims.
    const fits =
      event_id === null || event?.type === (date === null ? 'single_claim' : 'multiple_claims');
    if (fits) continue;
    gone.add(event_name ?? '');
    left.add(id);
  }
  return events;
}

async function insert(
  tx: Tx,
  batch: readonly Restorable[],
  lastDateOf: (claim: StoredClaim) => string,
): Promise<void> {
  const here = new Set(batch.map((claim) => claim.id));
  const primaryIds = batch.map((claim) => claim.primary_claim_id).filter((id) => id !== null);
  const primaries =
    primaryIds.length > 0
      ? await tx.selectFrom('claims').select('id').where('id', 'in', primaryIds).execute()
      : [];
  for (const { id } of primaries) here.add(id);
  const rows = batch.map(({ primary_claim_id, character, ...claim }) => ({
    ...omit(claim, 'parts', 'secondary_ids', 'event_name'),
    // Computed again: names may have been compared differently then.
    character_key: character.character_key,
    primary_claim_id:
      primary_claim_id !== null && here.has(primary_claim_id) ? primary_claim_id : null,
  }));
  await tx.insertInto('claims').values(rows).execute();
  const parts = batch.flatMap((claim) =>
    claim.parts.map((part) => ({
      ...omit(part, 'respawn_name'),
      claim_id: claim.id,
      last_date: lastDateOf(claim),
    })),
  );
  await tx.insertInto('claim_parts').values(parts).execute();
  for (const { id, secondary_ids } of batch) {
    if (secondary_ids.length > 0)
      await tx
        .updateTable('claims')
        .set({ primary_claim_id: id })
        .where('id', 'in', secondary_ids)
        .execute();
  }
}
