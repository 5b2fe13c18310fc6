import type { TFunction } from 'i18next';
import type { ActivityAction } from '../../../../shared/activity-actions.ts';
import type { Capability } from '../../../../shared/rules/roles.ts';

/** What an undo puts back, as the screens say it; a deed for many, and one of a newer version, has no words of its own. */
export type Restorable = 'claim' | 'claims' | 'event' | 'respawn' | 'category' | 'memberType' | 'key' | 'record' | 'deed';

const BY_ACTION: { readonly [A in ActivityAction]?: Restorable } = {
  claim_deleted: 'claim',
  claims_cleared: 'claims',
  event_deleted: 'event',
  respawn_deleted: 'respawn',
  category_deleted: 'category',
  member_type_deleted: 'memberType',
  access_key_deleted: 'key',
  verification_deleted: 'record',
};

export const restorableBy = (action: ActivityAction): Restorable => BY_ACTION[action] ?? 'deed';

const OF_CLAIMS: ReadonlySet<string> = new Set<ActivityAction>(['claim_deleted', 'claims_cleared', 'claims_deleted']);

/** What an admin's role must allow to undo it, as the server asks. */
export const neededToUndo = (action: ActivityAction): Capability => (OF_CLAIMS.has(action) ? 'claims' : 'guild');

/** What is said once it is back. */
export function restoredText(t: TFunction, action: ActivityAction, count: number): string {
  const what = restorableBy(action);
  if (what === 'event') return t('admin.activity.restoredEvent', { count });
  if (what === 'respawn') return t('admin.activity.restoredRespawn', { count });
  return what === 'claim' || what === 'claims' || count > 0 ? t('admin.activity.restoredClaims', { count }) : t('admin.activity.restored');
}
