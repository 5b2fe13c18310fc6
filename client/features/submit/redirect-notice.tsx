import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { askedClaim } from '../../lib/asked-claim.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './state-panels.module.css';

/** Long enough to read the notice and to choose verification instead. */
const REDIRECT_AFTER_MS = 4000;
const LOGIN = '/login?type=access-key';

/** Without a session nothing can be claimed: says so, and leads on; spot, date and hour are kept for afterwards. */
export function RedirectNotice(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  useEffect(() => {
    const timer = setTimeout(() => void navigate(LOGIN, { replace: true, state: askedClaim(search) }), REDIRECT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [navigate, search]);
  return (
    <div className={styles.narrow} role="status">
      <EmptyState
        title={t('submit.redirect.title')}
        text={t('submit.redirect.text')}
        action={
          <>
            <ButtonLink to={LOGIN} state={askedClaim(search)} variant="primary">
              {t('submit.redirect.login')}
            </ButtonLink>
            <ButtonLink to="/verify" state={askedClaim(search)}>
              {t('submit.redirect.verify')}
            </ButtonLink>
          </>
        }
      />
    </div>
  );
}
