import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ADMIN_ROLES, type AdminRole } from '../../../../shared/rules/roles.ts';
import type { AdminAccount } from '../../../../shared/schemas/admin.ts';
import { setAdminRole } from '../../../api/admins.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useSession } from '../../../state/session-store.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { DateText } from '../../../ui/hours/time-text.tsx';
import { showToast } from '../../../ui/toast.tsx';
import type { AdminDeed } from './admin-confirmation.tsx';
import styles from './admins.module.css';
import { useRoleOptions } from './use-role-options.ts';

interface AdminRowProps {
  admin: AdminAccount;
  /** Nobody could name admins without them. */
  isLastOwner: boolean;
  /** Told of what is to be confirmed first. */
  onDeed: (deed: AdminDeed) => void;
  /** Told after a change; settles when the list has it. */
  onChanged: () => Promise<void>;
}

/** One admin: as what and since when, another role, and the removal. */
export function AdminRow({ admin, isLastOwner, onDeed, onChanged }: AdminRowProps): ReactNode {
  const { t } = useTranslation();
  const { username, role, created_at } = admin;
  const isSelf = useSession((session) => session.admin?.username === username);
  const options = useRoleOptions();
  const { shown, raise } = useRaise(admin, onChanged);
  const choose = (next: AdminRole): void => {
    if (next === role || shown !== role) return;
    if (isSelf || ranksBelow(next, role)) onDeed({ what: 'role', admin, role: next, isSelf });
    else void raise(next);
  };
  return (
    <li className={styles.row}>
      <div className={styles.about}>
        <div className={styles.name}>
          <h3>{username}</h3>
          {isSelf ? <Badge tone="accent">{t('admin.admins.you')}</Badge> : null}
          {isLastOwner ? <Badge>{t(`admin.roles.${role}.name`)}</Badge> : null}
        </div>
        <p className={styles.more}>{t(`admin.roles.${role}.text`)}</p>
        <p className={styles.more}>
          {t('admin.admins.since')} <DateText at={created_at} />
        </p>
      </div>
      {isLastOwner ? (
        <p className={styles.why}>{t('admin.admins.lastOwner')}</p>
      ) : (
        <div className={styles.actions}>
          <Select label={t('admin.admins.roleOf', { name: username })} wide={false} value={shown} options={options} onChange={choose} />
          <Button
            variant="danger"
            aria-label={t('admin.admins.removeName', { name: username })}
            onClick={() => onDeed({ what: 'remove', admin, isSelf })}
          >
            {t('admin.admins.removeLabel')}
          </Button>
        </div>
      )}
    </li>
  );
}

const ranksBelow = (next: AdminRole, before: AdminRole): boolean => ADMIN_ROLES.indexOf(next) > ADMIN_ROLES.indexOf(before);

/** Gives a role that may more, without a question; until the list has it the chosen one is shown. */
function useRaise(
  { id, username, role }: AdminAccount,
  onChanged: () => Promise<void>,
): { shown: AdminRole; raise: (role: AdminRole) => Promise<void> } {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [chosen, setChosen] = useState<AdminRole | null>(null);
  const raise = async (next: AdminRole): Promise<void> => {
    setChosen(next);
    try {
      await setAdminRole(id, next);
      showToast({ text: t('admin.admins.role.done', { name: username, role: t(`admin.roles.${next}.name`) }) });
    } catch (error) {
      showToast({ tone: 'bad', text: t('admin.admins.role.failed', { name: username, reason: errorText(error) }) });
    }
    // A refusal may tell of what another owner did meanwhile.
    await onChanged();
    setChosen(null);
  };
  return { shown: chosen ?? role, raise };
}
