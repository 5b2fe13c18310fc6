import { errors } from '../error-codes.ts';
import { DomainError } from '../errors.ts';
import type { Claim, ClaimInput } from '../schemas/claim.ts';
import type { MemberType } from '../schemas/member-type.ts';
import { nameKey } from './names.ts';
import { mayClaimSecondary } from './secondary.ts';
import { type PlannedClaim, planSubmission, type SubmissionFacts } from './submission.ts';

// In a file of its own: transfer.ts is part of the board's first load, and these rules import all of a submission's.

/** A claim with the secondary claims that go where it goes. */
export interface Transferred {
  claim: Claim;
  secondaries: readonly Claim[];
}

/** The character that a claim goes to. */
export interface Recipient {
  character_name: string;
  type: MemberType;
}

/**
 * R11.3: a claim as its recipient would submit it, by the rules of a submission (R3 to R5). It is judged by its own event: one without an
 * event stays so while an event is active.
 * @throws DomainError claim.*, split.*, secondary.*
 */
export function planTransfer(
  { claim, secondaries }: Transferred,
  { character_name, type }: Recipient,
  facts: Omit<SubmissionFacts, 'submitter' | 'member_type'>,
): PlannedClaim[] {
  const planned = planSubmission(
    [claim, ...secondaries].map((each) => inputOf(each, character_name)),
    {
      ...facts,
      submitter: { role: 'member', character_name },
      member_type: type,
      active_event: claim.event_id === null ? null : facts.active_event,
    },
  );
  assertMayHaveSecondaries(secondaries, type);
  return planned;
}

const inputOf = (claim: Claim, character_name: string): ClaimInput => ({
  respawn_id: claim.respawn_id,
  character_name,
  hour_start: claim.hour_start,
  hour_end: claim.hour_end,
  date: claim.date,
  event_id: claim.event_id,
  is_secondary_claim: claim.is_secondary_claim,
  is_split_claim: claim.is_split_claim,
  split_parts: claim.split_parts,
});

/** R5.5. @throws DomainError secondary.typeNotAllowed */
export function assertMayHaveSecondaries(
  secondaries: readonly unknown[],
  { member_type, allow_secondary_claims }: MemberType,
): void {
  if (secondaries.length > 0 && !mayClaimSecondary(member_type, allow_secondary_claims))
    throw new DomainError('secondary.typeNotAllowed');
}

/** A refusal of another character than the caller names that character: other codes speak to the caller. */
export function namingRecipient(error: unknown, character_name: string, caller: string): unknown {
  const isTheirs =
    error instanceof DomainError &&
    errors[error.code].about === 'character' &&
    nameKey(character_name) !== nameKey(caller);
  return isTheirs
    ? new DomainError('transfer.cannotHave', { character_name, reason: error.code })
    : error;
}
