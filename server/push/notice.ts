import { z } from 'zod';
import { date, hourEnd, hourStart, id, timestamp } from '../../shared/schemas/fields.ts';

/** Claims that one notice names; of more it says how many. */
export const NAMED_CLAIMS = 3;

/** Where and when, as it was when it was noted: it may be renamed, or gone, when it is told. */
const place = z.object({ respawn_name: z.string(), date: date.nullable(), hour_start: hourStart, hour_end: hourEnd });

/** What an admin did to a claim. */
const changed = place.extend({
  claim_id: id,
  deed: z.enum(['moved', 'removed', 'eventMoved']),
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
    /** In all; the first of them are named. */
    count: z.number().int().min(1),
    claims: z.array(changed).min(1).max(NAMED_CLAIMS),
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

/** What an earlier notice says and a later one adds, in one. */
export function gathered(earlier: NoticeOf<'claim_changed'>, later: NoticeOf<'claim_changed'>): NoticeOf<'claim_changed'> {
  const anew = new Map(later.claims.map((claim) => [claim.claim_id, claim]));
  // A claim that was changed again is told as it is by now.
  const again = earlier.claims.filter(({ claim_id }) => anew.has(claim_id)).length;
  const claims = [...earlier.claims.map((claim) => anew.get(claim.claim_id) ?? claim), ...later.claims];
  const named = [...new Map(claims.map((claim) => [claim.claim_id, claim])).values()].slice(0, NAMED_CLAIMS);
  return { ...later, count: earlier.count + later.count - again, claims: named };
}
