import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loginAdmin } from '../../../api/calls.ts';
import { signInAdmin } from '../../../state/session-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { PasswordInput, TextInput } from '../../../ui/fields/inputs.tsx';
import styles from './login-page.module.css';
import { useLogin } from './use-login.ts';

/** Section 9 of the specification; the server's own constant would bring zod along. */
const MIN_PASSWORD_LENGTH = 6;

export function AdminLoginForm({ onSignedIn }: { onSignedIn: () => void }): ReactNode {
  const { t } = useTranslation();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const { busy, failure, fail, run } = useLogin();

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    if (!username.trim() || !password) {
      fail(t('errors.session.credentialsRequired'));
      return;
    }
    if (password.length < MIN_PASSWORD_LENGTH) {
      fail(t('login.passwordTooShort', { min: MIN_PASSWORD_LENGTH }));
      return;
    }
    void run(async () => {
      const answer = await loginAdmin(username.trim(), password);
      if (answer.type !== 'admin') throw new Error('an admin login answered a member');
      signInAdmin(answer.token, answer.user.username, answer.user.role);
      onSignedIn();
    });
  };

  return (
    <form noValidate className={styles.form} onSubmit={submit}>
      <Field label={t('login.username')}>
        <TextInput
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          onChange={(event) => setUsername(event.target.value)}
        />
      </Field>
      <Field label={t('login.password')}>
        <PasswordInput
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      {failure ? <Alert tone="bad">{failure}</Alert> : null}
      <Button type="submit" variant="primary" wide busy={busy}>
        {t('login.submit')}
      </Button>
    </form>
  );
}
