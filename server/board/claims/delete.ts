import { DomainError } from '../../../shared/errors.ts';
import { MAX_CLAIMS_TO_UNDO } from '../../../shared/schemas/activity.ts';
import type { BulkAnswer } from '../../../shared/schemas/bulk.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import { keepUndo, type UndoRecord } from '../../activity/undo-store.ts';
import { allUnchanged, countAndNames, type KeptUndo, logActivity } from '../../auth/activity-log.ts';
import type { Admin } from '../../auth/callers.ts';
import { breathe, byIds, inBatches } from '../../db/batches.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Reading, Tx } from '../../db/open.ts';
import { write, writeMany } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { MANY_CHANGES } from '../../live/many-changes.ts';
import { type Ended, endedNow, keepEndings } from '../claim-history/record-endings.ts';
import { activePeriod } from '../records/events.ts';
import { findRespawns } from '../records/respawns.ts';
import { affectedWaitlists } from '../waitlist/affected-waitlists.ts';
import { hideClaims, readGuildNow } from './board-view.ts';
import { type BulkWork, hearsEnds, tellBulk, tellDeleted } from './claim-events.ts';
import { claimRows, loadClaims, loadDatedClaims } from './claim-records.ts';
import { type ClaimScope, idsInTurns, idsOfFew } from './claim-scopes.ts';
import { claimsWent, growingTally, putMoved, recordClaims, type Tally } from './claims-changed.ts';
import { countHours, freeWholeEvents, handOverDays, mayHaveTwins } from './occupancy.ts';
import { rowsOfClaims } from './restore.ts';

/**
 * Deletes a claim, a split one with both parts (R4.12).
 * @throws DomainError claim.notFound
 */
export async function deleteClaim(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (tx, changes) => {
    const { count, few, undo } = await deleteClaimsIn(
      ctx,
      tx,
      changes,
      { of: 'ids', ids: [id] },
      {
        keep: true,
        ended: endedNow(ctx, 'admin', admin),
      },
    );
    if (count === 0) throw new DomainError('claim.notFound');
    await recordClaims(ctx, tx, changes, admin, 'claim_deleted', few, await claimRows(tx, few), (details) => ({ details, undo }));
  });
}

/**
 * Deletes what the claims tab shows of a respawn: its claims of the active event, without one all of them.
 * @returns how many claims went; a split one with both parts here counts once
 * @throws DomainError respawn.notFound
 */
export async function clearRespawn(ctx: Reading & Writing, admin: Admin, respawn_id: number): Promise<{ deletedCount: number }> {
  return writeMany(ctx, await countHours(ctx.db, 'respawn_id', [respawn_id]), async (tx, changes) => {
    const [respawn] = await findRespawns(tx, { ids: [respawn_id] });
    if (!respawn) throw new DomainError('respawn.notFound');
    const event = await activePeriod(tx);
    const scope: ClaimScope = { of: 'respawn', respawn_id, ...(event ? { event_id: event.id } : {}) };
    const { count, few, undo } = await deleteClaimsIn(ctx, tx, changes, scope, {
      keep: true,
      ended: endedNow(ctx, 'cleared', admin),
      bulk: { action: 'claims_cleared', event: null, respawn: { id: respawn_id, name: respawn.name } },
    });
    // One deed, one undo: it puts all of them back. Theirs would leave an admin with a part of what was cleared.
    const cleared = { cleared: true } as const;
    await recordClaims(ctx, tx, changes, admin, 'claim_deleted', few, await claimRows(tx, few), (claim) => ({
      details: { ...claim, ...cleared },
    }));
    const details = { respawn_id, respawn_name: respawn.name, event_id: event?.id ?? null, deleted_count: count };
    await logActivity(changes, admin, 'claims_cleared', { ...details, ...beyondUndo(count) }, undo);
    return { deletedCount: count };
  });
}

/** Those that are not only held for somebody in line. */
async function claimedAmong(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const held = await byIds(ids, (some) =>
    tx.selectFrom('claims').select('id').where('id', 'in', some).where('held_until', 'is not', null).execute(),
  );
  return held.length === 0 ? [...ids] : [...new Set(ids).difference(new Set(held.map(({ id }) => id)))];
}

/** What the entry of a deletion says where nothing of it can be restored. */
export const beyondUndo = (count: number): { beyond_undo?: true } => (count > MAX_CLAIMS_TO_UNDO ? { beyond_undo: true } : {});

interface DeletedClaims {
  count: number;
  /** They, whose entries the caller owes; none where they were many. */
  few: Claim[];
  /** What puts them back; null when there is nothing to put back, or too much, or nothing was to be kept. */
  undo: KeptUndo | null;
}

/**
 * Deletes the claims of a scope and takes them off the board, a few by naming each. Of many one hears by loading the
 * board anew, which shows the counts that they moved, too; the log has the deed alone.
 * @param keep whether what puts them back is kept
 * @param records what else their undo puts back
 * @param ended why they end
 * @param bulk of bulk work: what its summary says. A single claim is told of as ever.
 */
export async function deleteClaimsIn(
  ctx: Pick<Writing, 'env' | 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  scope: ClaimScope,
  { keep, ended: why, records = [], bulk }: { keep: boolean; ended: Ended; records?: readonly UndoRecord[]; bulk?: BulkWork },
): Promise<DeletedClaims> {
  const ids = await idsOfFew(tx, scope, keep ? MAX_CLAIMS_TO_UNDO : MANY_CHANGES);
  const claimed = keep && ids ? await claimedAmong(tx, ids) : [];
  const isKept = ids !== null && claimed.length + records.length > 0;
  const undo = isKept ? await keepUndo(ctx, tx, { records, claims: rowsOfClaims(tx, claimed) }) : null;
  if (ids?.length === 0) return { count: 0, few: [], undo };
  const dated = ids && ids.length <= MANY_CHANGES ? await loadDatedClaims(tx, { of: 'ids', ids }) : null;
  const ended = { ...why, is_bulk: bulk !== undefined && ids?.length !== 1 };
  const { count, claimed: told, ...tally } = await deleteRows(tx, changes, ids ? [ids] : idsInTurns(tx, scope), ended);
  if (bulk && ended.is_bulk) tellBulk(changes, bulk, ended.by_admin, { deleted: told });
  const moved = await claimsWent(tx, tally);
  if (!dated) {
    changes.reset();
    return { count, few: [], undo };
  }
  const guild = await readGuildNow(ctx, tx);
  hideClaims(changes, dated, guild);
  putMoved(changes, moved);
  return { count, few: dated.map(({ claim }) => claim), undo };
}

/** Deletes many claims as one deed, split ones with both parts (R4.12); those that are gone already stay gone. */
export async function deleteClaimsInBulk(ctx: Reading & Writing, admin: Admin, ids: readonly number[]): Promise<BulkAnswer> {
  return writeMany(ctx, await countHours(ctx.db, 'claim_id', ids), async (tx, changes) => {
    const found = await byIds(ids, (some) =>
      tx.selectFrom('claims').select(['id', 'character_name']).where('id', 'in', some).orderBy('id').execute(),
    );
    if (found.length === 0) return allUnchanged(ids);
    const scope = { of: 'ids', ids: found.map(({ id }) => id) } as const;
    const { undo } = await deleteClaimsIn(ctx, tx, changes, scope, {
      keep: true,
      ended: endedNow(ctx, 'admin', admin),
      bulk: { action: 'claims_deleted', event: null, respawn: null },
    });
    const told = countAndNames(found.map(({ character_name }) => character_name));
    const activity_id = await logActivity(changes, admin, 'claims_deleted', told, undo);
    return { changed: found.length, unchanged: ids.length - found.length, activity_id: undo && activity_id };
  });
}

/** Claims a statement deletes at most, with all that they occupy: until it is done nothing else of this server goes on. */
const CLAIMS_A_STATEMENT = 250;

/** What went: how many claims, and how many of them on each spot and in each event, whose counts the caller keeps. */
export interface Deleted extends Tally {
  count: number;
  /** Those of them that were claims, not holds. */
  claimed: number;
}

/**
 * Deletes the rows of claims, and nothing that is owed for it but why they ended; their days go to whoever else stands on
 * them. Whoever waits for their hours is served once the write is done. No claim goes by another way.
 * @param ids each once, some at a time
 * @param ended null for claims that go on standing elsewhere, as in the archive
 */
export async function deleteRows(
  tx: Tx,
  changes: Pick<ChangeRecorder, 'collect'>,
  ids: Iterable<readonly number[]> | AsyncIterable<readonly number[]>,
  ended: Ended | null,
): Promise<Deleted> {
  const waitlists = changes.collect(affectedWaitlists);
  const isHeard = ended !== null && hearsEnds(changes, ended);
  const hasTwins = await mayHaveTwins(tx);
  const tally = growingTally();
  let [count, claimed] = [0, 0];
  for await (const some of ids) {
    for (const batch of inBatches(some, CLAIMS_A_STATEMENT)) {
      if (hasTwins) await handOverDays(tx, tx.selectFrom('claims').select('id').where('id', 'in', batch));
      if (isHeard) await tellDeleted(tx, changes, await loadClaims(tx, { of: 'ids', ids: batch }), ended);
      const parts = await (ended ? keepEndings(tx, batch, ended) : respawnsOfParts(tx, batch));
      // So that the claims' own deletion takes at most a day's hours of each along.
      await freeWholeEvents(tx, batch);
      const gone = await tx
        .deleteFrom('claims')
        .where('id', 'in', batch)
        .returning(['id', 'event_id', 'date', 'character_key', 'held_until'])
        .execute();
      const partsByClaim = Map.groupBy(parts, ({ claim_id }) => claim_id);
      for (const { id, event_id, date, character_key, held_until } of gone) {
        if (held_until === null) claimed += 1;
        const respawns = new Set((partsByClaim.get(id) ?? []).map(({ respawn_id }) => respawn_id));
        tally.add(event_id, respawns);
        for (const respawn_id of respawns) waitlists.hours(respawn_id, date);
        waitlists.character(character_key);
      }
      count += gone.length;
      await breathe();
    }
  }
  return { count, claimed, respawns: tally.respawns, events: tally.events };
}

const respawnsOfParts = (tx: Tx, ids: readonly number[]) =>
  tx.selectFrom('claim_parts').select(['claim_id', 'respawn_id']).where('claim_id', 'in', ids).execute();
