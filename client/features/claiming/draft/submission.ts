import { tidyName } from '../../../../shared/rules/names.ts';
import { SECONDARY_PRIORITY } from '../../../../shared/rules/secondary.ts';
import type { ClaimInput, ClaimRow, Submission } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { postClaims } from '../../../api/calls.ts';
import { ApiError } from '../../../api/request.ts';
import { refreshBoard } from '../../../live/refresh.ts';
import type { Attempt, Claimant, FailedSubmission } from '../../../state/claim-draft.ts';
import { type DraftRow, durationOf, secondaryPart } from './draft.ts';

interface SubmissionFacts {
  claimant: Claimant;
  /** null where every row is split: the parts have spots of their own. */
  respawn_id: number | null;
  voucher: number;
  event: ActiveEvent | null;
}

type Common = Pick<ClaimInput, 'character_name' | 'date' | 'event_id' | 'voucher_duration'>;

export function submissionBody(rows: readonly DraftRow[], facts: SubmissionFacts): Submission {
  const { claimant, event, voucher } = facts;
  const claims = rows.flatMap((row): ClaimInput[] => {
    const common: Common = {
      character_name: tidyName(claimant.character_name),
      // A single_claim event's claim has no date; a dated one names its event, which may end before the server reads this.
      ...(event?.type === 'single_claim' ? {} : { date: row.date }),
      ...(event ? { event_id: event.id } : {}),
      voucher_duration: voucher,
    };
    return [primaryClaim(row, facts), secondaryClaim(row, voucher)].flatMap((claim) =>
      claim ? [{ ...common, ...claim }] : [],
    );
  });
  const { member_type, access_key } = claimant;
  return access_key === null
    ? { claims, member_type, admin_submission: true }
    : { claims, member_type, access_key };
}

type OwnFields = Omit<ClaimInput, keyof Common>;

function primaryClaim(row: DraftRow, { respawn_id, voucher }: SubmissionFacts): OwnFields | null {
  const { split, hour_start } = row;
  const primary = { is_secondary_claim: 0, secondary_priority: 0 } as const;
  if (split) {
    const [first] = split;
    return {
      respawn_id: first.respawn_id,
      hour_start: first.hour_start,
      ...primary,
      is_split_claim: 1,
      split_parts: [...split],
    };
  }
  if (hour_start === null || respawn_id === null) return null;
  return {
    respawn_id,
    hour_start,
    hour_end: hour_start + durationOf(row, voucher),
    ...primary,
    is_split_claim: 0,
  };
}

function secondaryClaim(row: DraftRow, voucher: number): OwnFields | null {
  const secondary = secondaryPart(row, voucher);
  if (!secondary) return null;
  const { respawn_id, hour_start, hour_end } = secondary;
  return {
    respawn_id,
    hour_start,
    hour_end,
    is_secondary_claim: 1,
    secondary_priority: SECONDARY_PRIORITY,
    is_split_claim: 0,
  };
}

/** How many claims will be stored: a split claim is one, a secondary one is another. */
export const claimCount = (rows: readonly DraftRow[]): number =>
  rows.length + rows.filter((row) => row.secondary !== null).length;

/** The attempt for a submission: another try of the last one if its content is the same. */
export const attemptOf = (submission: Submission, last: Attempt | null): Attempt =>
  JSON.stringify(last?.submission) === JSON.stringify(submission) && last
    ? last
    : { submission, idempotency_key: newIdempotencyKey() };

/** A gateway's failure says as little about what was stored as a network's. */
const isUnsure = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502);

/** Returns the stored claims, or why there are none. */
export async function sendClaims(attempt: Attempt): Promise<ClaimRow[] | FailedSubmission> {
  try {
    const claims = await postClaims(attempt.submission, attempt.idempotency_key);
    refreshBoard();
    return claims;
  } catch (error) {
    return { status: isUnsure(error) ? 'unsure' : 'refused', attempt, error };
  }
}

/** A random key; `crypto.randomUUID` is missing where the site is served without HTTPS. */
function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
