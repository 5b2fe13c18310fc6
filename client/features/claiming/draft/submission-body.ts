import { nameKey, tidyName } from '../../../../shared/rules/names.ts';
import { SECONDARY_PRIORITY } from '../../../../shared/rules/secondary.ts';
import type { ClaimInput, Submission } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import type { ClaimFormRow } from './row.ts';
import { durationOf, waitingPart } from './row-parts.ts';

export interface SubmissionFacts {
  claimant: Claimant;
  /** null where every row is split: the parts have spots of their own. */
  respawn_id: number | null;
  voucher: number;
  event: ActiveEvent | null;
}

type Common = Pick<ClaimInput, 'character_name' | 'date' | 'event_id' | 'voucher_duration'>;

/** What is posted for the rows of the form, all of which are complete by now. */
export function submissionBody(rows: readonly ClaimFormRow[], facts: SubmissionFacts): Submission {
  const { claimant, event, voucher } = facts;
  const claims = rows.flatMap((row): ClaimInput[] => {
    const common: Common = {
      character_name: tidyName(claimant.character_name),
      // A single_claim event's claim has no date; a dated one names the event it was meant for, which may end meanwhile.
      ...(event?.type === 'single_claim' ? {} : { date: row.date }),
      ...(event ? { event_id: event.id } : {}),
      voucher_duration: voucher,
    };
    return [primaryClaim(row, facts), secondaryClaim(row, voucher)].flatMap((claim) => (claim ? [{ ...common, ...claim }] : []));
  });
  const { member_type, access_key } = claimant;
  return access_key === null ? { claims, member_type, admin_submission: true } : { claims, member_type, access_key };
}

type OwnFields = Omit<ClaimInput, keyof Common>;

function primaryClaim(row: ClaimFormRow, { respawn_id, voucher }: SubmissionFacts): OwnFields | null {
  const { split, hour_start } = row;
  if (split) {
    const [first] = split;
    return {
      respawn_id: first.respawn_id,
      hour_start: first.hour_start,
      is_secondary_claim: 0,
      secondary_priority: 0,
      is_split_claim: 1,
      split_parts: [...split],
    };
  }
  if (hour_start === null || respawn_id === null) return null;
  return {
    respawn_id,
    hour_start,
    hour_end: hour_start + durationOf(row, voucher),
    is_secondary_claim: 0,
    secondary_priority: 0,
    is_split_claim: 0,
  };
}

function secondaryClaim(row: ClaimFormRow, voucher: number): OwnFields | null {
  const waiting = waitingPart(row, voucher);
  if (!waiting) return null;
  const { respawn_id, hour_start, hour_end } = waiting;
  return { respawn_id, hour_start, hour_end, is_secondary_claim: 1, secondary_priority: SECONDARY_PRIORITY, is_split_claim: 0 };
}

/** The claims that will be stored: a split claim is one, a secondary one is another. */
export function claimCount(rows: readonly ClaimFormRow[]): number {
  return rows.length + rows.filter((row) => row.secondary !== null).length;
}

/** An admin has to say whom the claims are for. */
export const isNamed = (claimant: Claimant): boolean => nameKey(claimant.character_name) !== '';

/** Whom the claims are for, and by whose right they are submitted. */
export interface Claimant {
  character_name: string;
  member_type: string;
  /** null: an admin submits. */
  access_key: string | null;
}
