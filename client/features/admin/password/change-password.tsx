import type { ReactNode } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ownPassword } from '../../../../shared/schemas/admin.ts';
import { changeOwnPassword } from '../../../api/admin-calls.ts';
import { ApiError } from '../../../api/request.ts';
import { useErrorText, useFieldError } from '../../../lib/words/error-text.ts';
import { dropAdmin } from '../../../state/session-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { PasswordInput } from '../../../ui/fields/inputs.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useSubmitForm } from '../forms/submit-form.ts';
import styles from './password.module.css';

const FIELDS = ['current', 'next', 'again'] as const;
type PasswordField = (typeof FIELDS)[number];
type PasswordValues = Record<PasswordField, string>;

const FIELD_OF_CODE: { [code: string]: PasswordField | undefined } = {
  'admin.wrongPassword': 'current',
  'admin.passwordLength': 'next',
  'admin.passwordCommon': 'next',
};

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
  const errorText = useErrorText();
  const errorOf = useFieldError();
  const problemOf = ({
    current,
    next,
    again,
  }: PasswordValues): { field: PasswordField; message: string } | null => {
    const issue = ownPassword.safeParse({ current_password: current, new_password: next }).error
      ?.issues[0];
    if (issue) {
      const field = issue.path[0] === 'current_password' ? 'current' : 'next';
      return {
        field,
        message:
          errorOf({ type: 'check', message: issue.message }, t(`admin.password.${field}`)) ?? '',
      };
    }
    return again === next ? null : { field: 'again', message: t('admin.password.mismatch') };
  };
  const resolver: Resolver<PasswordValues> = (values) => {
    const problem = problemOf(values);
    return problem
      ? { values: {}, errors: { [problem.field]: { type: 'check', message: problem.message } } }
      : { values, errors: {} };
  };
  const form = useForm<PasswordValues>({
    defaultValues: { current: '', next: '', again: '' },
    resolver,
    // Not while the new password is typed a second time.
    reValidateMode: 'onSubmit',
  });
  const { errors, isDirty } = form.formState;
  const send = async ({ current, next }: PasswordValues): Promise<void> => {
    await changeOwnPassword(current, next);
    // The server has ended all sessions of this admin.
    dropAdmin(null);
    showToast({ text: t('admin.password.changed') });
    onClose();
  };
  const { submit, busy, error } = useSubmitForm(form, send, (failure) => ({
    field: failure instanceof ApiError ? FIELD_OF_CODE[failure.code] : undefined,
    text: errorText(failure),
  }));
  return (
    <form noValidate className={styles.form} onSubmit={submit}>
      {FIELDS.map((field) => (
        <Field key={field} label={t(`admin.password.${field}`)} error={errors[field]?.message}>
          <PasswordInput
            {...form.register(field, { onChange: () => form.clearErrors() })}
            autoComplete={field === 'current' ? 'current-password' : 'new-password'}
          />
        </Field>
      ))}
      {error ? <Alert tone="bad">{t('admin.password.failed', { reason: error })}</Alert> : null}
      <DialogActions onCancel={onClose} busy={busy} isChanged={isDirty}>
        <Button type="submit" variant="primary" busy={busy}>
          {t('shell.profile.changePassword')}
        </Button>
      </DialogActions>
    </form>
  );
}
