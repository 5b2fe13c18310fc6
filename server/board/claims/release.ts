import { DomainError, type ErrorCode } from '../../../shared/errors.ts';
import { lengthOf } from '../../../shared/rules/budget.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { type Release, releaseOf } from '../../../shared/rules/release.ts';
import type { Claim, ClaimOnRespawn, ClaimRow } from '../../../shared/schemas/claim.ts';
import type { Admin, Member, Principal } from '../../auth/callers.ts';
import { actorOf } from '../../auth/who-asks.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { write } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { type Ended, endedNow, keepGivenUp } from '../claim-history/record-endings.ts';
import { serverSaveNow } from '../config/clock.ts';
import { affectedWaitlists } from '../waitlist/affected-waitlists.ts';
import { readGuildNow, showClaims } from './board-view.ts';
import { followPrimary } from './change-times.ts';
import { tellUpdated } from './claim-events.ts';
import { claimRows, type DatedClaim, loadDatedClaims } from './claim-records.ts';
import { claimsWent, putMoved, recordClaims } from './claims-changed.ts';
import { deleteClaimsIn } from './delete.ts';
import { countAsConfirmed } from './store-claims.ts';

/**
 * Gives back the hours of a claim, or of a part of a split one, that have not begun (R9.20 to R9.22).
 * @param part_number of a split claim
 * @returns the claim's rows as they are now; none where it went
 * @throws DomainError release.*, claim.notFound, split.whichPart, split.partGone
 */
export function releaseClaim(ctx: Writing, by: Principal, id: number, part_number: number | null): Promise<ClaimRow[]> {
  return write(ctx, async (tx, changes) => {
    const actor = await actorOf(tx, by);
    const guild = await readGuildNow(ctx, tx);
    const found = await ownClaim(tx, actor, id, 'release.otherCharacter');
    const { claim } = found;
    if (actor.role === 'member' && !guild.release_enabled) throw new DomainError('release.disabled');
    if (claim.date === null) throw new DomainError('release.noDate');
    if (claim.is_held) throw new DomainError('release.held');
    const part = namedPart(claim, part_number);
    const { date: today, hour } = serverSaveNow(ctx);
    const release = releaseOf(part, claim.date, { today, hour });
    if (!release) throw new DomainError('release.nothingLeft');
    const gone = (await claimRows(tx, [claim]))
      .filter(({ split_part_number }) => split_part_number === part.split_part_number)
      .map((row) => ({ ...row, ...release.gone }));
    // R9.25: whoever gives back the rest in time is there, or said in time that they go.
    if (release.stays && actor.role === 'member') await countAsConfirmed(tx, id, part.split_part_number ?? 1);
    const left = await giveUp(ctx, tx, changes, found, { part, ...release }, endedNow(ctx, 'released', actor));
    showClaims(changes, left, guild);
    await recordClaims(ctx, tx, changes, actor, 'claim_released', [claim], gone, (details) => ({ details }));
    return claimRows(
      tx,
      left.map((dated) => dated.claim).filter((each) => each.id === id),
    );
  });
}

/** A part of a claim, and what becomes of its hours. */
export interface GivesUp extends Release {
  part: ClaimOnRespawn;
}

/**
 * Lets a claim give up hours of one part, at its end or all of them; where nothing is left of the claim it goes (R9.21, R9.22).
 * Its dates stay its own while it stands.
 * @returns the claims that are others now, the claim itself first; none where it went
 */
export async function giveUp(
  ctx: Pick<Writing, 'env' | 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  { claim, last_date }: DatedClaim,
  { part, gone, stays }: GivesUp,
  ended: Ended,
): Promise<DatedClaim[]> {
  const others = claimOnRespawns(claim).filter(({ split_part_number }) => split_part_number !== part.split_part_number);
  if (!stays && others.length === 0) {
    await deleteClaimsIn(ctx, tx, changes, { of: 'ids', ids: [claim.id] }, { keep: false, ended });
    return [];
  }
  const part_number = part.split_part_number ?? 1;
  await keepGivenUp(tx, [{ ...gone, claim_id: claim.id, part_number, respawn_id: part.respawn_id, last_date }], ended);
  await freeHours(tx, claim.id, part.respawn_id, gone);
  changes.collect(affectedWaitlists).hours(part.respawn_id, claim.date);
  changes.collect(affectedWaitlists).character(nameKey(claim.character_name));
  if (stays) await endEarlier(tx, claim.id, part_number, stays);
  else await dropPart(tx, changes, claim.id, part, others);
  const left = lengthOf([...others, ...(stays ? [stays] : [])]);
  const custom_duration = left === claim.voucher_duration ? null : left;
  await tx
    .updateTable('claims')
    .set({ custom_duration, is_split_claim: stays ? claim.is_split_claim : 0 })
    .where('id', '=', claim.id)
    .execute();
  const lasted = { id: claim.id, hour_start: 0, hour_end: lengthOf(claimOnRespawns(claim)) };
  const followed = claim.is_secondary_claim ? [] : await followPrimary(tx, lasted, { hour_start: 0, hour_end: left }, ended);
  const stand = await loadDatedClaims(tx, { of: 'ids', ids: [claim.id] });
  const updated = followed.map(({ claim: after, ended: hour_end }) => ({ before: { ...after, hour_end }, claim: after }));
  await tellUpdated(tx, changes, [...stand.map((dated) => ({ before: part, claim: dated.claim })), ...updated], ended.by_admin);
  return [...stand, ...followed];
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

/** What is left of a split claim is a whole one: its part is the first. */
async function dropPart(
  tx: Tx,
  changes: ChangeRecorder,
  claim_id: number,
  { split_part_number, respawn_id }: ClaimOnRespawn,
  others: readonly Pick<Claim, 'respawn_id'>[],
): Promise<void> {
  await tx
    .deleteFrom('claim_parts')
    .where('claim_id', '=', claim_id)
    .where('part_number', '=', split_part_number ?? 1)
    .execute();
  await tx.updateTable('claim_parts').set({ part_number: 1 }).where('claim_id', '=', claim_id).execute();
  if (others.some((other) => other.respawn_id === respawn_id)) return;
  putMoved(changes, await claimsWent(tx, { respawns: new Map([[respawn_id, 1]]), events: new Map() }));
}

/**
 * A claim that somebody acts on: members on their own character's, admins on any.
 * @throws DomainError claim.notFound, or this code where it is somebody else's
 */
export async function ownClaim(tx: Tx, actor: Admin | Member, id: number, otherwise: ErrorCode): Promise<DatedClaim> {
  const [found] = await loadDatedClaims(tx, { of: 'ids', ids: [id] });
  if (!found) throw new DomainError('claim.notFound');
  if (actor.role === 'member' && nameKey(found.claim.character_name) !== actor.character_key) throw new DomainError(otherwise);
  return found;
}

/**
 * The part of a claim that is meant. A whole claim has none to name: what is left of a split one must not be taken by asking
 * twice for its other part (R9.21).
 * @throws DomainError split.whichPart, split.partGone
 */
export function namedPart(claim: Claim, part_number: number | null): ClaimOnRespawn {
  const parts = claimOnRespawns(claim);
  if (claim.is_split_claim && part_number === null) throw new DomainError('split.whichPart');
  const part = parts.find(({ split_part_number }) => split_part_number === part_number);
  if (!part) throw new DomainError('split.partGone');
  return part;
}
