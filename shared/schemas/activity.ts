import { z } from 'zod';
import { ACTIVITY_ACTIONS, CLAIM_HISTORY } from '../activity-actions.ts';
import { date, id, idInPath, MAX_LIST, timestamp } from './fields.ts';
import { MAX_SECRET_LENGTH } from './session.ts';

const activityAction = z.enum(ACTIVITY_ACTIONS);

/** `discord`: a member through the Discord app. `visitor`: a person without a key yet. `server`: a job or a deadline. */
const actorKind = z.enum(['admin', 'member', 'discord', 'visitor', 'server', 'command_line']);
export type ActorKind = z.infer<typeof actorKind>;

export const activityEntry = z.object({
  id,
  timestamp,
  /** One of the above: entries of other actions, which another version wrote, are left out. */
  action: activityAction,
  actor_kind: actorKind,
  /** The admin's or the member's name; null: none of them did it. */
  actor_name: z.string().nullable(),
  admin_id: id.nullable(),
  /** `actor_name` of an admin; null for other actors. */
  admin_username: z.string().nullable(),
  /** As `activityDetails` declares for the action; `by` is the member's name, or `command line`. */
  details: z.record(z.string(), z.json()),
  /** The write that made it: an action's entry and those of what it caused share it. null: an earlier version made it. */
  clock: z.number().int().nullable(),
  /** Whether what it deleted can be put back, was, or is not kept any more; null: there was nothing to put back. */
  undo: z.enum(['possible', 'done', 'expired']).nullable(),
});
export type ActivityEntry = z.infer<typeof activityEntry>;

/** Characters of a search: names are shorter. */
const MAX_SEARCH = 100;

/** The dates are server-save dates in the specification's sense of a day; both ends included. */
export const activityQuery = z
  .object({
    limit: z.coerce.number().int().min(1).max(500).default(100),
    page: z.coerce
      .number()
      .int()
      .min(1)
      .default(1)
      .describe(
        `Of the claim history, only within its newest ${MAX_LIST} entries: older ones are read with \`before\``,
      ),
    /** Only entries older than the one with this id: pages then do not shift while new entries arrive. The counts ignore it. */
    before: idInPath.optional(),
    /** `claim_history`: all actions that ended claims or gave them to another character. */
    action: z.union([activityAction, z.literal(CLAIM_HISTORY)]).optional(),
    name: z
      .string()
      .trim()
      .min(1)
      .max(MAX_SEARCH)
      .optional()
      .describe(
        'Only entries that name a character or spot beginning so: of ten names, the newest 2,000 entries each',
      ),
    admin: z.string().trim().min(1).max(MAX_SECRET_LENGTH).optional(),
    /** `admins`: leaves out members, visitors and the server. */
    by: z.enum(['admins']).optional(),
    from: date.optional(),
    to: date.optional(),
  })
  // A page of several actions is merged from as many entries of each.
  .refine(({ action, page, limit }) => action !== CLAIM_HISTORY || page * limit <= MAX_LIST, {
    path: ['page'],
  });
export type ActivityQuery = z.infer<typeof activityQuery>;

export const activityPage = z.object({
  logs: z.array(activityEntry),
  /** Other entries of the same writes, 500 at most: what the actions caused, whether it matches the filters or not. */
  related: z.array(activityEntry),
  /** All entries there are. */
  total: z.number().int(),
  /** Entries that match the filters. */
  filtered: z.number().int(),
});
export type ActivityPage = z.infer<typeof activityPage>;

/** Claims that an undo can restore, about 500 bytes each. A deletion of more cannot be undone. */
export const MAX_CLAIMS_TO_UNDO = 20_000;

/** `partial`: restores the claims that nothing is in the way of. The others can be restored later. */
export const undoRequest = z.object({ partial: z.boolean().default(false) });
export type UndoRequest = z.infer<typeof undoRequest>;

/** How many claims an undo restored, and how many it could not. */
export const undoAnswer = z.object({
  restored_claims: z.number().int().min(0),
  left_claims: z.number().int().min(0),
});
export type UndoAnswer = z.infer<typeof undoAnswer>;
