import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InvitationShown } from '../../../../shared/schemas/admin.ts';
import type { LoginAnswer } from '../../../../shared/schemas/session.ts';
import { acceptInvitation } from '../../../api/invitations.ts';
import { useFocusOnMount } from '../../../lib/use-focus-on-mount.ts';
import { hasReason, useErrorText, useWithErrorId } from '../../../lib/words/error-text.ts';
import { formatLocale } from '../../../lib/words/local-time.ts';
import { useSession } from '../../../state/session-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { PasswordInput, TextInput } from '../../../ui/fields/inputs.tsx';
import { Panel } from '../../../ui/panel.tsx';
import styles from './invite.module.css';
import { leadsNowhere } from './use-invitation.ts';

/** As the server has them, whose own constants would bring zod along. */
const MIN_LENGTH = 6;
const MAX_LENGTH = 200;

interface AcceptFormProps {
  token: string;
  invitation: InvitationShown;
  onAccepted: (answer: LoginAnswer & { type: 'admin' }) => void;
  /** It was used, withdrawn or ran out while this stood open. */
  onGone: () => void;
}

/** Who is invited, as what, and the password that they choose. */
export function AcceptForm({ token, invitation: { username, role, expires_at }, onAccepted, onGone }: AcceptFormProps): ReactNode {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const withErrorId = useWithErrorId();
  const signedIn = useSession(({ admin }) => admin?.username ?? null);
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [wrong, setWrong] = useState<'length' | 'again' | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useFocusOnMount<HTMLDivElement>('input[name="password"]');
  const until = new Date(expires_at).toLocaleString(formatLocale(i18n.language), { dateStyle: 'long', timeStyle: 'short' });

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    const fault = faultOf(password, again);
    setWrong(fault);
    setFailure(null);
    if (fault) {
      form.current?.querySelector<HTMLElement>(`input[name="${fault === 'length' ? 'password' : 'again'}"]`)?.focus();
      return;
    }
    setBusy(true);
    try {
      const answer = await acceptInvitation(token, password);
      if (answer.type !== 'admin') throw new Error('an invitation answered a member');
      onAccepted(answer);
    } catch (error) {
      if (leadsNowhere(error)) return onGone();
      setFailure(hasReason(error) ? errorText(error) : withErrorId(t('invite.acceptFailed'), error));
      setBusy(false);
    }
  };

  return (
    <div ref={form}>
      <h1 className={styles.title}>{t('invite.title')}</h1>
      <p className={styles.lead}>{t(`invite.as.${role}`, { name: username })}</p>
      <Panel>
        <form noValidate className={styles.form} onSubmit={(event) => void submit(event)}>
          {signedIn === null ? null : <Alert>{t('invite.signedIn', { name: signedIn })}</Alert>}
          <Field label={t('invite.name')} hint={t('invite.nameHint')}>
            <TextInput name="username" autoComplete="username" readOnly value={username} />
          </Field>
          <Field
            label={t('invite.password')}
            hint={t('invite.passwordHint', { min: MIN_LENGTH })}
            error={wrong === 'length' ? t('errors.admin.passwordLength') : undefined}
          >
            <PasswordInput
              name="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
          <Field label={t('invite.again')} error={wrong === 'again' ? t('invite.different') : undefined}>
            <PasswordInput
              name="again"
              autoComplete="new-password"
              showLabel={t('invite.showAgain')}
              hideLabel={t('invite.hideAgain')}
              value={again}
              onChange={(event) => setAgain(event.target.value)}
            />
          </Field>
          {failure ? <Alert tone="bad">{failure}</Alert> : null}
          <Button type="submit" variant="primary" wide busy={isBusy}>
            {t('invite.accept')}
          </Button>
        </form>
      </Panel>
      <p className={styles.aside}>{t('invite.until', { time: until })}</p>
    </div>
  );
}

function faultOf(password: string, again: string): 'length' | 'again' | null {
  if (password.length < MIN_LENGTH || password.length > MAX_LENGTH) return 'length';
  return password === again ? null : 'again';
}
