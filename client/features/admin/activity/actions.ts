import { useTranslation } from 'react-i18next';
import type { ActivityAction } from '../../../../shared/activity-actions.ts';
import type { BadgeTone } from '../../../ui/badge.tsx';

/** Section 9 of the specification names these; any other action is grey. */
const TONE: { [A in ActivityAction]?: BadgeTone } = {
  claim_created: 'good',
  claim_updated: 'accent',
  claim_deleted: 'bad',
  event_created: 'good',
  event_updated: 'accent',
  event_deleted: 'bad',
  event_activated: 'solid',
  event_deactivated: 'accent',
  access_key_created: 'good',
  access_key_revoked: 'bad',
  member_type_updated: 'accent',
  config_updated: 'accent',
  user_verified: 'good',
  user_banned: 'bad',
  user_unbanned: 'good',
};

export const toneOf = (action: ActivityAction): BadgeTone => TONE[action] ?? 'plain';

/** What an action is called. */
export function useActionName(): (action: ActivityAction) => string {
  const { t } = useTranslation();
  return (action) => t(`admin.activity.actions.${action}`);
}
