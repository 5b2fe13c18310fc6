import { DomainError, type ErrorCode, existing } from '../../../shared/errors.ts';
import { lengthOf } from '../../../shared/rules/budget.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { type Release, releaseOf } from '../../../shared/rules/release.ts';
import { MAX_CLAIMS_TO_UNDO } from '../../../shared/schemas/activity.ts';
import type { BulkAnswer } from '../../../shared/schemas/bulk.ts';
import type { Claim, ClaimOnRespawn, ClaimRow } from '../../../shared/schemas/claim.ts';
import { keepUndo, type ToKeep } from '../../activity/undo-store.ts';
import {
  allUnchanged,
  countAndNames,
  type KeptUndo,
  logActivity,
} from '../../auth/activity-log.ts';
import { actorOf } from '../../auth/authenticate.ts';
import { serverSaveNow } from '../../db/clock/server-save-clock.ts';
import {
  CLAIM_BATCH_SIZE,
  inBatches,
  readByIds,
  type Tx,
  yieldToEventLoop,
} from '../../db/database.ts';
import { MANY_CHANGES, type Writing, write, writeMany } from '../../db/unit-of-work.ts';
import type { Admin, Caller, Member } from '../../http/caller.ts';
import { keptEntriesOfHolds } from '../kept-entries.ts';
import { activePeriod } from '../records/guild.ts';
import { findRespawn } from '../records/respawns.ts';
import type { BulkWork } from './claim-events.ts';
import { type ClaimChange, type DatedClaim, loadDatedClaims } from './claim-records.ts';
import { type ClaimScope, idsInBatches, idsUpTo } from './claim-scopes.ts';
import {
  answeredRows,
  beginClaimWrite,
  type ClaimWrite,
  claimsChanged,
  keepsUndo,
  manyClaimsChanged,
  type Why,
} from './claims-changed.ts';
import { followPrimary } from './edit-claim.ts';
import { countHours, deleteClaimRows } from './occupancy.ts';
import { rowsOfClaims } from './restore.ts';
import { markConfirmed } from './store-claims.ts';

/**
 * Deletes a claim, a split one with both parts (R4.12).
 * @throws DomainError claim.notFound
 */
export async function deleteClaim(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (unit) => {
    const { count } = await deleteClaims(
      await beginClaimWrite(unit, admin),
      { type: 'ids', ids: [id] },
      { cause: 'deleted' },
    );
    if (count === 0) throw new DomainError('claim.notFound');
  });
}

/** Deletes many claims with one activity entry and one undo, split ones with both parts (R4.12). Unknown ids are skipped. */
export async function deleteClaimsInBulk(
  ctx: Writing,
  admin: Admin,
  ids: readonly number[],
): Promise<BulkAnswer> {
  return writeMany(ctx, await countHours(ctx.db, 'claim_id', ids), async (unit) => {
    const found = await readByIds(ids, (some) =>
      unit.tx
        .selectFrom('claims')
        .select(['id', 'character_name'])
        .where('id', 'in', some)
        .orderBy('id')
        .execute(),
    );
    if (found.length === 0) return allUnchanged(ids);
    const bulk = { action: 'claims_deleted', event: null, respawn: null } as const;
    const { undo } = await deleteClaims(
      await beginClaimWrite(unit, admin),
      { type: 'ids', ids: found.map(({ id }) => id) },
      { cause: 'deleted_in_bulk', bulk },
    );
    const named = found.map(({ character_name }) => character_name);
    const activity_id = await logActivity(unit, admin, {
      action: 'claims_deleted',
      details: countAndNames(named),
      undo,
      named,
    });
    return {
      changed: found.length,
      unchanged: ids.length - found.length,
      activity_id: undo && activity_id,
    };
  });
}

/**
 * Deletes the claims that the claims tab shows of a spot: those of the active event, without one all of them. One undo restores all.
 * @returns how many claims were deleted; a split one with both parts on the spot counts once
 * @throws DomainError respawn.notFound
 */
export async function clearRespawn(
  ctx: Writing,
  admin: Admin,
  respawn_id: number,
): Promise<{ deletedCount: number }> {
  return writeMany(ctx, await countHours(ctx.db, 'respawn_id', [respawn_id]), async (base) => {
    const unit = await beginClaimWrite(base, admin);
    const respawn = existing(await findRespawn(unit.tx, respawn_id), 'respawn.notFound');
    const event = await activePeriod(unit.tx);
    const scope: ClaimScope = {
      type: 'respawn',
      respawn_id,
      ...(event ? { event_id: event.id } : {}),
    };
    const bulk = {
      action: 'claims_cleared',
      event: null,
      respawn: { id: respawn_id, name: respawn.name },
    } as const;
    const { count, undo, named } = await deleteClaims(unit, scope, { cause: 'cleared', bulk });
    const details = {
      respawn_id,
      respawn_name: respawn.name,
      event_id: event?.id ?? null,
      deleted_count: count,
    };
    await logActivity(unit, admin, {
      action: 'claims_cleared',
      details: { ...details, ...beyondUndo(count) },
      undo,
      named,
    });
    return { deletedCount: count };
  });
}

/** The note in the log entry of a deletion of too many claims to undo. */
export const beyondUndo = (count: number): { beyond_undo?: true } =>
  count > MAX_CLAIMS_TO_UNDO ? { beyond_undo: true } : {};

/** Why claims are deleted, and what their undo restores besides them. */
type Deletion = (
  | {
      cause:
        | Exclude<
            Why,
            | { bulk: BulkWork | null }
            | { wait_ids: unknown }
            | { undo: unknown }
            | { last_ending: number }
          >['cause']
        | 'deleted';
    }
  | { cause: Extract<Why, { bulk: BulkWork | null }>['cause']; bulk: BulkWork }
) &
  Pick<ToKeep, 'event' | 'records'>;

interface Deleted {
  count: number;
  /** Restores them; null: no undo is kept, there is nothing to restore or too much. */
  undo: KeptUndo | null;
  /** The characters whose claims they were, `MAX_NAMED` at most. */
  named: readonly string[];
}

/** By how many of its characters the log finds a deletion of claims. */
const MAX_NAMED = 1_000;

/** Deletes the claims of a scope, with everything that follows (`claimsChanged`). There is no other way to delete claims. */
export async function deleteClaims(
  unit: ClaimWrite,
  scope: ClaimScope,
  deletion: Deletion,
): Promise<Deleted> {
  const { cause, event = null, records = [] } = deletion;
  const ids = await idsUpTo(unit.tx, scope, keepsUndo(cause) ? MAX_CLAIMS_TO_UNDO : MANY_CHANGES);
  const undo = keepsUndo(cause) && ids ? await keepUndoOf(unit, ids, { event, records }) : null;
  if (ids?.length === 0) return { count: 0, undo, named: [] };
  const named = new Set<string>();
  const deleted = deleteRows(unit.tx, ids ? [ids] : idsInBatches(unit.tx, scope));
  const count = await manyClaimsChanged(
    unit,
    withNames(deleted, named),
    whyOf(deletion, undo, ids),
  );
  return { count, undo, named: [...named] };
}

async function* withNames(
  batches: AsyncIterable<ClaimChange[]>,
  named: Set<string>,
): AsyncGenerator<ClaimChange[], void> {
  for await (const changes of batches) {
    for (const { before } of changes)
      if (before && !before.claim.is_held && named.size < MAX_NAMED)
        named.add(before.claim.character_name);
    yield changes;
  }
}

function whyOf(deletion: Deletion, undo: KeptUndo | null, ids: readonly number[] | null): Why {
  if (deletion.cause === 'deleted') return { cause: 'deleted', undo };
  return 'bulk' in deletion
    ? { cause: deletion.cause, bulk: ids?.length === 1 ? null : deletion.bulk }
    : { cause: deletion.cause };
}

async function keepUndoOf(
  unit: ClaimWrite,
  ids: readonly number[],
  rest: Pick<ToKeep, 'event' | 'records'>,
): Promise<KeptUndo | null> {
  const { tx } = unit;
  const found = await readByIds(ids, (some) =>
    tx
      .selectFrom('claims')
      .select('id')
      .where('id', 'in', some)
      .where('held_until', 'is not', null)
      .execute(),
  );
  const holds = found.map(({ id }) => id);
  const claimed = holds.length === 0 ? ids : [...new Set(ids).difference(new Set(holds))];
  // A hold is not restored: its entry is reopened, and gets the offer again if the hours are free.
  const records = [...(rest.records ?? []), ...(await keptEntriesOfHolds(tx, holds))];
  if (claimed.length === 0 && !rest.event && records.length === 0) return null;
  return keepUndo(unit, {
    event: rest.event ?? null,
    records,
    claims: rowsOfClaims(tx, claimed),
  });
}

/** @param ids each once, batch by batch */
async function* deleteRows(
  tx: Tx,
  ids: Iterable<readonly number[]> | AsyncIterable<readonly number[]>,
): AsyncGenerator<ClaimChange[], void> {
  for await (const some of ids) {
    for (const batch of inBatches(some, CLAIM_BATCH_SIZE)) {
      const claims = await loadDatedClaims(tx, { type: 'ids', ids: batch });
      await deleteClaimRows(tx, batch);
      yield claims.map((before) => ({ before, after: null }));
      await yieldToEventLoop();
    }
  }
}

/** A claim, or a part of a split one. */
export interface NamedPart {
  id: number;
  /** null: a whole claim. */
  part_number: number | null;
}

/**
 * Releases the hours of a claim, or of a part of a split one, that have not started (R9.20 to R9.22).
 * @returns the claim's rows as they are now; none if the whole claim was released
 * @throws DomainError release.*, claim.notFound, split.whichPart, split.partGone
 */
export function releaseClaim(
  ctx: Writing,
  by: Caller,
  { id, part_number }: NamedPart,
): Promise<ClaimRow[]> {
  return write(ctx, async (base) => {
    const { tx } = base;
    const actor = await actorOf(tx, by);
    const unit = await beginClaimWrite(base, actor);
    const found = await ownClaim(tx, actor, { id, otherwise: 'release.otherCharacter' });
    const { claim } = found;
    if (actor.role === 'member' && !unit.guild.release_enabled)
      throw new DomainError('release.disabled');
    if (claim.date === null) throw new DomainError('release.noDate');
    if (claim.is_held) throw new DomainError('release.held');
    const part = namedPart(claim, part_number);
    const { date: today, hour } = serverSaveNow(ctx);
    const release = releaseOf(part, claim.date, { today, hour });
    if (!release) throw new DomainError('release.nothingLeft');
    // R9.25: releasing the rest in time counts as showing up.
    if (release.stays && actor.role === 'member')
      await markConfirmed(tx, id, part.split_part_number ?? 1);
    const left = await giveUpHours(unit, found, { part, ...release, cause: 'released' });
    return left ? answeredRows(unit, [left.claim]) : [];
  });
}

/** A part of a claim, the hours that it gives up, those that it keeps, and why. */
interface GivenUp extends Release {
  part: ClaimOnRespawn;
  cause: 'released' | 'no_show';
}

/**
 * Takes hours of one part from a claim, at its end or all of them; deletes the claim if no hours are left (R9.21, R9.22). Its dates
 * stay occupied as long as it exists.
 * @returns the claim after the change; null: it was deleted
 */
export async function giveUpHours(
  unit: ClaimWrite,
  before: DatedClaim,
  { part, gone, stays, cause }: GivenUp,
): Promise<DatedClaim | null> {
  const { tx } = unit;
  const { claim } = before;
  const others = claimOnRespawns(claim).filter(
    ({ split_part_number }) => split_part_number !== part.split_part_number,
  );
  if (!stays && others.length === 0) {
    await deleteClaims(unit, { type: 'ids', ids: [claim.id] }, { cause });
    return null;
  }
  await vacateHours(tx, claim.id, { respawn_id: part.respawn_id, ...gone });
  if (stays) await endEarlier(tx, claim.id, { ...part, ...stays });
  else await dropPart(tx, claim.id, part);
  const left = lengthOf([...others, ...(stays ? [stays] : [])]);
  const custom_duration = left === claim.voucher_duration ? null : left;
  await tx
    .updateTable('claims')
    .set({ custom_duration, is_split_claim: stays ? claim.is_split_claim : 0 })
    .where('id', '=', claim.id)
    .execute();
  const lasted = { id: claim.id, hour_start: 0, hour_end: lengthOf(claimOnRespawns(claim)) };
  const followers = claim.is_secondary_claim
    ? []
    : await followPrimary(unit, lasted, { hour_start: 0, hour_end: left });
  const [after = null] = await loadDatedClaims(tx, { type: 'ids', ids: [claim.id] });
  await claimsChanged(unit, [{ before, after }, ...followers], { cause });
  return after;
}

async function vacateHours(
  tx: Tx,
  claim_id: number,
  { respawn_id, hour_start, hour_end }: HourRange & { respawn_id: number },
): Promise<void> {
  await tx
    .deleteFrom('occupied_hours')
    .where('claim_id', '=', claim_id)
    .where('respawn_id', '=', respawn_id)
    .where('hour', '>=', hour_start)
    .where('hour', '<', hour_end)
    .execute();
}

async function endEarlier(
  tx: Tx,
  claim_id: number,
  { split_part_number, hour_end }: ClaimOnRespawn,
): Promise<void> {
  await tx
    .updateTable('claim_parts')
    .set({ hour_end })
    .where('claim_id', '=', claim_id)
    .where('part_number', '=', split_part_number ?? 1)
    .execute();
}

/** The other part becomes the first one of a whole claim. */
async function dropPart(
  tx: Tx,
  claim_id: number,
  { split_part_number }: ClaimOnRespawn,
): Promise<void> {
  await tx
    .deleteFrom('claim_parts')
    .where('claim_id', '=', claim_id)
    .where('part_number', '=', split_part_number ?? 1)
    .execute();
  await tx
    .updateTable('claim_parts')
    .set({ part_number: 1 })
    .where('claim_id', '=', claim_id)
    .execute();
}

/**
 * The claim that a caller acts on: members on their own character's, admins on any.
 * @throws DomainError claim.notFound, or `otherwise` if it is another character's
 */
export async function ownClaim(
  tx: Tx,
  actor: Admin | Member,
  { id, otherwise }: { id: number; otherwise: ErrorCode },
): Promise<DatedClaim> {
  const [stored] = await loadDatedClaims(tx, { type: 'ids', ids: [id] });
  const found = existing(stored, 'claim.notFound');
  if (actor.role === 'member' && nameKey(found.claim.character_name) !== actor.character_key)
    throw new DomainError(otherwise);
  return found;
}

/**
 * The part of a claim that a caller names. A whole claim has no part to name: repeating a call for one part of a split claim must not
 * act on the other part (R9.21).
 * @throws DomainError split.whichPart, split.partGone
 */
export function namedPart(claim: Claim, part_number: number | null): ClaimOnRespawn {
  if (claim.is_split_claim && part_number === null) throw new DomainError('split.whichPart');
  const part = claimOnRespawns(claim).find(
    ({ split_part_number }) => split_part_number === part_number,
  );
  if (!part) throw new DomainError('split.partGone');
  return part;
}
