import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ownPassword } from '../../../../shared/schemas/admin.ts';
import { changeOwnPassword } from '../../../api/admin-calls.ts';
import { dropAdmin } from '../../../state/session-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { PasswordInput } from '../../../ui/fields/inputs.tsx';
import { RecordField } from '../../../ui/form/record-field.tsx';
import { useRecordForm } from '../../../ui/form/record-form.ts';
import { Stack } from '../../../ui/layout.tsx';
import { showToast } from '../../../ui/toast.tsx';

const FIELDS = ['current_password', 'new_password', 'again'] as const;
type PasswordValues = Record<(typeof FIELDS)[number], string>;

const passwords = ownPassword
  .extend({ again: z.string() })
  .refine(({ new_password, again }) => again === new_password, {
    path: ['again'],
    when: ({ issues }) => issues.length === 0,
  });

export function ChangePasswordDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('shell.profile.changePassword')}
      description={t('admin.password.text')}
    >
      <PasswordForm onClose={onClose} />
    </Dialog>
  );
}

function PasswordForm({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const form = useRecordForm<never, PasswordValues, PasswordValues>({
    fields: {
      current_password: { label: t('admin.password.current'), codes: ['admin.wrongPassword'] },
      new_password: {
        label: t('admin.password.next'),
        codes: ['admin.passwordLength', 'admin.passwordCommon'],
      },
      again: { label: t('admin.password.again'), invalid: () => t('invite.passwordsDiffer') },
    },
    schema: passwords,
    // Not while the new password is typed a second time.
    checksAtSave: true,
    record: null,
    fresh: { current_password: '', new_password: '', again: '' },
    create: ({ current_password, new_password }) =>
      changeOwnPassword(current_password, new_password),
    done: () => {
      // The server has ended all sessions of this admin.
      dropAdmin(null);
      showToast({ text: t('admin.password.changed') });
      onClose();
    },
  });
  const { busy, error } = form;
  return (
    <Stack as="form" gap={4} noValidate onSubmit={form.submit}>
      {FIELDS.map((name) => (
        <RecordField key={name} form={form} name={name}>
          {(field) => (
            <PasswordInput
              {...field}
              autoComplete={name === 'current_password' ? 'current-password' : 'new-password'}
            />
          )}
        </RecordField>
      ))}
      {error ? <Alert tone="bad">{t('admin.password.failed', { reason: error })}</Alert> : null}
      <DialogActions onCancel={onClose} busy={busy} isChanged={form.isChanged}>
        <Button type="submit" variant="primary" busy={busy}>
          {t('shell.profile.changePassword')}
        </Button>
      </DialogActions>
    </Stack>
  );
}
