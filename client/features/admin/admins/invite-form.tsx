import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { tidyName } from '../../../../shared/rules/names.ts';
import { ADMIN_ROLES, type AdminRole } from '../../../../shared/rules/roles.ts';
import {
  type Invitation,
  type InvitationInput,
  invitationInput,
  type NewInvitation,
} from '../../../../shared/schemas/admin.ts';
import { MAX_NAME_LENGTH } from '../../../../shared/schemas/fields.ts';
import { inviteAdmin } from '../../../api/admin-calls.ts';
import { refreshQuery } from '../../../api/query.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyableCode } from '../../../ui/copyable-code.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { Select, type SelectOption } from '../../../ui/fields/select.tsx';
import { RecordField } from '../../../ui/form/record-field.tsx';
import { useRecordForm } from '../../../ui/form/record-form.ts';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { LocalAddressNote } from '../../../ui/local-address-note.tsx';
import { pageDraft } from '../forms/drafts.ts';
import { useMinute } from '../system/system-tab.tsx';
import styles from './admins.module.css';

/** The roles to choose from, the most powerful first. */
export function useRoleOptions(): SelectOption<AdminRole>[] {
  const { t } = useTranslation();
  return ADMIN_ROLES.map((value) => ({ value, label: t(`admin.roles.${value}.name`) }));
}

export function InviteForm(): ReactNode {
  const { t } = useTranslation();
  const options = useRoleOptions();
  /** The checklist leads here with a role. */
  const [params] = useSearchParams();
  const [invitation, setInvitation] = useState<NewInvitation | null>(null);
  const form = useRecordForm<Invitation, InvitationInput, InvitationInput>({
    fields: {
      username: { label: t('admin.admins.invite.name'), send: tidyName },
      role: { label: t('admin.admins.invite.role') },
    },
    schema: invitationInput,
    record: null,
    fresh: {
      username: '',
      role: ADMIN_ROLES.find((one) => one === params.get('role')) ?? 'moderator',
    },
    draft: pageDraft('invitation'),
    create: async (input) => setInvitation(await inviteAdmin(input)),
    done: () => void refreshQuery('admins'),
    clears: ['username'],
    refusalOf: (reason) => ({
      field: 'username',
      text: t('admin.admins.invite.failed', { reason }),
    }),
  });
  return (
    <Stack as="form" noValidate aria-label={t('admin.admins.invite.title')} onSubmit={form.submit}>
      <p className={styles.more}>{t('admin.admins.invite.text')}</p>
      <Cluster gap={3} align="start">
        <RecordField form={form} name="username" className={styles.field}>
          {(field) => (
            <TextInput
              {...field}
              maxLength={MAX_NAME_LENGTH}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </RecordField>
        <RecordField
          form={form}
          name="role"
          hint={t(`admin.roles.${form.typed.role}.text`)}
          className={styles.field}
        >
          {({ value, onChange }) => <Select value={value} options={options} onChange={onChange} />}
        </RecordField>
      </Cluster>
      <Button type="submit" variant="primary" busy={form.busy} className={styles.submit}>
        {t('admin.admins.invite.make')}
      </Button>
      {invitation ? (
        <InvitationLink invitation={invitation} onClose={() => setInvitation(null)} />
      ) : null}
    </Stack>
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
