import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { signInAdmin } from '../../../state/session-store.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { AcceptForm } from './accept-form.tsx';
import styles from './invite.module.css';
import { useInvitation } from './use-invitation.ts';

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
