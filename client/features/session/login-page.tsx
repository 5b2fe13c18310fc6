import { type ReactNode, type SubmitEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { accessKeyForm } from '../../../shared/rules/access-keys.ts';
import { ApiError } from '../../api/request.ts';
import { loginAdmin, loginWithKey } from '../../api/session-calls.ts';
import { type KeptRequest, useKeptRequest } from '../../lib/claim-request.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { returnToIn } from '../../lib/return-to.ts';
import { useFocusOnMount } from '../../lib/use-focus-on-mount.ts';
import { hasReason, useErrorText, useWithErrorId } from '../../lib/words/error-text.ts';
import { useHasDiscordSignIn } from '../../state/permissions.ts';
import { addProfile, signInAdmin } from '../../state/session-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { DiscordLink } from '../../ui/discord-link.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { PasswordInput, TextInput } from '../../ui/fields/inputs.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useAction } from '../../ui/use-action.ts';
import { DiscordPending, useConnectDiscord } from './discord-connect.tsx';
import { type DiscordReturn, useDiscordReturn } from './discord-return.tsx';
import styles from './session.module.css';

type Mode = 'key' | 'admin';

/** Section 9 of the specification. */
const REDIRECT_AFTER_MS = 1000;
const PAGE_AFTER: { [mode in Mode]: string } = { key: '/submit-claims', admin: '/admin/dashboard' };

/** Login with an access key or as an admin; the address preselects one. */
export function LoginPage(): ReactNode {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  usePageTitle(t('shell.profile.login'));
  // /login?type=user and ?type=access-key mean the access key, as /login alone does.
  return <Login key={pathname} firstMode={pathname.startsWith('/admin') ? 'admin' : 'key'} />;
}

function Login({ firstMode }: { firstMode: Mode }): ReactNode {
  const { t } = useTranslation();
  const [mode, setMode] = useState<Mode>(firstMode);
  const [signedInAs, setSignedInAs] = useState<Mode | null>(null);
  const keptRequest = useKeptRequest();
  const wanted = returnToIn(useLocation().state);
  useRedirectAfterLogin(signedInAs, keptRequest, wanted);
  const hasDiscord = useHasDiscordSignIn();
  const discord = useDiscordReturn(() => setSignedInAs('key'));
  const page = useFocusOnMount<HTMLDivElement>('form input');
  return (
    <div ref={page} className={styles.login}>
      <h1 className={styles.title}>{t('shell.profile.login')}</h1>
      <Panel>
        {signedInAs ? (
          <Alert tone="good">
            {t(signedInAs === 'admin' ? 'login.adminSuccess' : 'login.keySuccess')}
          </Alert>
        ) : (
          <Stack gap={4}>
            <Segmented
              wide
              label={t('login.mode')}
              value={mode}
              options={[
                { value: 'key', label: t('login.modes.key') },
                { value: 'admin', label: t('login.modes.admin') },
              ]}
              onChange={setMode}
            />
            {mode === 'admin' ? (
              <AdminLoginForm onSignedIn={() => setSignedInAs('admin')} />
            ) : (
              <>
                <DiscordOutcome {...discord} />
                <DiscordPending />
                {hasDiscord ? (
                  <>
                    <DiscordLink wide />
                    <p className={styles.or}>{t('login.or')}</p>
                  </>
                ) : null}
                <KeyLoginForm onSignedIn={() => setSignedInAs('key')} />
              </>
            )}
          </Stack>
        )}
      </Panel>
      {mode === 'key' && !signedInAs ? (
        <p className={styles.aside}>
          {t('login.noKey')}{' '}
          <Link to="/verify" state={keptRequest} className="accent-link">
            {t('shell.verifyCharacter')}
          </Link>
        </p>
      ) : null}
    </div>
  );
}

/** How the way back from Discord went. */
function DiscordOutcome({ isBusy, refusal, failure }: DiscordReturn): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (isBusy) return <Alert>{t('login.discordBusy')}</Alert>;
  if (refusal) return <Alert tone="bad">{t(`login.discordRefused.${refusal}`)}</Alert>;
  return failure ? <Alert tone="bad">{errorText(failure)}</Alert> : null;
}

/** Goes to the page requested before login, else to the one of the specification. */
function useRedirectAfterLogin(
  signedInAs: Mode | null,
  { requested_claim }: KeptRequest,
  wanted: string | null,
): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!signedInAs) return;
    const isTheirs = wanted !== null && wanted.startsWith('/admin') === (signedInAs === 'admin');
    const next = isTheirs
      ? wanted
      : { pathname: PAGE_AFTER[signedInAs], search: signedInAs === 'key' ? requested_claim : '' };
    const timer = setTimeout(() => void navigate(next), REDIRECT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [signedInAs, requested_claim, wanted, navigate]);
}

function KeyLoginForm({ onSignedIn }: { onSignedIn: () => void }): ReactNode {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const connectDiscord = useConnectDiscord();
  const { busy, failure, fail, run } = useLogin();

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const accessKey = accessKeyForm(typed);
    if (busy) return;
    if (!accessKey) {
      fail(t('errors.session.keyRequired'));
      return;
    }
    run(async () => {
      const answer = await loginWithKey(accessKey);
      if (answer.type !== 'user') throw new Error('an access key answered an admin');
      const { characterName, memberType } = answer.user;
      const profile = {
        characterName,
        memberType,
        accessKey,
        isVerified: true,
        createdAt: new Date().toISOString(),
      };
      addProfile(profile);
      connectDiscord(profile);
      onSignedIn();
    });
  };

  return (
    <Stack noValidate gap={4} as="form" onSubmit={submit}>
      <Field label={t('login.accessKey')} hint={t('login.accessKeyHint')}>
        <PasswordInput
          name="access-key"
          autoComplete="current-password"
          showLabel={t('shell.profile.showKey')}
          hideLabel={t('shell.profile.hideKey')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      {failure ? <Alert tone="bad">{failure}</Alert> : null}
      <Button type="submit" variant="primary" wide busy={busy}>
        {t('shell.profile.login')}
      </Button>
    </Stack>
  );
}

/** Section 9 of the specification; the server's own constant would bring zod along. */
const MIN_PASSWORD_LENGTH = 6;

function AdminLoginForm({ onSignedIn }: { onSignedIn: () => void }): ReactNode {
  const { t } = useTranslation();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const { busy, failure, fail, run } = useLogin();

  const submit = (event: SubmitEvent): void => {
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
    run(async () => {
      const answer = await loginAdmin(username.trim(), password);
      if (answer.type !== 'admin') throw new Error('an admin login answered a member');
      signInAdmin(answer.token, answer.user.username, answer.user.role);
      onSignedIn();
    });
  };

  return (
    <Stack noValidate gap={4} as="form" onSubmit={submit}>
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
        {t('shell.profile.login')}
      </Button>
    </Stack>
  );
}

interface LoginTry {
  busy: boolean;
  /** Why it failed, in words. */
  failure: string | null;
  fail: (sentence: string) => void;
  /** Runs a sign-in and says what went wrong. */
  run: (signIn: () => Promise<void>) => void;
}

function useLogin(): LoginTry {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const withErrorId = useWithErrorId();
  const [problem, setProblem] = useState<string | null>(null);
  const { run, isBusy, failure } = useAction({
    work: (signIn: () => Promise<void>) => signIn(),
  });
  // Section 7 of the specification: the error's text, else "Login failed".
  const textOf = (error: unknown): string =>
    error instanceof ApiError && (error.message !== '' || hasReason(error))
      ? errorText(error)
      : withErrorId(t('login.failed'), error);
  return {
    busy: isBusy,
    failure: problem ?? (failure ? textOf(failure) : null),
    fail: setProblem,
    run: (signIn) => {
      setProblem(null);
      run(signIn);
    },
  };
}
