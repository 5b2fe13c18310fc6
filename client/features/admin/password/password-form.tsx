import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MIN_PASSWORD_LENGTH } from '../../../../shared/schemas/session.ts';
import { changeOwnPassword } from '../../../api/admins.ts';
import { ApiError } from '../../../api/request.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { dropAdmin } from '../../../state/session-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { DialogActions } from '../../../ui/dialog/dialog.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { PasswordInput } from '../../../ui/fields/inputs.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from './password.module.css';

const FIELDS = ['current', 'next', 'again'] as const;
type PasswordField = (typeof FIELDS)[number];
type Typed = Readonly<Record<PasswordField, string>>;
/** What is wrong, and at which field; `null`: at none of them. */
interface Problem {
  at: PasswordField | null;
  sentence: string;
}

/** The password of now, and the new one twice. What was typed stays until it worked. */
export function PasswordForm({ onCancel }: { onCancel: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [typed, setTyped] = useState<Typed>({ current: '', next: '', again: '' });
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const mistake = (): Problem | null => {
    if (!typed.current) return { at: 'current', sentence: t('errors.admin.wrongPassword') };
    if (typed.next.length < MIN_PASSWORD_LENGTH) return { at: 'next', sentence: t('errors.admin.passwordLength') };
    return typed.again === typed.next ? null : { at: 'again', sentence: t('admin.password.differs') };
  };
  const say = (found: Problem | null): void => {
    setProblem(found);
    if (found?.at) form.current?.querySelector<HTMLInputElement>(`[name="${found.at}"]`)?.focus();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const wrong = mistake();
    say(wrong);
    if (wrong) return;
    setBusy(true);
    try {
      await changeOwnPassword(typed.current, typed.next);
      // The server has ended all sessions, this one too: the dashboard leads to the login, and nothing has expired.
      dropAdmin(null);
      showToast({ text: t('admin.password.changed') });
    } catch (error) {
      setBusy(false);
      const code = error instanceof ApiError ? error.code : null;
      const at =
        code === 'admin.wrongPassword' ? 'current' : code === 'admin.passwordLength' || code === 'admin.passwordCommon' ? 'next' : null;
      say({ at, sentence: errorText(error) });
    }
  };

  return (
    <form ref={form} noValidate className={styles.form} onSubmit={(event) => void submit(event)}>
      {FIELDS.map((field) => (
        <Field key={field} label={t(`admin.password.${field}`)} error={problem?.at === field ? problem.sentence : undefined}>
          <PasswordInput
            name={field}
            autoComplete={field === 'current' ? 'current-password' : 'new-password'}
            value={typed[field]}
            onChange={(event) => {
              setTyped({ ...typed, [field]: event.target.value });
              setProblem(null);
            }}
          />
        </Field>
      ))}
      {problem && problem.at === null ? <Alert tone="bad">{t('admin.password.failed', { reason: problem.sentence })}</Alert> : null}
      <DialogActions onCancel={onCancel} busy={busy}>
        <Button type="submit" variant="primary" busy={busy}>
          {t('admin.password.change')}
        </Button>
      </DialogActions>
    </form>
  );
}
