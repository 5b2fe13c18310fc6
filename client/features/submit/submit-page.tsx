import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { keepRequest } from '../../lib/claim-request.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { returnTo } from '../../lib/return-to.ts';
import { refreshBoard, useLoadFailure } from '../../live/refresh.ts';
import { useBoard } from '../../state/board-store.ts';
import { useClaimsForOthers, useMay } from '../../state/permissions.ts';
import { useSession } from '../../state/session-store.ts';
import { Alert, FailedLoad } from '../../ui/alert.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import styles from './claim-form.module.css';
import { AdminSubmission, FormPage, MemberSubmission } from './submissions.tsx';

/** Claim submission for a member: loading, not signed in, switched off, the form, or the stored claims. */
export function SubmitPage(): ReactNode {
  const { t } = useTranslation();
  const title = t('submit.title');
  usePageTitle(title);
  const isChecked = useSession((session) => session.status === 'ready');
  const profile = useSession((session) => session.current);
  const claimsForOthers = useClaimsForOthers();
  const isAdmin = useSession((session) => session.admin !== null);
  const isBoardHere = useBoard((board) => board.status === 'ready');
  const { search } = useLocation();
  if (isChecked && claimsForOthers) return <Navigate to={`/admin/input${search}`} replace />;
  if (isChecked && !profile) return isAdmin ? <NoCharacter /> : <RedirectNotice />;
  return profile && isBoardHere ? (
    <MemberSubmission key={profile.characterName} profile={profile} />
  ) : (
    <LoadingPage title={title} />
  );
}

/** The same for an admin, who submits for any character. */
export function AdminInputPage(): ReactNode {
  const { t } = useTranslation();
  const title = t('submit.admin.title');
  usePageTitle(title);
  const isChecked = useSession((session) => session.status === 'ready');
  const isAdmin = useSession((session) => session.admin !== null);
  const isBoardHere = useBoard((board) => board.status === 'ready');
  const location = useLocation();
  const mayClaim = useMay('claims');
  if (isChecked && !isAdmin)
    return <Navigate to="/admin/login" replace state={returnTo(location)} />;
  if (isChecked && !mayClaim) return <Navigate to="/admin/dashboard" replace />;
  return isChecked && isBoardHere ? <AdminSubmission /> : <LoadingPage title={title} />;
}

function LoadingPage({ title }: { title: string }): ReactNode {
  const failure = useLoadFailure();
  return (
    <FormPage title={title}>
      {failure ? <FailedLoad {...failure} onTryAgain={refreshBoard} /> : <FormSkeleton />}
    </FormPage>
  );
}

function FormSkeleton(): ReactNode {
  const { t } = useTranslation();
  const isOffline = useBoard((board) => board.connection === 'offline');
  return (
    <>
      {isOffline ? (
        <Alert tone="bad" className={styles.notice}>
          {t('errors.network.failed')}
        </Alert>
      ) : null}
      <Loading>
        <div className={styles.form}>
          <div className={styles.steps}>
            <Panel title={t('submit.where')}>
              <Skeleton height={52} />
            </Panel>
            <Panel title={t('submit.when')}>
              <Skeleton height={54} />
              <Skeleton height={102} className={styles.later} />
              <Skeleton width={200} height={34} className={styles.later} />
            </Panel>
          </div>
          <div className={styles.aside}>
            <Panel title={t('submit.summary.title')}>
              <Skeleton height={120} />
            </Panel>
          </div>
        </div>
      </Loading>
    </>
  );
}

/** Long enough to read the notice and to choose verification instead. */
const REDIRECT_AFTER_MS = 4000;
const LOGIN = '/login?type=access-key';

/** A visitor has to sign in first; the requested spot, date and hour are kept. */
function RedirectNotice(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  useEffect(() => {
    const timer = setTimeout(
      () => void navigate(LOGIN, { replace: true, state: keepRequest(search) }),
      REDIRECT_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [navigate, search]);
  return (
    <div className="narrow-page" role="status">
      <EmptyState
        title={t('submit.redirect.title')}
        text={t('submit.redirect.text')}
        action={
          <>
            <ButtonLink to={LOGIN} state={keepRequest(search)} variant="primary">
              {t('board.visitor.login')}
            </ButtonLink>
            <ButtonLink to="/verify" state={keepRequest(search)}>
              {t('shell.verifyCharacter')}
            </ButtonLink>
          </>
        }
      />
    </div>
  );
}

/** An admin whose role may not claim for others, and who has no character here. */
function NoCharacter(): ReactNode {
  const { t } = useTranslation();
  const { search } = useLocation();
  return (
    <div className="narrow-page" role="status">
      <EmptyState
        title={t('submit.noCharacter.title')}
        text={t('submit.noCharacter.text')}
        action={
          <>
            <ButtonLink to="/" variant="primary">
              {t('submit.disabled.board')}
            </ButtonLink>
            <ButtonLink to={LOGIN} state={keepRequest(search)}>
              {t('board.visitor.login')}
            </ButtonLink>
          </>
        }
      />
    </div>
  );
}
