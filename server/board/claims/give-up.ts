import { lengthOf } from '../../../shared/rules/budget.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Release } from '../../../shared/rules/release.ts';
import type { Claim, ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import type { Writing } from '../../jobs/writing.ts';
import { affectedWaitlists } from '../waitlist/affected-waitlists.ts';
import { claimsWent, putMoved } from './counts.ts';
import { deleteClaimsIn } from './delete.ts';
import { type Ended, keepGivenUp } from './endings.ts';
import { followPrimary } from './follow-primary.ts';
import { tellUpdated } from './news.ts';
import { type DatedClaim, loadDatedClaims } from './queries.ts';

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
  await free(tx, claim.id, part.respawn_id, gone);
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

async function free(tx: Tx, claim_id: number, respawn_id: number, { hour_start, hour_end }: HourRange): Promise<void> {
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
