import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { type AskedClaim, useAskedClaim } from '../../../lib/asked-claim.ts';
import { returnToIn } from '../../../lib/return-to.ts';
import { useFocusOnMount } from '../../../lib/use-focus-on-mount.ts';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { AdminLoginForm } from './admin-login-form.tsx';
import { KeyLoginForm } from './key-login-form.tsx';
import styles from './login-page.module.css';

type Mode = 'key' | 'admin';

/** Section 9 of the specification. */
const REDIRECT_AFTER_MS = 1000;
const PAGE_AFTER: { [mode in Mode]: string } = { key: '/submit-claims', admin: '/admin/dashboard' };

/** The way in, with an access key or as an admin; the address chooses which stands ready. */
export function LoginPage(): ReactNode {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  usePageTitle(t('login.title'));
  // /login?type=user and ?type=access-key mean the access key, as /login alone does.
  return <Login key={pathname} firstMode={pathname.startsWith('/admin') ? 'admin' : 'key'} />;
}

function Login({ firstMode }: { firstMode: Mode }): ReactNode {
  const { t } = useTranslation();
  const [mode, setMode] = useState<Mode>(firstMode);
  const [signedInAs, setSignedInAs] = useState<Mode | null>(null);
  const asked = useAskedClaim();
  const wanted = returnToIn(useLocation().state);
  useRedirectAfterLogin(signedInAs, asked, wanted);
  const page = useFocusOnMount<HTMLDivElement>('form input');
  return (
    <div ref={page} className={styles.page}>
      <h1 className={styles.title}>{t('login.title')}</h1>
      <Panel>
        {signedInAs ? (
          <Alert tone="good">{t(signedInAs === 'admin' ? 'login.adminSuccess' : 'login.keySuccess')}</Alert>
        ) : (
          <div className={styles.body}>
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
              <KeyLoginForm onSignedIn={() => setSignedInAs('key')} />
            )}
          </div>
        )}
      </Panel>
      {mode === 'key' && !signedInAs ? (
        <p className={styles.aside}>
          {t('login.noKey')}{' '}
          <Link to="/verify" state={asked}>
            {t('login.verify')}
          </Link>
        </p>
      ) : null}
    </div>
  );
}

/** To the page that was asked for before, else to the specification's. */
function useRedirectAfterLogin(signedInAs: Mode | null, { asked_claim }: AskedClaim, wanted: string | null): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!signedInAs) return;
    const isTheirs = wanted !== null && wanted.startsWith('/admin') === (signedInAs === 'admin');
    const next = isTheirs ? wanted : { pathname: PAGE_AFTER[signedInAs], search: signedInAs === 'key' ? asked_claim : '' };
    const timer = setTimeout(() => void navigate(next), REDIRECT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [signedInAs, asked_claim, wanted, navigate]);
}
