import { DomainError, type ErrorCode } from '../../../shared/errors.ts';
import { lengthOf } from '../../../shared/rules/budget.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { type Release, releaseOf } from '../../../shared/rules/release.ts';
import type { Claim, ClaimOnRespawn, ClaimRow } from '../../../shared/schemas/claim.ts';
import { actorOf } from '../../auth/authenticate.ts';
import { type ServerSaveSettings, serverSaveNow } from '../../db/clock/server-save-clock.ts';
import type { Tx } from '../../db/database.ts';
import { type Writer, write } from '../../db/unit-of-work.ts';
import type { Admin, Member, Principal } from '../../http/caller.ts';
import { followPrimary } from './change-times.ts';
import { type DatedClaim, loadDatedClaims } from './claim-records.ts';
import { beginClaimWrite, type ClaimWrite, claimsChanged, rowsOf } from './claims-changed.ts';
import { deleteClaims } from './delete.ts';
import { markConfirmed } from './store-claims.ts';

/**
 * Releases the hours of a claim, or of a part of a split one, that have not begun (R9.20 to R9.22).
 * @param part_number of a split claim
 * @returns the claim's rows as they are now; none if the whole claim was released
 * @throws DomainError release.*, claim.notFound, split.whichPart, split.partGone
 */
export function releaseClaim(ctx: Writer & ServerSaveSettings, by: Principal, id: number, part_number: number | null): Promise<ClaimRow[]> {
  return write(ctx, async (tx, changes) => {
    const actor = await actorOf(tx, by);
    const unit = await beginClaimWrite(ctx, tx, changes, actor);
    const found = await ownClaim(tx, actor, id, 'release.otherCharacter');
    const { claim } = found;
    if (actor.role === 'member' && !unit.guild.release_enabled) throw new DomainError('release.disabled');
    if (claim.date === null) throw new DomainError('release.noDate');
    if (claim.is_held) throw new DomainError('release.held');
    const part = namedPart(claim, part_number);
    const { date: today, hour } = serverSaveNow(ctx);
    const release = releaseOf(part, claim.date, { today, hour });
    if (!release) throw new DomainError('release.nothingLeft');
    // R9.25: releasing the rest in time counts as showing up.
    if (release.stays && actor.role === 'member') await markConfirmed(tx, id, part.split_part_number ?? 1);
    const left = await giveUpHours(unit, found, { part, ...release }, 'released');
    return left ? rowsOf(unit, [left.claim]) : [];
  });
}

/** A part of a claim, the hours that it gives up, and those that it keeps. */
interface GivenUp extends Release {
  part: ClaimOnRespawn;
}

/**
 * Takes hours of one part from a claim, at its end or all of them; deletes the claim if no hours are left (R9.21, R9.22). Its dates
 * stay occupied as long as it exists.
 * @returns the claim as it is now; null: it is gone
 */
export async function giveUpHours(
  unit: ClaimWrite,
  before: DatedClaim,
  { part, gone, stays }: GivenUp,
  cause: 'released' | 'no_show',
): Promise<DatedClaim | null> {
  const { ctx, tx } = unit;
  const { claim } = before;
  const others = claimOnRespawns(claim).filter(({ split_part_number }) => split_part_number !== part.split_part_number);
  if (!stays && others.length === 0) {
    await deleteClaims(unit, { of: 'ids', ids: [claim.id] }, { cause });
    return null;
  }
  await freeHours(tx, claim.id, part.respawn_id, gone);
  if (stays) await endEarlier(tx, claim.id, part.split_part_number ?? 1, stays);
  else await dropPart(tx, claim.id, part);
  const left = lengthOf([...others, ...(stays ? [stays] : [])]);
  const custom_duration = left === claim.voucher_duration ? null : left;
  await tx
    .updateTable('claims')
    .set({ custom_duration, is_split_claim: stays ? claim.is_split_claim : 0 })
    .where('id', '=', claim.id)
    .execute();
  const lasted = { id: claim.id, hour_start: 0, hour_end: lengthOf(claimOnRespawns(claim)) };
  const followers = claim.is_secondary_claim ? [] : await followPrimary(ctx, tx, lasted, { hour_start: 0, hour_end: left });
  const [after = null] = await loadDatedClaims(tx, { of: 'ids', ids: [claim.id] });
  await claimsChanged(unit, [{ before, after }, ...followers], { cause });
  return after;
}

async function freeHours(tx: Tx, claim_id: number, respawn_id: number, { hour_start, hour_end }: HourRange): Promise<void> {
  await tx
    .deleteFrom('occupied_hours')
    .where('claim_id', '=', claim_id)
    .where('respawn_id', '=', respawn_id)
    .where('hour', '>=', hour_start)
    .where('hour', '<', hour_end)
    .execute();
}

async function endEarlier(tx: Tx, claim_id: number, part_number: number, { hour_end }: HourRange): Promise<void> {
  await tx.updateTable('claim_parts').set({ hour_end }).where('claim_id', '=', claim_id).where('part_number', '=', part_number).execute();
}

/** The other part becomes the first one of a whole claim. */
async function dropPart(tx: Tx, claim_id: number, { split_part_number }: ClaimOnRespawn): Promise<void> {
  await tx
    .deleteFrom('claim_parts')
    .where('claim_id', '=', claim_id)
    .where('part_number', '=', split_part_number ?? 1)
    .execute();
  await tx.updateTable('claim_parts').set({ part_number: 1 }).where('claim_id', '=', claim_id).execute();
}

/**
 * The claim that a caller acts on: members on their own character's, admins on any.
 * @throws DomainError claim.notFound, or `otherwise` if it is another character's
 */
export async function ownClaim(tx: Tx, actor: Admin | Member, id: number, otherwise: ErrorCode): Promise<DatedClaim> {
  const [found] = await loadDatedClaims(tx, { of: 'ids', ids: [id] });
  if (!found) throw new DomainError('claim.notFound');
  if (actor.role === 'member' && nameKey(found.claim.character_name) !== actor.character_key) throw new DomainError(otherwise);
  return found;
}

/**
 * The part of a claim that a caller names. A whole claim has no part to name: repeating a call for one part of a split claim must not
 * act on the other part (R9.21).
 * @throws DomainError split.whichPart, split.partGone
 */
export function namedPart(claim: Claim, part_number: number | null): ClaimOnRespawn {
  if (claim.is_split_claim && part_number === null) throw new DomainError('split.whichPart');
  const part = claimOnRespawns(claim).find(({ split_part_number }) => split_part_number === part_number);
  if (!part) throw new DomainError('split.partGone');
  return part;
}
