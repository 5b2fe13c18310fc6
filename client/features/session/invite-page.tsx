import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import type { InvitationShown } from '../../../shared/schemas/admin.ts';
import type { LoginAnswer } from '../../../shared/schemas/session.ts';
import { acceptInvitation, lookAtInvitation } from '../../api/invitations.ts';
import { ApiError } from '../../api/request.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useInstantText } from '../../lib/time-text.ts';
import { useFocusOnMount } from '../../lib/use-focus-on-mount.ts';
import { hasReason, useErrorText, useWithErrorId } from '../../lib/words/error-text.ts';
import { signInAdmin, useSession } from '../../state/session-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { PasswordInput, TextInput } from '../../ui/fields/inputs.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import styles from './invite-page.module.css';

/** Where an invitation's link leads: who is asked to be an admin chooses a password here, once. */
export function InvitePage(): ReactNode {
  const { t } = useTranslation();
  // In the fragment, which a browser sends to no server: it stands in no log.
  const token = useLocation().hash.slice(1);
  // Never with the link's token, which is the whole secret.
  usePageTitle(t('invite.title'));
  return (
    <div className={styles.page}>
      <Invite key={token} token={token} />
    </div>
  );
}

function Invite({ token }: { token: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const { looked, lookAgain, isGone } = useInvitation(token);
  switch (looked.is) {
    case 'loading':
      return (
        <>
          <h1 className={styles.title}>{t('invite.title')}</h1>
          <Loading>
            <Skeleton height={260} />
          </Loading>
        </>
      );
    case 'gone':
      return <Gone />;
    case 'failed':
      return (
        <EmptyState
          page
          title={t('invite.failed.title')}
          text={t('invite.failed.text', { reason: errorText(looked.error) })}
          action={
            <Button variant="primary" onClick={lookAgain}>
              {t('common.tryAgain')}
            </Button>
          }
        />
      );
    case 'shown':
      return (
        <AcceptForm
          token={token}
          invitation={looked.invitation}
          onGone={isGone}
          onAccepted={({ token: session, user }) => {
            signInAdmin(session, user.username, user.role);
            // In the place of the link, which leads nowhere any more.
            void navigate('/admin/dashboard', { replace: true });
          }}
        />
      );
  }
}

function Gone(): ReactNode {
  const { t } = useTranslation();
  return (
    <EmptyState
      page
      title={t('invite.gone.title')}
      text={t('invite.gone.text')}
      action={
        <>
          <ButtonLink to="/admin/login" variant="primary">
            {t('invite.gone.login')}
          </ButtonLink>
          <ButtonLink to="/">{t('invite.gone.board')}</ButtonLink>
        </>
      }
    />
  );
}

/** What is known of a link. `gone`: it leads nowhere any more. `failed`: it could not be looked up. */
type Looked = { is: 'loading' } | { is: 'shown'; invitation: InvitationShown } | { is: 'gone' } | { is: 'failed'; error: unknown };

interface InvitationLook {
  looked: Looked;
  lookAgain: () => void;
  /** The server said so meanwhile. */
  isGone: () => void;
}

const leadsNowhere = (error: unknown): boolean => error instanceof ApiError && error.code === 'invitation.notFound';

/** Looks a link up, and anew as soon as the network is back where it failed. */
function useInvitation(token: string): InvitationLook {
  const [looked, setLooked] = useState<Looked>({ is: 'loading' });
  const [tries, setTries] = useState(0);
  const lookAgain = (): void => {
    setLooked({ is: 'loading' });
    setTries((before) => before + 1);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is a reason to look
  useEffect(() => {
    const abort = new AbortController();
    lookAtInvitation(token, abort.signal).then(
      (invitation) => {
        if (!abort.signal.aborted) setLooked({ is: 'shown', invitation });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setLooked(leadsNowhere(error) ? { is: 'gone' } : { is: 'failed', error });
      },
    );
    return () => abort.abort();
  }, [token, tries]);

  const hasFailed = looked.is === 'failed';
  useEffect(() => {
    if (!hasFailed) return;
    const again = (): void => setTries((before) => before + 1);
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [hasFailed]);

  return { looked, lookAgain, isGone: () => setLooked({ is: 'gone' }) };
}

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
function AcceptForm({ token, invitation: { username, role, expires_at }, onAccepted, onGone }: AcceptFormProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const withErrorId = useWithErrorId();
  const signedIn = useSession(({ admin }) => admin?.username ?? null);
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [wrong, setWrong] = useState<'length' | 'again' | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useFocusOnMount<HTMLDivElement>('input[name="password"]');
  const until = useInstantText()(expires_at, 'long');

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
