import { z } from 'zod';
import {
  code,
  date,
  datedPageQuery,
  dateOr,
  duration,
  hourEnd,
  hourStart,
  id,
  idOr,
  name,
  timestamp,
} from './fields.ts';
import { memberTypeName } from './member-type.ts';
import { MAX_SECRET_LENGTH } from './session.ts';

/** Open entries, then how an entry ended. */
const waitStatus = z.enum([
  'waiting',
  'offered',
  'accepted',
  'declined',
  'lapsed',
  'withdrawn',
  'void',
]);
export type WaitStatus = z.infer<typeof waitStatus>;

/** A waitlist entry for taken hours of a spot. The board has the waiting and offered ones. */
export const wait = z.object({
  id,
  respawn_id: id,
  /** The event that was active when it was made; null: none. */
  event_id: id.nullable(),
  date,
  hour_start: hourStart,
  hour_end: hourEnd,
  /** The fewest hours in a row that are worth an offer. */
  min_hours: duration,
  character_name: z.string(),
  member_type: z.string(),
  status: waitStatus,
  /** From 1 on, on the waitlist of this spot and date; 0 once the entry has ended. */
  position: z.number().int().min(0),
  created_at: timestamp,
  /** The claim that holds hours for it, or did; null: nothing was offered yet. */
  held_claim_id: id.nullable(),
  /** Until when the hours are held; null while none are. */
  held_until: timestamp.nullable(),
});
export type Wait = z.infer<typeof wait>;

/** As admins get it: with its end; null: it is open. */
export const waitAndEnd = wait.extend({ ended_at: timestamp.nullable() });
export type WaitAndEnd = z.infer<typeof waitAndEnd>;

/** The dates are those of the hours that are waited for. */
export const waitsQuery = datedPageQuery.extend({
  state: z.enum(['open', 'ended']).optional().describe('Only open entries, or only ended ones'),
});
export type WaitsQuery = z.infer<typeof waitsQuery>;

/** The caller's access key where none is in a header. */
export const waitActor = z.object({ access_key: z.string().max(MAX_SECRET_LENGTH).nullish() });

/** For whom one waits: a member for the key's own character, an admin for any. */
export const waitInput = waitActor.extend({
  respawn_id: idOr('claim.selectRespawn'),
  date: dateOr('claim.datesRequired'),
  hour_start: hourStart,
  hour_end: z.number(code('claim.fieldsRequired')).int().min(1).max(24, code('times.exceedsDay')),
  min_hours: duration.default(1),
  character_name: name('character.nameRequired').nullish(),
  member_type: memberTypeName.nullish(),
});
export type WaitInput = z.infer<typeof waitInput>;
