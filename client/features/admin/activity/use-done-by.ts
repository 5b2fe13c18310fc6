import { useTranslation } from 'react-i18next';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';

/** As server/admin-cli writes it. */
const COMMAND_LINE = 'command line';

/** Who did it: an admin, a member, a visitor without a key, or the server by itself. */
export function useDoneBy(): (entry: ActivityEntry) => string {
  const { t } = useTranslation();
  return ({ action, admin_username, details: { by } }) => {
    if (admin_username !== null) return admin_username;
    if (by === COMMAND_LINE) return t('admin.activity.by.commandLine');
    if (typeof by === 'string') return t('admin.activity.by.member', { name: by });
    return action === 'verification_started' || action === 'user_verified' ? t('admin.activity.by.visitor') : t('admin.activity.by.server');
  };
}
