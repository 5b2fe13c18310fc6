import { z } from 'zod';
import { ACTIVITY_ACTIONS, type ActivityAction } from '../activity-actions.ts';
import type { Json } from '../errors.ts';
import { revokedBecause } from './access-key.ts';
import { destinationKind, switchedOff } from './destination.ts';
import { eventType } from './event.ts';
import { date, flag, id } from './fields.ts';
import { memberType } from './member-type.ts';
import { needKind } from './needs-look.ts';
import { adminRole } from './session.ts';
import { standingEndReason } from './standing-claim.ts';
import { transferOutcome } from './transfer.ts';

const count = z.number().int().min(0);
const text = z.string();
/** From what to what, by field: only those that differ. */
const changed = z.record(z.string(), z.object({ from: z.json(), to: z.json() }));
/** Of a deletion that took more than an undo puts back. */
const beyond_undo = z.literal(true).exactOptional();

/** A spot that is gone has no name. */
const places = z.array(
  z.object({ respawn_id: id, respawn_name: text, hour_start: count, hour_end: count }),
);

const claim = z.object({
  claim_id: id,
  character_name: text,
  member_type: text,
  /** null: every date of its single_claim event. */
  date: date.nullable(),
  event_id: id.nullable(),
  is_secondary_claim: flag,
  is_split_claim: flag,
  places,
});
const cleared = z.object({ respawn_id: id, respawn_name: text, event_id: id.nullable() });
const newEvent = z.object({
  event_id: id,
  name: text,
  type: eventType,
  start_time: text,
  end_time: text,
});
const eventWithClaims = newEvent.extend({ claim_count: count });
const event = z.object({ event_id: id, name: text, changed });
const undoing = z.object({
  undid: id,
  undid_action: z.enum(ACTIVITY_ACTIONS),
  restored_claims: count,
  /** Claims that something was in the way of: the undone entry still offers to restore them. */
  left_claims: count.exactOptional(),
});
const accessKey = z.object({ access_key_id: id, character_name: text, member_type: text });
const wait = z.object({
  wait_id: id,
  character_name: text,
  member_type: text,
  date,
  /** One. */
  places,
});
/** A standing claim; its places are one. */
const standing = z.object({
  standing_id: id,
  character_name: text,
  member_type: text,
  weekdays: z.array(count),
  places,
});
/** Of a claim offered to another character, for nothing or for one of theirs. */
const transfer = z.object({
  transfer_id: id,
  claim_id: id,
  character_name: text,
  to_name: text,
  date: date.nullable(),
  places,
  for_claim_id: id.exactOptional(),
});
/** Of a hold the hours that were held, which are some of those waited for. */
const hold = wait.extend({ claim_id: id });
const character = z.object({ character_name: text });
const respawn = z.object({ respawn_id: id, name: text });
const category = z.object({ category_id: id, name: text });
const account = z.object({ username: text });
/** Never its address: readers of the log could post to it. */
const destination = z.object({ destination_id: id, name: text, kind: destinationKind, host: text });
/** Of a bulk action: how many, and the first names. */
const many = z.object({ count, names: z.array(text) });
/** The names of the first of both. */
const imported = z.object({ added: count, altered: count, names: z.array(text) });
const nothing = z.object({});

/** The subject of an entry: a claim, a record, or the first of many. */
const subject = claim
  .pick({ claim_id: true, character_name: true, date: true, places: true })
  .extend({ name: text, count, names: z.array(text), added: count, altered: count, changed })
  .partial();

/** The actions that undo others: which ones, and what they repeat of the undone entry. */
const undoActions = {
  claims_restored: {
    undoes: ['claim_deleted', 'claims_cleared'],
    repeats: claim.extend(cleared.shape).partial(),
  },
  event_restored: { undoes: ['event_deleted'], repeats: eventWithClaims.partial() },
  respawn_restored: {
    undoes: ['respawn_deleted'],
    repeats: respawn.extend({ claim_count: count }).partial(),
  },
  category_restored: {
    undoes: ['category_deleted'],
    repeats: category.extend({ respawns_moved: count }).partial(),
  },
  member_type_restored: {
    undoes: ['member_type_deleted'],
    repeats: z.object({ member_type: text, access_keys: count, claims: count }).partial(),
  },
  verification_restored: {
    undoes: ['verification_deleted'],
    repeats: character.extend({ verification_id: id }).partial(),
  },
  access_key_restored: {
    undoes: ['access_key_deleted'],
    repeats: accessKey.extend({ verification_records: count }).partial(),
  },
  /** Names what the other actions changed. */
  change_undone: {
    undoes: [
      'claim_updated',
      'claims_deleted',
      'standing_ended',
      'no_show_excused',
      'respawn_updated',
      'respawns_enabled',
      'respawns_disabled',
      'respawns_moved',
      'respawns_deleted',
      'respawns_imported',
      'access_ended',
      'character_renamed',
      'access_keys_revoked',
      'access_keys_enabled',
      'access_keys_moved',
      'access_keys_deleted',
      'characters_banned',
      'characters_unbanned',
      'verifications_deleted',
      'members_imported',
      'destination_deleted',
    ],
    repeats: subject,
  },
} as const satisfies {
  [A in ActivityAction]?: { undoes: readonly ActivityAction[]; repeats: z.ZodObject };
};

type UndoAction = keyof typeof undoActions;
/** The actions that can be undone. `client/e2e/undo.spec.ts` tries each of them. */
export type UndoableAction = (typeof undoActions)[UndoAction]['undoes'][number];
const isUndoAction = (action: string): action is UndoAction => Object.hasOwn(undoActions, action);
const undoes = (action: UndoAction): readonly ActivityAction[] => undoActions[action].undoes;

/**
 * The action that undoes this one, and the details that it repeats.
 * @param claimsOnly whether it restores only claims, as the second undo of a spot's deletion may
 */
export function undoOf(
  action: ActivityAction,
  claimsOnly = false,
): { action: UndoAction; repeats: (typeof undoActions)[UndoAction]['repeats'] } {
  const own = Object.keys(undoActions)
    .filter(isUndoAction)
    .find((each) => undoes(each).includes(action));
  const undoAction = claimsOnly ? 'claims_restored' : (own ?? 'change_undone');
  return { action: undoAction, repeats: undoActions[undoAction].repeats };
}

/** The details of an entry by its action; written and read by this table. The actor is not part of them. */
export const activityDetails = {
  claim_created: claim,
  claim_updated: claim.extend({ changed }),
  /** Of those that went with all of a respawn's the undo is the clearing's. */
  claim_deleted: claim.extend({ cleared: z.literal(true).exactOptional() }),
  /** The places of these three are the released, confirmed or missed hours; others of the claim may remain. */
  claim_released: claim,
  claim_confirmed: claim,
  claim_no_show: claim,
  no_show_excused: claim.pick({ claim_id: true, character_name: true, date: true, places: true }),
  claims_cleared: cleared.extend({ deleted_count: count, beyond_undo }),
  event_created: newEvent,
  event_updated: event,
  event_deleted: eventWithClaims.extend({ beyond_undo }),
  event_activated: event.extend({ claims_taken: count.exactOptional() }),
  event_deactivated: event,
  event_restored: undoActions.event_restored.repeats.extend(undoing.shape),
  event_archived: eventWithClaims,
  event_copied: eventWithClaims.extend({ copied_from: text, left_out: count }),
  claims_restored: undoActions.claims_restored.repeats.extend(undoing.shape),
  respawn_restored: undoActions.respawn_restored.repeats.extend(undoing.shape),
  category_restored: undoActions.category_restored.repeats.extend(undoing.shape),
  member_type_restored: undoActions.member_type_restored.repeats.extend(undoing.shape),
  verification_restored: undoActions.verification_restored.repeats.extend(undoing.shape),
  access_key_restored: undoActions.access_key_restored.repeats.extend(undoing.shape),
  change_undone: subject.extend(undoing.shape),
  standing_created: standing,
  standing_updated: standing.extend({ changed }),
  standing_ended: standing.extend({ reason: standingEndReason, released_claims: count }),
  /** After an undo of what ended it. */
  standing_resumed: standing,
  transfer_offered: transfer,
  /** Why it ended. The claims of an accepted one have entries of their own. */
  transfer_ended: transfer.extend({ outcome: transferOutcome }),
  wait_created: wait.extend({ min_hours: count }),
  wait_withdrawn: wait,
  wait_voided: wait,
  /** Of several entries that ended with their event. */
  waits_voided: many,
  /** Of entries that ended with their event, which was activated again the same day; or with what an undo restored, then without an event. */
  waits_reopened: many.extend({ event_id: id.exactOptional(), name: text.exactOptional() }),
  hold_offered: hold.extend({ held_until: text }),
  hold_accepted: hold,
  hold_declined: hold,
  hold_lapsed: hold,
  /** An undo restored the hours. */
  hold_withdrawn: hold,
  access_key_created: accessKey,
  access_key_revoked: accessKey,
  access_key_enabled: accessKey,
  /** The server revoked it. */
  access_ended: accessKey.extend({ because: revokedBecause }),
  facts_kept: character.extend({ access_key_id: id, kept: needKind }),
  /** `claims_left`: on dates on which the new name has others. */
  character_renamed: character.extend({
    access_key_id: id.exactOptional(),
    changed,
    claims_left: z.array(text).exactOptional(),
  }),
  access_key_deleted: accessKey.extend({ verification_records: count }),
  access_key_updated: accessKey.extend({ changed }),
  verification_started: character,
  verification_deleted: character.extend({ verification_id: id }),
  user_verified: character.extend({
    member_type: text,
    /** Of one who verified by themselves. */
    guild_rank: text.nullable().exactOptional(),
    key: z.enum(['new', 'kept', 'replaced']),
  }),
  user_banned: character,
  user_unbanned: character,
  config_updated: z.object({ changed }),
  member_type_created: memberType.omit({ is_system: true }),
  member_type_updated: z.object({ member_type: text, changed }),
  member_type_deleted: z.object({ member_type: text, access_keys: count, claims: count }),
  respawn_created: respawn.extend({ category_name: text.nullable(), image: text }),
  respawn_updated: respawn.extend({ changed }),
  respawn_deleted: respawn.extend({ claim_count: count, beyond_undo }),
  respawns_imported: imported.extend({ new_categories: z.array(text) }),
  members_imported: imported,
  category_created: category,
  category_updated: category.extend({ changed }),
  category_deleted: category.extend({ respawns_moved: count }),
  admin_login: nothing,
  admin_logout: nothing,
  admin_added: account.extend({ role: adminRole.exactOptional() }),
  admin_removed: account,
  admin_role_changed: account.extend({ changed }),
  /** Never the link: readers of the log could use it. */
  admin_invited: account.extend({ role: adminRole }),
  admin_invitation_withdrawn: account.extend({ role: adminRole }),
  admin_password_changed: account,
  destination_created: destination,
  destination_updated: destination.extend({ changed }),
  destination_deleted: destination,
  destination_switched_off: destination.extend({ switched_off: switchedOff }),
  destination_secret_rotated: destination,
  board_message_saved: destination.extend({ category_name: text.nullable() }),
  board_message_removed: destination,
  discord_app_saved: z.object({ application_id: text }),
  discord_commands_sent: z.object({ application_id: text }),
  discord_app_removed: z.object({ application_id: text }),
  discord_sign_in_saved: z.object({ application_id: text }),
  discord_sign_in_removed: z.object({ application_id: text }),
  // Without the Discord user: every role reads the log, and only some read the keys.
  discord_linked: character,
  discord_unlinked: character,
  notifications_resumed: z.object({ paused_at: text, abandoned: count }),
  access_keys_revoked: many,
  access_keys_enabled: many,
  access_keys_moved: many.extend({ member_type: text }),
  access_keys_deleted: many.extend({ verification_records: count }),
  characters_banned: many,
  characters_unbanned: many,
  verifications_deleted: many,
  claims_deleted: many,
  respawns_enabled: many,
  respawns_disabled: many,
  respawns_moved: many.extend({ category_name: text.nullable() }),
  respawns_deleted: many.extend({ claim_count: count, beyond_undo }),
} as const satisfies { [A in ActivityAction]: z.ZodObject };

type DetailsByAction = { [A in ActivityAction]: z.infer<(typeof activityDetails)[A]> };
export type ActivityDetails<A extends ActivityAction = ActivityAction> = DetailsByAction[A];

/**
 * What an entry tells, as far as it is known here: a field that this version does not know, or knows in another shape, is
 * left out, and nothing else with it.
 */
export function knownDetails(
  action: ActivityAction,
  details: Readonly<Record<string, Json | undefined>>,
): Record<string, Json> {
  const fields: Readonly<Record<string, z.ZodType>> = activityDetails[action].shape;
  const known: Record<string, Json> = {};
  for (const [field, value] of Object.entries(details)) {
    if (
      value !== undefined &&
      Object.hasOwn(fields, field) &&
      fields[field]?.safeParse(value).success
    )
      known[field] = value;
  }
  return known;
}
