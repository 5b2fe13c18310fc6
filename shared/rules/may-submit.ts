import { DomainError } from '../errors.ts';
import type { ClaimInput } from '../schemas/claim.ts';
import type { MemberType } from '../schemas/member-type.ts';
import { assertNotPaused, type MissedPause } from './missed-claims.ts';
import { nameKey } from './names.ts';

// In a file of its own: it is part of the board's first load, the plan of a submission is not.

/** Admins may claim for any character, and in the past by default; members for their own character. */
export type Submitter =
  | { role: 'admin'; may_enter_past?: boolean }
  | { role: 'member'; character_name: string };

export interface MaySubmitFacts {
  submitter: Submitter;
  submission_enabled: number;
  /** Today's server-save date. */
  today: string;
  member_type: Pick<MemberType, 'can_submit' | 'earliest_submission_date'>;
  /** R9.29 */
  pause: MissedPause | null;
}

/**
 * R4.1 to R4.4: admins always; members for themselves, when submission is on, their type may, and it may already; R9.29: unless they
 * missed too many claims.
 */
export function assertMaySubmit(
  claims: readonly Pick<ClaimInput, 'character_name'>[],
  { submitter, member_type, submission_enabled, today, pause }: MaySubmitFacts,
): void {
  if (submitter.role === 'admin') return;
  if (claims.some((claim) => nameKey(claim.character_name) !== nameKey(submitter.character_name))) {
    throw new DomainError('claim.otherCharacter');
  }
  if (!submission_enabled) throw new DomainError('claim.submissionDisabled');
  if (!member_type.can_submit) throw new DomainError('claim.typeMayNotSubmit');
  if (today < member_type.earliest_submission_date) {
    throw new DomainError('claim.beforeEarliestDate', {
      date: member_type.earliest_submission_date,
    });
  }
  assertNotPaused(pause);
}
