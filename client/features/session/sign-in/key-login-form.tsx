import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accessKeyForm } from '../../../../shared/rules/access-keys.ts';
import { loginWithKey } from '../../../api/calls.ts';
import { addProfile } from '../../../state/session-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { PasswordInput } from '../../../ui/fields/inputs.tsx';
import styles from './login-page.module.css';
import { useLogin } from './use-login.ts';

export function KeyLoginForm({ onSignedIn }: { onSignedIn: () => void }): ReactNode {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const { busy, failure, fail, run } = useLogin();

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const accessKey = accessKeyForm(typed);
    if (busy) return;
    if (!accessKey) {
      fail(t('errors.session.keyRequired'));
      return;
    }
    void run(async () => {
      const answer = await loginWithKey(accessKey);
      if (answer.type !== 'user') throw new Error('an access key answered an admin');
      const { characterName, memberType } = answer.user;
      addProfile({ characterName, memberType, accessKey, isVerified: true, createdAt: new Date().toISOString() });
      onSignedIn();
    });
  };

  return (
    <form noValidate className={styles.form} onSubmit={submit}>
      <Field label={t('login.accessKey')} hint={t('login.accessKeyHint')}>
        <PasswordInput
          name="access-key"
          autoComplete="current-password"
          showLabel={t('login.showKey')}
          hideLabel={t('login.hideKey')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      {failure ? <Alert tone="bad">{failure}</Alert> : null}
      <Button type="submit" variant="primary" wide busy={busy}>
        {t('login.submit')}
      </Button>
    </form>
  );
}
