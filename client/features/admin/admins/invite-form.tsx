import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import type { AdminRole } from '../../../../shared/rules/roles.ts';
import type { NewInvitation } from '../../../../shared/schemas/admin.ts';
import { MAX_NAME_LENGTH } from '../../../../shared/schemas/fields.ts';
import { inviteAdmin } from '../../../api/admins.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import styles from './admins.module.css';
import { useRoleOptions } from './use-role-options.ts';

/** Asks somebody to be an admin. What was typed stays until it worked. */
export function InviteForm({ onInvited }: { onInvited: (invitation: NewInvitation) => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const options = useRoleOptions();
  const [typed, setTyped] = useState('');
  const [role, setRole] = useState<AdminRole>('moderator');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const invite = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const username = tidyName(typed);
    field.current?.focus();
    setProblem(username ? null : t('errors.admin.nameRequired'));
    if (!username) return;
    setBusy(true);
    try {
      onInvited(await inviteAdmin({ username, role }));
      setTyped('');
    } catch (error) {
      setProblem(t('admin.admins.invite.failed', { reason: errorText(error) }));
    }
    setBusy(false);
  };

  return (
    <form noValidate aria-label={t('admin.admins.invite.title')} className={styles.form} onSubmit={(event) => void invite(event)}>
      <p className={styles.more}>{t('admin.admins.invite.text')}</p>
      <div className={styles.fields}>
        <Field label={t('admin.admins.invite.name')} error={problem} className={styles.field}>
          <TextInput
            ref={field}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setProblem(null);
            }}
            maxLength={MAX_NAME_LENGTH}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <Field label={t('admin.admins.invite.role')} hint={t(`admin.roles.${role}.text`)} className={styles.field}>
          <Select value={role} options={options} onChange={setRole} />
        </Field>
      </div>
      <Button type="submit" variant="primary" busy={busy} className={styles.submit}>
        {t('admin.admins.invite.make')}
      </Button>
    </form>
  );
}
