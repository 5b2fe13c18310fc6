import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminRole } from '../../../../shared/rules/roles.ts';
import type { AdminAccount, Invitation } from '../../../../shared/schemas/admin.ts';
import { removeAdmin, setAdminRole, withdrawInvitation } from '../../../api/admins.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { dropAdmin } from '../../../state/session-store.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from './admins.module.css';

export type AdminDeed =
  | { what: 'role'; admin: AdminAccount; role: AdminRole; isSelf: boolean }
  | { what: 'remove'; admin: AdminAccount; isSelf: boolean }
  | { what: 'withdraw'; invitation: Invitation };

interface AdminConfirmationProps {
  deed: AdminDeed;
  onClose: () => void;
  /** Told after the deed, and after a refusal: the list is another then. */
  onDone: () => Promise<void>;
  focusAfter: RefObject<HTMLElement | null>;
}

/** Says what comes of it before rights are taken from somebody. */
export function AdminConfirmation({ deed, onClose, onDone, focusAfter }: AdminConfirmationProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { what } = deed;
  const name = what === 'withdraw' ? deed.invitation.username : deed.admin.username;
  const role = what === 'role' ? t(`admin.roles.${deed.role}.name`) : '';
  const isSelf = what !== 'withdraw' && deed.isSelf;
  const act = async (): Promise<void> => {
    if (what === 'role') await setAdminRole(deed.admin.id, deed.role);
    else if (what === 'remove') await removeAdmin(deed.admin.id);
    else await withdrawInvitation(deed.invitation.id);
    showToast({ text: t(`admin.admins.${what}.done`, { name, role }) });
  };
  const confirm = async (): Promise<void> => {
    try {
      await act();
    } catch (error) {
      void onDone();
      throw error;
    }
    // Whoever removed themself is signed out, and wanted that: no session has expired.
    if (what === 'remove' && isSelf) dropAdmin(null);
    else await onDone();
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t(`admin.admins.${what}.title`, { name, role })}
      text={
        <div className={styles.consequences}>
          {what === 'role' ? <p>{t(`admin.roles.${deed.role}.text`)}</p> : null}
          <p>{t(`admin.admins.${what}.text`)}</p>
          {isSelf ? <p>{t(`admin.admins.${what}.self`)}</p> : null}
        </div>
      }
      confirmLabel={t(`admin.admins.${what}.confirm`)}
      onConfirm={confirm}
      errorText={(error) => t(`admin.admins.${what}.failed`, { name, reason: errorText(error) })}
      focusAfter={what === 'role' ? undefined : focusAfter}
    />
  );
}
