import { useTranslation } from 'react-i18next';
import { type ActivityAction, activityAction } from '../../../../shared/schemas/activity.ts';
import type { BadgeTone } from '../../../ui/badge.tsx';

export const ACTIONS: readonly ActivityAction[] = activityAction.options;

export const isAction = (text: string): text is ActivityAction => activityAction.safeParse(text).success;

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

export const toneOf = (action: string): BadgeTone => (isAction(action) && TONE[action]) || 'plain';

/** What an action is called; one that another version of the server wrote, by its own name. */
export function useActionName(): (action: string) => string {
  const { t } = useTranslation();
  return (action) => (isAction(action) ? t(`admin.activity.actions.${action}`) : action);
}
