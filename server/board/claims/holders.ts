import { DomainError } from '../../../shared/errors.ts';
import { lengthOf } from '../../../shared/rules/budget.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { assertCharacterIsFree } from '../../../shared/rules/conflicts.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { instantOf } from '../../../shared/rules/server-save.ts';
import { assertMayHaveSecondaries } from '../../../shared/rules/transfer-plan.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import { DEFAULT_MEMBER_TYPE, type MemberType } from '../../../shared/schemas/member-type.ts';
import type { ClaimCharacter } from '../../../shared/schemas/transfer.ts';
import { serverSaveClock } from '../../db/clock/server-save-clock.ts';
import type { Tx } from '../../db/database.ts';
import type { Admin } from '../../http/caller.ts';
import {
  type AuthorizedCharacter,
  authorizedCharacter,
  memberTypeOrFallback,
} from '../records/members.ts';
import { assertHasNoHold, heldDays } from './claim-facts.ts';
import type { DatedClaim } from './claim-records.ts';
import type { ClaimWrite } from './claims-changed.ts';

/** A claim's character, and the fields that depend on it. */
export interface Holding
  extends Pick<Claim, 'member_type' | 'voucher_duration' | 'custom_duration' | 'standing_id'> {
  to_confirm: Claim['to_confirm'];
}

type Choice = Pick<ClaimCharacter, 'character_name' | 'member_type'> & {
  claim: Claim;
  secondaries: readonly unknown[];
};

/**
 * The character that an admin gives a claim to; without a type, it is the claim's own in another spelling.
 * @throws DomainError transfer.secondary, transfer.self, character.banned, secondary.typeNotAllowed
 */
export async function chosenHolder(
  tx: Tx,
  admin: Admin,
  { claim, secondaries, character_name, member_type }: Choice,
): Promise<{ character: AuthorizedCharacter; type: MemberType | null }> {
  if (claim.is_secondary_claim) throw new DomainError('transfer.secondary');
  const isSelf = nameKey(character_name) === nameKey(claim.character_name);
  const isOtherType = member_type !== '' && member_type !== claim.member_type;
  if (character_name === claim.character_name || (isSelf && isOtherType))
    throw new DomainError('transfer.self');
  const character = await authorizedCharacter(tx, admin, character_name);
  if (isSelf) return { character, type: null };
  const type = await memberTypeOrFallback(tx, member_type || DEFAULT_MEMBER_TYPE);
  assertMayHaveSecondaries(secondaries, type);
  return { character, type };
}

/** Given to another character, a claim of a standing claim no longer belongs to it. */
export function holdingFor({ ctx, guild }: ClaimWrite, claim: Claim, type: MemberType): Holding {
  const length = lengthOf(claimOnRespawns(claim));
  const voucher_duration = type.voucher_duration_hours;
  const custom_duration = claim.is_secondary_claim
    ? claim.custom_duration
    : length === voucher_duration
      ? null
      : length;
  const to_confirm = guild.confirm_enabled ? partsToBegin(ctx, claim) : [];
  return {
    member_type: type.member_type,
    voucher_duration,
    custom_duration,
    standing_id: null,
    to_confirm,
  };
}

/** Of a claim that keeps its character. */
export const holdingOf = ({
  member_type,
  voucher_duration,
  custom_duration,
  standing_id,
  to_confirm,
}: Claim): Holding => {
  return { member_type, voucher_duration, custom_duration, standing_id, to_confirm };
};

/** @returns the claim as it is now */
export async function storeHolding(
  tx: Tx,
  before: DatedClaim,
  { to, to_confirm, ...holding }: Holding & { to: AuthorizedCharacter },
): Promise<DatedClaim> {
  const { claim } = before;
  const { character_name, character_key } = to;
  await tx
    .updateTable('claims')
    .set({ ...holding, character_name, character_key })
    .where('id', '=', claim.id)
    .execute();
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
  return { ...before, claim: { ...claim, ...holding, character_name, to_confirm } };
}

/** Also those that begin soon: members would free each other of confirming by a swap in the last minutes. */
export function partsToBegin(ctx: ClaimWrite['ctx'], claim: Claim): Claim['to_confirm'] {
  const { date } = claim;
  const now = ctx.now();
  const clock = serverSaveClock(ctx);
  if (date === null || claim.is_secondary_claim) return [];
  return claimOnRespawns(claim).flatMap(({ split_part_number, hour_start }) =>
    instantOf(date, hour_start, clock) > now ? [split_part_number === 2 ? 2 : 1] : [],
  );
}

/**
 * R4.6: a character has one spot a date; claims that it gives away at the same time don't count.
 * @throws DomainError hold.isYours, claim.characterHasClaim
 */
export async function assertIsFree(
  tx: Tx,
  { dates, claim }: { dates: readonly string[]; claim: Claim },
  { character_name, given = [] }: { character_name: string; given?: readonly number[] },
): Promise<void> {
  await assertHasNoHold(tx, character_name, dates);
  const requested = { ...claim, character_name, dates, requested_start: claim.hour_start };
  assertCharacterIsFree(requested, await heldDays(tx, requested, given));
}
