import { type ReactNode, useState } from 'react';
import { type Resolver, useController, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import { ADMIN_ROLES, type AdminRole } from '../../../../shared/rules/roles.ts';
import {
  type InvitationInput,
  invitationInput,
  type NewInvitation,
} from '../../../../shared/schemas/admin.ts';
import { MAX_NAME_LENGTH } from '../../../../shared/schemas/fields.ts';
import { inviteAdmin } from '../../../api/admin-calls.ts';
import { refreshQuery } from '../../../api/query.ts';
import { useErrorText, useFieldError } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyableCode } from '../../../ui/copyable-code.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { Select, type SelectOption } from '../../../ui/fields/select.tsx';
import { LocalAddressNote } from '../../../ui/local-address-note.tsx';
import { useDraft } from '../forms/drafts.ts';
import { useSubmitForm } from '../forms/submit-form.ts';
import { useMinute } from '../system/system-tab.tsx';
import styles from './admins.module.css';

/** The roles to choose from, the most powerful first. */
export function useRoleOptions(): SelectOption<AdminRole>[] {
  const { t } = useTranslation();
  return ADMIN_ROLES.map((value) => ({ value, label: t(`admin.roles.${value}.name`) }));
}

const check: Resolver<InvitationInput> = (values) => {
  const issue = invitationInput.safeParse(values).error?.issues[0];
  return issue
    ? { values: {}, errors: { username: { type: 'check', message: issue.message } } }
    : { values, errors: {} };
};

export function InviteForm(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const errorOf = useFieldError();
  const options = useRoleOptions();
  const [invitation, setInvitation] = useState<NewInvitation | null>(null);
  const form = useForm<InvitationInput>({
    defaultValues: { username: '', role: 'moderator' },
    resolver: check,
  });
  useDraft('invitation', form);
  const username = useController({ control: form.control, name: 'username' });
  const role = useController({ control: form.control, name: 'role' });
  const send = async (values: InvitationInput): Promise<void> => {
    setInvitation(await inviteAdmin({ ...values, username: tidyName(values.username) }));
    // The next name may have been typed meanwhile.
    const now = form.getValues();
    form.reset({ ...now, username: now.username === values.username ? '' : now.username });
    void refreshQuery('admins');
  };
  const { submit, busy } = useSubmitForm(form, send, (error) => ({
    field: 'username',
    text: t('admin.admins.invite.failed', { reason: errorText(error) }),
  }));
  const nameLabel = t('admin.admins.invite.name');
  return (
    <form
      noValidate
      aria-label={t('admin.admins.invite.title')}
      className={styles.form}
      onSubmit={submit}
    >
      <p className={styles.more}>{t('admin.admins.invite.text')}</p>
      <div className={styles.fields}>
        <Field
          label={nameLabel}
          error={errorOf(username.fieldState.error, nameLabel)}
          className={styles.field}
        >
          <TextInput
            {...username.field}
            maxLength={MAX_NAME_LENGTH}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <Field
          label={t('admin.admins.invite.role')}
          hint={t(`admin.roles.${role.field.value}.text`)}
          className={styles.field}
        >
          <Select value={role.field.value} options={options} onChange={role.field.onChange} />
        </Field>
      </div>
      <Button type="submit" variant="primary" busy={busy} className={styles.submit}>
        {t('admin.admins.invite.make')}
      </Button>
      {invitation ? (
        <InvitationLink invitation={invitation} onClose={() => setInvitation(null)} />
      ) : null}
    </form>
  );
}

/** Shows an invitation's link, which no one can see again: only its button closes the dialog. */
function InvitationLink({
  invitation,
  onClose,
}: {
  invitation: NewInvitation;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const minute = useMinute();
  const { username, role, expires_at, token } = invitation;
  const url = `${location.origin}/invite#${token}`;
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
      <Alert tone="accent">{t('admin.admins.link.shownOnce', { name: username })}</Alert>
      <div className={styles.link}>
        <CopyableCode text={url} copyLabel={t('admin.admins.link.copy')} />
      </div>
      <LocalAddressNote url={url} />
      <p>
        {t('admin.admins.link.text', {
          name: username,
          role: t(`admin.roles.${role}.name`),
          at: minute(expires_at),
        })}
      </p>
    </Dialog>
  );
}
