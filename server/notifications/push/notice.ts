import { z } from 'zod';
import { date, hourEnd, hourStart, id, timestamp } from '../../../shared/schemas/fields.ts';

/** Claims that one notice names; of more it says how many. */
export const NAMED_CLAIMS = 3;
/** Claims that are known while it waits, so that what is taken back meanwhile is not told; of more only how many there are. */
export const KEPT_CLAIMS = 20;

/** Where and when, as it was when it was noted: it may be renamed, or gone, when it is told. */
const place = z.object({ respawn_name: z.string(), date: date.nullable(), hour_start: hourStart, hour_end: hourEnd });

/** What an admin did to a claim. */
const changed = place.extend({
  claim_id: id,
  deed: z.enum(['moved', 'added', 'removed', 'restored', 'eventMoved']),
  before: z.object({ respawn_name: z.string(), hour_start: hourStart, hour_end: hourEnd }).nullable(),
  /** Of a claim of all of an event's dates: from when until when that is. */
  period: z.object({ first: date, last: date }).nullable(),
});
export type ChangedClaim = z.infer<typeof changed>;

const common = {
  character_name: z.string(),
  /** From then on nobody wants to know. */
  until: timestamp,
};

/** What a member is to be told, in no language yet: it is stored until it is sent. */
export const notice = z.discriminatedUnion('kind', [
  place.extend({ kind: z.literal('hold_offered'), ...common, wait_id: id }),
  place.extend({
    kind: z.enum(['hunt_begins', 'confirm_now']),
    ...common,
    claim_id: id,
    part_number: z.number().int(),
    begins_at: timestamp,
  }),
  z.object({
    kind: z.literal('claim_changed'),
    ...common,
    /** In all; of the first of them it is known what was done to them. */
    count: z.number().int().min(1),
    claims: z.array(changed).max(KEPT_CLAIMS),
  }),
]);
export type Notice = z.infer<typeof notice>;
export type NoticeOf<K extends Notice['kind']> = Extract<Notice, { kind: K }>;
export type HuntNotice = NoticeOf<'hunt_begins' | 'confirm_now'>;

/** What waits for a browser under the same name is replaced. */
export function thingOf(told: Notice): string {
  switch (told.kind) {
    case 'hold_offered':
      return `hold ${told.date}`;
    case 'claim_changed':
      return 'claims';
    default:
      return `hunt ${told.date} ${told.part_number}`;
  }
}

type Changes = NoticeOf<'claim_changed'>;

/**
 * What an earlier notice says and a later one, of a single claim, adds: each claim once, from what its member knows of to what is
 * so by now.
 * @param is_on_its_way the earlier one may be told already: nothing of it can be taken back
 * @returns null: all of it was taken back, and there is nothing to tell
 */
export function gathered(earlier: Changes, later: Changes, is_on_its_way = false): Changes | null {
  const [claim] = later.claims;
  if (!claim) throw new Error('a change of no claim');
  const known = earlier.claims.find(({ claim_id }) => claim_id === claim.claim_id);
  const one = known && !is_on_its_way ? inOne(known, claim) : claim;
  if (known && one) return { ...later, count: earlier.count, claims: earlier.claims.map((each) => (each === known ? one : each)) };
  // One that came back and is not known here is one of those that are only counted.
  const is_counted = !is_on_its_way && claim.deed === 'restored' && earlier.count > earlier.claims.length;
  if (one && !is_counted) return { ...later, count: earlier.count + 1, claims: [...earlier.claims, one].slice(0, KEPT_CLAIMS) };
  const claims = earlier.claims.filter((each) => each !== known);
  return earlier.count === 1 ? null : { ...later, count: earlier.count - 1, claims };
}

type Stretch = Pick<ChangedClaim, 'respawn_name' | 'hour_start' | 'hour_end'>;
const isSame = (a: Stretch, b: Stretch): boolean =>
  a.respawn_name === b.respawn_name && a.hour_start === b.hour_start && a.hour_end === b.hour_end;

/** @returns null: it is again as its member knows it */
function inOne(first: ChangedClaim, then: ChangedClaim): ChangedClaim | null {
  if (first.deed === 'removed' && then.deed === 'restored') return null;
  if ((first.deed === 'restored' || first.deed === 'added') && then.deed === 'removed') return null;
  const { before } = first;
  if (first.deed !== 'moved' || before === null) return then;
  if (then.deed === 'moved') return isSame(before, then) && !isSame(before, first) ? null : { ...then, before };
  // Where it stood in between nobody was told.
  return then.deed === 'removed' ? { ...then, ...before } : then;
}
