import { DomainError } from '../../../shared/errors.ts';
import { lengthOf } from '../../../shared/rules/budget.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { assertCharacterIsFree } from '../../../shared/rules/conflicts.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { mayClaimSecondary } from '../../../shared/rules/secondary.ts';
import { instantOf } from '../../../shared/rules/server-save.ts';
import type { Claim, ClaimRow } from '../../../shared/schemas/claim.ts';
import { DEFAULT_MEMBER_TYPE, type MemberType } from '../../../shared/schemas/member-type.ts';
import type { ClaimCharacter } from '../../../shared/schemas/transfer.ts';
import { type ServerSaveSettings, serverSaveClock } from '../../db/clock/server-save-clock.ts';
import type { Tx } from '../../db/database.ts';
import { type Writer, write } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { datesOf } from '../claims/change-times.ts';
import { assertHasNoHold, heldDays } from '../claims/claim-facts.ts';
import { type ClaimChange, type DatedClaim, loadDatedClaims } from '../claims/claim-records.ts';
import { beginClaimWrite, type ClaimWrite, claimsChanged, rowsOf } from '../claims/claims-changed.ts';
import { handOverDays, occupyDays } from '../claims/occupancy.ts';
import { memberTypeOrFallback } from '../records/members.ts';

/** A claim with the secondary claims that go where it goes, and the dates that it covers. */
export interface WholeClaim extends DatedClaim {
  secondaries: readonly DatedClaim[];
  dates: readonly string[];
}

/** The character that a claim goes to. */
export interface Recipient {
  character_name: string;
  type: MemberType;
}

export interface Reassignment {
  from: WholeClaim;
  to: Recipient;
}

export async function findWholeClaim(tx: Tx, id: number): Promise<WholeClaim | null> {
  const [found] = await loadDatedClaims(tx, { of: 'ids', ids: [id] });
  if (!found) return null;
  const followers = await tx.selectFrom('claims').select('id').where('primary_claim_id', '=', id).execute();
  const secondaries = await loadDatedClaims(tx, { of: 'ids', ids: followers.map((follower) => follower.id) });
  return { ...found, secondaries, dates: await datesOf(tx, found.claim) };
}

/**
 * Gives claims to other characters, all at once: with their secondary claims, and with the days that they occupy. Their hours stay
 * occupied. The new holders confirm them, unless they have begun (R9.24).
 * @throws DomainError claim.characterHasClaim
 */
export async function reassign(
  unit: ClaimWrite,
  reassignments: readonly Reassignment[],
  cause: 'handed_over' | 'swapped' | 'reassigned',
): Promise<DatedClaim[]> {
  const { tx } = unit;
  const ids = reassignments.map(({ from }) => from.claim.id);
  await handOverDays(tx, tx.selectFrom('claims').select('id').where('id', 'in', ids));
  await tx.deleteFrom('occupied_days').where('claim_id', 'in', ids).execute();
  const given: ClaimChange[] = [];
  for (const { from, to } of reassignments) {
    given.push({ before: from, after: await giveTo(unit, from, to) });
    for (const before of from.secondaries) given.push({ before, after: await giveTo(unit, before, to), follows: true });
  }
  const occupations = reassignments.map(({ from, to }) => {
    return { claim_id: from.claim.id, character_key: nameKey(to.character_name), dates: from.dates };
  });
  const collision = await occupyDays(tx, occupations);
  if (collision) {
    const to = reassignments.find(({ from }) => from.claim.id === collision.claim_id)?.to;
    throw new DomainError('claim.characterHasClaim', { date: collision.date, character_name: to?.character_name ?? '' });
  }
  await claimsChanged(unit, given, { cause });
  return given.flatMap(({ after, follows }) => (after && !follows ? [after] : []));
}

/** Stores a claim's new character. A standing claim of the former one made it no longer. */
async function giveTo({ ctx, tx, guild }: ClaimWrite, before: DatedClaim, { character_name, type }: Recipient): Promise<DatedClaim> {
  const { claim } = before;
  const length = lengthOf(claimOnRespawns(claim));
  const voucher_duration = type.voucher_duration_hours;
  const custom_duration = claim.is_secondary_claim ? claim.custom_duration : length === voucher_duration ? null : length;
  const changed = { character_name, member_type: type.member_type, voucher_duration, custom_duration, standing_id: null };
  await tx
    .updateTable('claims')
    .set({ ...changed, character_key: nameKey(character_name) })
    .where('id', '=', claim.id)
    .execute();
  const to_confirm = guild.confirm_enabled ? partsToBegin(ctx, claim) : [];
  for (const { split_part_number } of claimOnRespawns(claim)) {
    const part_number = split_part_number ?? 1;
    const isToConfirm = to_confirm.some((part) => part === part_number);
    await tx
      .updateTable('claim_parts')
      .set({ to_confirm: isToConfirm ? 1 : 0 })
      .where('claim_id', '=', claim.id)
      .where('part_number', '=', part_number)
      .execute();
  }
  return { ...before, claim: { ...claim, ...changed, to_confirm } };
}

/** Also those that begin soon: members would free each other of confirming by a swap in the last minutes. */
function partsToBegin(ctx: ClaimWrite['ctx'], claim: Claim): Claim['to_confirm'] {
  const { date } = claim;
  const [now, clock] = [ctx.now(), serverSaveClock(ctx)];
  if (date === null || claim.is_secondary_claim) return [];
  return claimOnRespawns(claim).flatMap(({ split_part_number, hour_start }) =>
    instantOf(date, hour_start, clock) > now ? [split_part_number === 2 ? 2 : 1] : [],
  );
}

/**
 * R4.6: a character has one spot a date; claims that it gives away at the same time don't count.
 * @throws DomainError hold.isYours, claim.characterHasClaim
 */
export async function assertIsFree(tx: Tx, { dates, claim }: WholeClaim, character_name: string, given: readonly number[]): Promise<void> {
  await assertHasNoHold(tx, character_name, dates);
  const requested = { ...claim, character_name, dates, requested_start: claim.hour_start };
  assertCharacterIsFree(requested, await heldDays(tx, requested, given));
}

/** R5.5. @throws DomainError secondary.typeNotAllowed */
export function assertMayHaveSecondaries({ secondaries }: WholeClaim, { member_type, allow_secondary_claims }: MemberType): void {
  if (secondaries.length > 0 && !mayClaimSecondary(member_type, allow_secondary_claims)) throw new DomainError('secondary.typeNotAllowed');
}

/**
 * An admin moves a claim to another character, with its secondary claims. As when admins edit hours, vouchers and budgets don't apply.
 * @returns the claim's rows as the board shows them
 * @throws DomainError claim.notFound, hold.notEdited, transfer.secondary, transfer.self, secondary.typeNotAllowed, hold.isYours,
 * claim.characterHasClaim
 */
export function moveToCharacter(
  ctx: Writer & ServerSaveSettings,
  admin: Admin,
  id: number,
  { character_name, member_type }: ClaimCharacter,
): Promise<ClaimRow[]> {
  return write(ctx, async (tx, changes) => {
    const from = await findWholeClaim(tx, id);
    if (!from) throw new DomainError('claim.notFound');
    if (from.claim.is_held) throw new DomainError('hold.notEdited');
    if (from.claim.is_secondary_claim) throw new DomainError('transfer.secondary');
    if (nameKey(character_name) === nameKey(from.claim.character_name)) throw new DomainError('transfer.self');
    const type = await memberTypeOrFallback(tx, member_type || DEFAULT_MEMBER_TYPE);
    assertMayHaveSecondaries(from, type);
    await assertIsFree(tx, from, character_name, []);
    const unit = await beginClaimWrite(ctx, tx, changes, admin);
    const given = await reassign(unit, [{ from, to: { character_name, type } }], 'reassigned');
    return rowsOf(
      unit,
      given.map(({ claim }) => claim),
    );
  });
}
