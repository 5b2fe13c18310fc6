import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Invitation } from '../../../../shared/schemas/admin.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { useMinute } from '../system/system-tab.tsx';
import styles from './admins.module.css';

/** Somebody who is invited and has not come yet. */
export function InvitationRow({ invitation, onWithdraw }: { invitation: Invitation; onWithdraw: () => void }): ReactNode {
  const { t } = useTranslation();
  const minute = useMinute();
  const { username, role, created_by_username, expires_at } = invitation;
  return (
    <li className={styles.row}>
      <div className={styles.about}>
        <div className={styles.name}>
          <h3>{username}</h3>
          <Badge>{t(`admin.roles.${role}.name`)}</Badge>
        </div>
        <p className={styles.more}>{t('admin.admins.invitedBy', { name: created_by_username, at: minute(expires_at) })}</p>
      </div>
      <div className={styles.actions}>
        <Button variant="danger" aria-label={t('admin.admins.withdrawName', { name: username })} onClick={onWithdraw}>
          {t('admin.admins.withdrawLabel')}
        </Button>
      </div>
    </li>
  );
}
