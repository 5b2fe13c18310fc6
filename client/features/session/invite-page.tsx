import { type ReactNode, type SubmitEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import type { InvitationShown } from '../../../shared/schemas/admin.ts';
import type { LoginAnswer } from '../../../shared/schemas/session.ts';
import { acceptInvitation, lookAtInvitation } from '../../api/calls.ts';
import { useServerQuery } from '../../api/query.ts';
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
import { Stack } from '../../ui/layout.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useAction } from '../../ui/use-action.ts';
import styles from './session.module.css';

/** The page of an invitation link: the invited admin chooses a password. */
export function InvitePage(): ReactNode {
  const { t } = useTranslation();
  // In the fragment, which browsers never send, so it can't end up in a log.
  const token = useLocation().hash.slice(1);
  // Never contains the token.
  usePageTitle(t('invite.title'));
  return (
    <div className={styles.invitation}>
      <Invite key={token} token={token} />
    </div>
  );
}

function Invite({ token }: { token: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const { invitation, error, isGone, retry, onGone, onAccepted } = useInvitation(token);
  if (isGone) return <InvalidInvitation />;
  if (invitation) {
    return (
      <AcceptForm
        token={token}
        invitation={invitation}
        onGone={onGone}
        onAccepted={({ token: session, user }) => {
          onAccepted();
          signInAdmin(session, user.username, user.role);
          // Replaces the link, which is used up.
          void navigate('/admin/dashboard', { replace: true });
        }}
      />
    );
  }
  if (error) {
    return (
      <EmptyState
        page
        title={t('invite.failed.title')}
        text={t('invite.failed.text', { reason: errorText(error) })}
        action={
          <Button variant="primary" onClick={retry}>
            {t('common.tryAgain')}
          </Button>
        }
      />
    );
  }
  return (
    <>
      <h1 className={styles.title}>{t('invite.title')}</h1>
      <Loading>
        <Skeleton height={260} />
      </Loading>
    </>
  );
}

function InvalidInvitation(): ReactNode {
  const { t } = useTranslation();
  return (
    <EmptyState
      page
      title={t('invite.invalid.title')}
      text={t('invite.invalid.text')}
      action={
        <>
          <ButtonLink to="/admin/login" variant="primary">
            {t('invite.invalid.login')}
          </ButtonLink>
          <ButtonLink to="/">{t('verify.done.board')}</ButtonLink>
        </>
      }
    />
  );
}

interface InvitationQuery {
  /** undefined: still loading, or see `error`. */
  invitation: InvitationShown | undefined;
  error: unknown;
  /** The link was used, withdrawn or has expired. */
  isGone: boolean;
  retry: () => void;
  onGone: () => void;
  onAccepted: () => void;
}

const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'invitation.notFound';

/** Reads the invitation of a link. After it is used, nothing is read again: the form stays until the dashboard has loaded. */
function useInvitation(token: string): InvitationQuery {
  const [end, setEnd] = useState<'gone' | 'accepted' | null>(null);
  const [last, setLast] = useState<InvitationShown>();
  // The token is a secret, so the key names this page instead, and nothing is cached.
  const query = useServerQuery({
    queryKey: ['invitation', useId()],
    queryFn: ({ signal }) => lookAtInvitation(token, signal),
    enabled: end === null,
    meta: { hasOwnKey: true },
    gcTime: 0,
  });
  const { data, error, isFetching, refetch } = query;
  if (data && data !== last) setLast(data);
  return {
    // Kept through everything but its end: a password may be typed below it.
    invitation: end !== 'accepted' && isNotFound(error) ? undefined : (data ?? last),
    error: isFetching ? null : error,
    isGone: end === 'gone' || (end === null && isNotFound(error)),
    retry: () => void refetch(),
    onGone: () => setEnd('gone'),
    onAccepted: () => setEnd('accepted'),
  };
}

/** Same as on the server, whose constants would pull in zod. */
const MIN_LENGTH = 6;
const MAX_LENGTH = 200;

interface AcceptFormProps {
  token: string;
  invitation: InvitationShown;
  onAccepted: (answer: LoginAnswer & { type: 'admin' }) => void;
  /** It was used, withdrawn or expired while the form was open. */
  onGone: () => void;
}

function AcceptForm({
  token,
  invitation: { username, role, expires_at },
  onAccepted,
  onGone,
}: AcceptFormProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const withErrorId = useWithErrorId();
  const signedIn = useSession(({ admin }) => admin?.username ?? null);
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [wrong, setWrong] = useState<'length' | 'again' | null>(null);
  const accept = useAction({
    work: () =>
      acceptInvitation(token, password).catch((error: unknown) => {
        if (isNotFound(error)) return null;
        throw error;
      }),
    done: (answer) => {
      if (answer === null) return onGone();
      if (answer.type !== 'admin') throw new Error('an invitation answered a member');
      onAccepted(answer);
    },
  });
  const form = useFocusOnMount<HTMLDivElement>('input[name="password"]');
  const until = useInstantText()(expires_at, 'long');

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (accept.isBusy) return;
    const fault = faultOf(password, again);
    setWrong(fault);
    if (fault) {
      accept.forget();
      form.current
        ?.querySelector<HTMLElement>(`input[name="${fault === 'length' ? 'password' : 'again'}"]`)
        ?.focus();
      return;
    }
    accept.run();
  };
  const reasonOf = (error: unknown): string =>
    hasReason(error) ? errorText(error) : withErrorId(t('invite.acceptFailed'), error);

  return (
    <div ref={form}>
      <h1 className={styles.title}>{t('invite.title')}</h1>
      <p className={styles.lead}>{t(`invite.role.${role}`, { name: username })}</p>
      <Panel>
        <Stack noValidate gap={4} as="form" onSubmit={submit}>
          {signedIn === null ? null : <Alert>{t('invite.signedIn', { name: signedIn })}</Alert>}
          <Field label={t('invite.name')} hint={t('invite.nameHint')}>
            <TextInput name="username" autoComplete="username" readOnly value={username} />
          </Field>
          <Field
            label={t('login.password')}
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
          <Field
            label={t('invite.repeatPassword')}
            error={wrong === 'again' ? t('invite.passwordsDiffer') : undefined}
          >
            <PasswordInput
              name="again"
              autoComplete="new-password"
              showLabel={t('invite.showRepeated')}
              hideLabel={t('invite.hideRepeated')}
              value={again}
              onChange={(event) => setAgain(event.target.value)}
            />
          </Field>
          {accept.failure ? <Alert tone="bad">{reasonOf(accept.failure)}</Alert> : null}
          <Button type="submit" variant="primary" wide busy={accept.isBusy}>
            {t('invite.accept')}
          </Button>
        </Stack>
      </Panel>
      <p className={styles.aside}>{t('invite.expires', { time: until })}</p>
    </div>
  );
}

function faultOf(password: string, again: string): 'length' | 'again' | null {
  if (password.length < MIN_LENGTH || password.length > MAX_LENGTH) return 'length';
  return password === again ? null : 'again';
}
