import type { ActivityAction } from '../../../../shared/activity-actions.ts';
import type { Json } from '../../../../shared/errors.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';

/** Actions that may create, change, end or restore several claims. Undoing a move is among them: its entry does not name the claim. */
const BULK_ACTIONS: ReadonlySet<string> = new Set<ActivityAction>([
  'claims_cleared',
  'claims_deleted',
  'claims_restored',
  'change_undone',
  'event_updated',
  'event_deleted',
  'event_restored',
  'event_archived',
  'respawn_deleted',
  'respawns_deleted',
  'respawn_restored',
  'waits_voided',
]);
/** Actions of one claim or hold, which their entries name. */
const CLAIM_ACTIONS: ReadonlySet<string> = new Set<ActivityAction>([
  'claim_created',
  'claim_updated',
  'claim_deleted',
  'claim_released',
  'claim_no_show',
  'no_show_excused',
  'standing_ended',
  'transfer_ended',
  'wait_withdrawn',
  'wait_voided',
  'hold_declined',
  'hold_lapsed',
  'hold_withdrawn',
]);

type Details = ActivityEntry['details'];

/**
 * The newest log entry that may have changed claims, or ended them. Claims of past dates and no-shows don't arrive live, but
 * the log does: lists of them are read again when this changes.
 * @param concerns whether the list may show the claim of these details
 * @returns the entry's id; 0 if there is none
 */
export function lastClaimChange(
  entries: Iterable<ActivityEntry>,
  concerns: (details: Details) => boolean,
): number {
  let last = 0;
  for (const { id, action, details } of entries) {
    if (id <= last) continue;
    if (BULK_ACTIONS.has(action) || (CLAIM_ACTIONS.has(action) && concerns(details))) last = id;
  }
  return last;
}

/** Whether the claim may be off the board: it has a past date, or none. */
export const isOfPast =
  (today: string) =>
  ({ date }: Details): boolean =>
    typeof date !== 'string' || date < today;

/** Whether the claim is this character's, or was: a transfer names two. */
export function isOfCharacter(character: string): (details: Details) => boolean {
  const wanted = nameKey(character);
  return ({ character_name, to_name, changed }) =>
    [character_name, to_name, formerName(changed)].some(
      (name) => typeof name === 'string' && nameKey(name) === wanted,
    );
}

/** @param changed the changed fields of a log entry */
function formerName(changed: Json | undefined): unknown {
  const name = isFields(changed) ? changed.character_name : undefined;
  return isFields(name) ? name.from : undefined;
}

const isFields = (value: Json | undefined): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
