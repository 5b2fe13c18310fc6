import { DomainError } from '../errors.ts';
import type { Claim, ClaimInput, SplitPart } from '../schemas/claim.ts';
import type { EventFacts } from '../schemas/event.ts';
import type { MemberType } from '../schemas/member-type.ts';
import {
  assertDateInTime,
  assertEventNotOver,
  assertHoursExist,
  assertHoursInTime,
  type ClaimTime,
} from './claim-time.ts';
import { eventDate, isWithinEvent } from './event-period.ts';
import { type HourRange, wouldExceedDay } from './hours.ts';
import { assertMaySubmit, type Submitter } from './may-submit.ts';
import type { MissedPause } from './missed-claims.ts';
import { nameKey } from './names.ts';
import {
  assertSecondaryFits,
  mayClaimSecondary,
  SECONDARY_PRIORITY,
  secondaryEnd,
} from './secondary.ts';
import { datesBetween } from './server-save.ts';
import { assertSplitFits, partRange } from './split.ts';

export interface SubmissionFacts extends Omit<ClaimTime, 'may_enter_past'> {
  submitter: Submitter;
  member_type: MemberType;
  submission_enabled: number;
  pause: MissedPause | null;
  active_event: EventFacts | null;
}

export interface PlannedPart extends HourRange {
  part_number: number;
  respawn_id: number;
}

/** A claim that breaks no rule alone; whether its hours are free is checked elsewhere. */
export interface PlannedClaim
  extends Pick<
    Claim,
    | 'character_name'
    | 'member_type'
    | 'event_id'
    | 'date'
    | 'custom_duration'
    | 'voucher_duration'
    | 'is_secondary_claim'
    | 'secondary_priority'
    | 'is_split_claim'
  > {
  /** Every date it covers: one, or all of a single_claim event. */
  dates: readonly string[];
  /** One, or two when it is split. */
  parts: readonly PlannedPart[];
  /** The requested start, which a refusal names. */
  requested_start: number;
}

/**
 * The claims a submission asks for, or its refusal: R3 and R4 for all of them, R5 for split and secondary ones.
 * All or nothing.
 * @throws DomainError naming the date and hour that failed
 */
export function planSubmission(
  claims: readonly ClaimInput[],
  facts: SubmissionFacts,
): PlannedClaim[] {
  assertMaySubmit(claims, facts);
  const primaries = claims
    .filter((claim) => !claim.is_secondary_claim)
    .map((claim) => naming(claim, () => planPrimary(claim, facts)));
  assertEachDateOnce(primaries);
  const secondaries = claims
    .filter((claim) => claim.is_secondary_claim)
    .map((claim) => naming(claim, () => planSecondary(claim, primaries, facts)));
  assertEachDateOnce(secondaries);
  return [...primaries, ...secondaries];
}

/** R4.8: the refusal of one of several claims names its date and hour. */
function naming<T>(claim: ClaimInput, plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { date, hour_start } = claim;
    throw new DomainError(error.code, {
      ...(date ? { date } : {}),
      ...(hour_start === undefined || hour_start < 0 ? {} : { hour: hour_start }),
      ...error.params,
    });
  }
}

const timeOf = ({ submitter, today, hour, horizon_days, clock }: SubmissionFacts): ClaimTime => ({
  today,
  hour,
  horizon_days,
  clock,
  may_enter_past: submitter.role === 'admin' && submitter.may_enter_past !== false,
});

/** The last date a claim covers: as long as that is not over, the claim is not. */
export const lastOf = ({ dates }: Pick<PlannedClaim, 'dates'>): string =>
  dates.reduce((a, b) => (a > b ? a : b));

/** R3.4, R3.9, R3.10: the requested date, or every date of a single_claim event, and not the past. */
function planDates(claim: ClaimInput, facts: SubmissionFacts): When {
  const { active_event } = facts;
  const when = resolveDates(claim, active_event);
  if (active_event) assertEventNotOver(active_event, timeOf(facts));
  assertDateInTime(lastOf(when), when.event_id !== null, timeOf(facts));
  return when;
}

type When = Pick<PlannedClaim, 'event_id' | 'date' | 'dates'>;

function resolveDates(claim: ClaimInput, event: EventFacts | null): When {
  if (claim.event_id != null && claim.event_id !== event?.id)
    throw new DomainError('event.notActive');
  if (event && claim.date != null && !isWithinEvent(claim.date, event)) {
    throw new DomainError('claim.dateOutsideEvent', {
      date: claim.date,
      start: eventDate(event.start_time),
      end: eventDate(event.end_time),
    });
  }
  if (event?.type === 'single_claim') {
    return {
      event_id: event.id,
      date: null,
      dates: datesBetween(eventDate(event.start_time), eventDate(event.end_time)),
    };
  }
  if (claim.date == null) throw new DomainError('claim.datesRequired');
  return { event_id: event?.id ?? null, date: claim.date, dates: [claim.date] };
}

/** A member's character is the one the key belongs to, spelled as there. */
const characterOf = (claim: ClaimInput, { submitter }: SubmissionFacts): string =>
  submitter.role === 'member' ? submitter.character_name : claim.character_name;

function planPrimary(claim: ClaimInput, facts: SubmissionFacts): PlannedClaim {
  const { member_type } = facts;
  const voucher = member_type.voucher_duration_hours;
  if (!claim.is_split_claim && claim.respawn_id < 1) throw new DomainError('claim.selectRespawn');
  const parts = claim.is_split_claim
    ? planSplit(claim.split_parts ?? [], voucher)
    : [planWhole(claim, voucher)];
  const when = planDates(claim, facts);
  for (const part of parts) {
    const hours = claim.is_split_claim ? { ...part, split_part: part.part_number } : part;
    assertHoursInTime(hours, lastOf(when), timeOf(facts));
    assertHoursExist(part, when.date, facts);
  }
  const length = durationOf(parts);
  const [first] = parts;
  return {
    ...when,
    character_name: characterOf(claim, facts),
    member_type: member_type.member_type,
    parts,
    requested_start: first?.hour_start ?? 0,
    voucher_duration: voucher,
    custom_duration: length === voucher ? null : length,
    is_split_claim: claim.is_split_claim,
    is_secondary_claim: 0,
    secondary_priority: 0,
  };
}

/** R2.1, R2.2, R4.5: from 1 hour up to the voucher, the whole voucher without an end, and never past SS+24. */
function planWhole(claim: ClaimInput, voucher: number): PlannedPart {
  const { hour_start, hour_end, respawn_id } = claim;
  if (hour_start === undefined) throw new DomainError('claim.fieldsRequired');
  if (hour_start < 0) throw new DomainError('claim.hourOutOfRange');
  const duration = hour_end == null ? voucher : hour_end - hour_start;
  if (duration < 1 || duration > voucher)
    throw new DomainError('claim.durationOutOfRange', { max: voucher });
  if (wouldExceedDay(hour_start, duration))
    throw new DomainError('claim.exceedsDay', { hour: hour_start, duration });
  return { part_number: 1, respawn_id, hour_start, hour_end: hour_start + duration };
}

function planSplit(parts: readonly SplitPart[], voucher: number): PlannedPart[] {
  const ordered = [...parts]
    .sort((a, b) => a.part_number - b.part_number)
    .map((part, i) => ({ ...part, part_number: i + 1 }));
  assertSplitFits(ordered, voucher);
  return ordered.map((part) => ({
    part_number: part.part_number,
    respawn_id: part.respawn_id,
    ...partRange(part),
  }));
}

/** R5.5, R5.6: beside a primary claim of the same date, elsewhere, as long as that one, and only for some types. */
function planSecondary(
  claim: ClaimInput,
  primaries: readonly PlannedClaim[],
  facts: SubmissionFacts,
): PlannedClaim {
  const { member_type } = facts;
  if (!mayClaimSecondary(member_type.member_type, member_type.allow_secondary_claims)) {
    throw new DomainError('secondary.typeNotAllowed');
  }
  const when = planDates(claim, facts);
  const primary = primaries.find(
    (other) =>
      other.date === when.date && nameKey(other.character_name) === nameKey(claim.character_name),
  );
  if (!primary) throw new DomainError('secondary.needsPrimary');
  assertSecondaryFits(claim, primary.parts);
  const { hour_start, respawn_id } = claim;
  const part = {
    part_number: 1,
    respawn_id,
    hour_start,
    hour_end: secondaryEnd(hour_start, durationOf(primary.parts)),
  };
  assertHoursInTime(part, lastOf(when), timeOf(facts));
  assertHoursExist(part, when.date, facts);
  return {
    ...when,
    character_name: characterOf(claim, facts),
    member_type: member_type.member_type,
    parts: [part],
    requested_start: hour_start,
    voucher_duration: member_type.voucher_duration_hours,
    custom_duration: null,
    is_split_claim: 0,
    is_secondary_claim: 1,
    secondary_priority: SECONDARY_PRIORITY,
  };
}

function durationOf(parts: readonly HourRange[]): number {
  return parts.reduce((sum, part) => sum + part.hour_end - part.hour_start, 0);
}

/** R3.5: a character's claims of one submission are on different dates. */
function assertEachDateOnce(claims: readonly PlannedClaim[]): void {
  const seen = new Set<string>();
  for (const claim of claims) {
    const key = `${nameKey(claim.character_name)}|${claim.date}`;
    if (seen.has(key))
      throw new DomainError('claim.sameDateTwice', claim.date === null ? {} : { date: claim.date });
    seen.add(key);
  }
}
