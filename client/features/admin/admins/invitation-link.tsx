import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { NewInvitation } from '../../../../shared/schemas/admin.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyableCode } from '../../../ui/copyable-code.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useMinute } from '../system/system-tab.tsx';
import styles from './admins.module.css';

/** An invitation's link, the only time that anybody sees it: nothing but its button closes it. */
export function InvitationLink({ invitation, onClose }: { invitation: NewInvitation; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const minute = useMinute();
  const { username, role, expires_at, token } = invitation;
  return (
    <Dialog
      open
      stays
      onOpenChange={onClose}
      title={t('admin.admins.link.title', { name: username })}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('admin.admins.link.done')}
        </Button>
      }
    >
      <Alert tone="accent">{t('admin.admins.link.once', { name: username })}</Alert>
      <div className={styles.link}>
        <CopyableCode text={`${location.origin}/invite#${token}`} copyLabel={t('admin.admins.link.copy')} />
      </div>
      <p>{t('admin.admins.link.text', { name: username, role: t(`admin.roles.${role}.name`), at: minute(expires_at) })}</p>
    </Dialog>
  );
}
