/**
 * Every kind of entry of the activity log; what each tells, `schemas/activity-details.ts` says. Without a schema, for the
 * board's first load. A reader skips an action that is not among them: another version wrote it.
 */
export const ACTIVITY_ACTIONS = [
  'claim_created',
  'claim_updated',
  'claim_deleted',
  'claims_cleared',
  'event_created',
  'event_updated',
  'event_deleted',
  'event_activated',
  'event_deactivated',
  'event_restored',
  'event_archived',
  'claims_restored',
  'claim_released',
  'claim_confirmed',
  'claim_no_show',
  'wait_created',
  'wait_withdrawn',
  'wait_voided',
  'hold_offered',
  'hold_accepted',
  'hold_declined',
  'hold_lapsed',
  'access_key_created',
  'access_key_revoked',
  'access_key_enabled',
  'access_key_deleted',
  'access_key_updated',
  'verification_started',
  'verification_deleted',
  'user_verified',
  'user_banned',
  'user_unbanned',
  'config_updated',
  'member_type_created',
  'member_type_updated',
  'member_type_deleted',
  'respawn_created',
  'respawn_updated',
  'respawn_deleted',
  'category_created',
  'category_updated',
  'category_deleted',
  'admin_login',
  'admin_logout',
  'admin_added',
  'admin_removed',
  'admin_password_changed',
  'names_merged',
] as const;
export type ActivityAction = (typeof ACTIVITY_ACTIONS)[number];

const known: ReadonlySet<string> = new Set(ACTIVITY_ACTIONS);

export const isActivityAction = (action: string): action is ActivityAction => known.has(action);
