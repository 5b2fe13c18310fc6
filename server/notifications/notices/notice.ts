import { z } from 'zod';
import { date, hourEnd, hourStart, id, timestamp } from '../../../shared/schemas/fields.ts';
import { transferOutcome } from '../../../shared/schemas/transfer.ts';

/** A notification names this many claims, and counts the others. */
export const MAX_NAMED_CLAIMS = 3;
/** A pending notice keeps this many claims, so that it can drop those that are undone meanwhile. It only counts the others. */
export const MAX_KEPT_CLAIMS = 20;

/** The spot when the notice was stored: it may be renamed or deleted before the notice is sent. */
export const place = z.object({
  respawn_name: z.string(),
  date: date.nullable(),
  hour_start: hourStart,
  hour_end: hourEnd,
});

const changedClaim = place.extend({
  claim_id: id,
  /** `withdrawn`: of hours that were offered, an undo restored them. */
  change: z.enum(['moved', 'added', 'removed', 'restored', 'eventMoved', 'withdrawn']),
  before: place.nullable(),
  /** The event's dates, for a claim without a date. */
  period: z.object({ first: date, last: date }).nullable(),
});
export type ChangedClaim = z.infer<typeof changedClaim>;

const common = {
  character_name: z.string(),
  /** Worthless from then on. */
  until: timestamp,
};

/** Stored without words: the member's language may change until it is sent. */
export const notice = z.discriminatedUnion('kind', [
  place.extend({
    kind: z.literal('hold_offered'),
    ...common,
    wait_id: id,
    /** The claim that holds the hours. */
    claim_id: id,
  }),
  place.extend({
    kind: z.enum(['hunt_begins', 'confirm_now']),
    ...common,
    claim_id: id,
    part_number: z.number().int(),
    begins_at: timestamp,
  }),
  place.extend({
    kind: z.literal('transfer_offered'),
    ...common,
    transfer_id: id,
    from: z.string(),
    /** The claim asked for in return; null: nothing is. */
    wanted: place.nullable(),
  }),
  /** `other` is the other character, `place` the offered claim. */
  place.extend({
    kind: z.literal('transfer_ended'),
    ...common,
    transfer_id: id,
    other: z.string(),
    outcome: transferOutcome,
    by_admin: z.boolean(),
  }),
  z.object({
    kind: z.literal('claim_changed'),
    ...common,
    /** All changed claims; `claims` has the first of them. */
    count: z.number().int().min(1),
    claims: z.array(changedClaim).max(MAX_KEPT_CLAIMS),
  }),
]);
export type Notice = z.infer<typeof notice>;
export type NoticeOf<K extends Notice['kind']> = Extract<Notice, { kind: K }>;

/** The preference that a notice obeys: an offer is one like held hours are, and its end a change of claims. */
export function preferenceFor(
  kind: Notice['kind'],
): 'hold_offered' | 'hunt_begins' | 'confirm_now' | 'claim_changed' {
  if (kind === 'transfer_offered') return 'hold_offered';
  return kind === 'transfer_ended' ? 'claim_changed' : kind;
}

export type HuntNotice = NoticeOf<'hunt_begins' | 'confirm_now'>;

/** A later notice replaces a pending one with the same subject. */
export function subjectOf(notice: Notice): string {
  switch (notice.kind) {
    case 'hold_offered':
      return `hold ${notice.date}`;
    case 'claim_changed':
      return 'claims';
    // That it ended replaces the offer.
    case 'transfer_offered':
    case 'transfer_ended':
      return `transfer ${notice.transfer_id}`;
    default:
      return `hunt ${notice.date} ${notice.part_number}`;
  }
}

/** The record that a notice asks its member about, as `prompt.changed` names it; null: there is nothing to answer. */
export function promptOf(notice: Notice): string | null {
  if (notice.kind === 'transfer_offered') return `transfer ${notice.transfer_id}`;
  if (notice.kind !== 'hold_offered' && notice.kind !== 'confirm_now') return null;
  return `claim ${notice.claim_id}`;
}

type Changes = NoticeOf<'claim_changed'>;

/**
 * Adds the claim of a later notice to an earlier one. Each claim is in it once: from what its member knows to how it is now.
 * @param isBeingSent the earlier notice may have arrived, so it cannot be undone
 * @returns null: everything was undone
 */
export function mergeNotices(
  earlier: Changes,
  later: Changes,
  isBeingSent = false,
): Changes | null {
  const [claim] = later.claims;
  if (!claim) throw new Error('a change of no claim');
  const known = earlier.claims.find(({ claim_id }) => claim_id === claim.claim_id);
  const merged = known && !isBeingSent ? mergeChanges(known, claim) : claim;
  if (known && merged)
    return {
      ...later,
      count: earlier.count,
      claims: earlier.claims.map((each) => (each === known ? merged : each)),
    };
  // A restored claim that is not among the kept ones is one of those that are only counted.
  const isOnlyCounted =
    !isBeingSent && claim.change === 'restored' && earlier.count > earlier.claims.length;
  if (merged && !isOnlyCounted)
    return {
      ...later,
      count: earlier.count + 1,
      claims: [...earlier.claims, merged].slice(0, MAX_KEPT_CLAIMS),
    };
  const claims = earlier.claims.filter((each) => each !== known);
  return earlier.count === 1 ? null : { ...later, count: earlier.count - 1, claims };
}

const isSameSlot = (a: NonNullable<ChangedClaim['before']>, b: ChangedClaim): boolean =>
  a.respawn_name === b.respawn_name &&
  a.date === b.date &&
  a.hour_start === b.hour_start &&
  a.hour_end === b.hour_end;

/** @returns null: the claim is again as its member knows it */
function mergeChanges(first: ChangedClaim, then: ChangedClaim): ChangedClaim | null {
  if (first.change === 'removed' && then.change === 'restored') return null;
  if ((first.change === 'restored' || first.change === 'added') && then.change === 'removed')
    return null;
  const { before } = first;
  if (first.change !== 'moved' || before === null) return then;
  if (then.change === 'moved')
    return isSameSlot(before, then) && !isSameSlot(before, first) ? null : { ...then, before };
  // The member does not know where it was in between.
  return then.change === 'removed' ? { ...then, ...before } : then;
}
