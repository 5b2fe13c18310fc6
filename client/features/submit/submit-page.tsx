import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router-dom';
import { usePageTitle } from '../../lib/page-title.ts';
import { returnTo } from '../../lib/return-to.ts';
import { useBoard } from '../../state/board-store.ts';
import { useClaimsForOthers, useMay } from '../../state/permissions.ts';
import { useSession } from '../../state/session-store.ts';
import { AdminSubmission } from './admin-submission.tsx';
import { LoadingPage } from './form-page.tsx';
import { MemberSubmission } from './member-submission.tsx';
import { RedirectNotice } from './redirect-notice.tsx';

/** Claim submission for a verified member: loading, not signed in, switched off, the form, or what was stored. */
export function SubmitPage(): ReactNode {
  const { t } = useTranslation();
  const title = t('submit.title');
  usePageTitle(title);
  const isChecked = useSession((session) => session.status === 'ready');
  const profile = useSession((session) => session.current);
  const claimsForOthers = useClaimsForOthers();
  const isBoardHere = useBoard((board) => board.status === 'ready');
  const { search } = useLocation();
  if (isChecked && claimsForOthers) return <Navigate to={`/admin/input${search}`} replace />;
  if (isChecked && !profile) return <RedirectNotice />;
  return profile && isBoardHere ? <MemberSubmission key={profile.characterName} profile={profile} /> : <LoadingPage title={title} />;
}

/** The same for an admin, who submits for anybody; without an admin's session it leads to the login. */
export function AdminInputPage(): ReactNode {
  const { t } = useTranslation();
  const title = t('submit.admin.title');
  usePageTitle(title);
  const isChecked = useSession((session) => session.status === 'ready');
  const isAdmin = useSession((session) => session.admin !== null);
  const isBoardHere = useBoard((board) => board.status === 'ready');
  const location = useLocation();
  const mayClaim = useMay('claims');
  if (isChecked && !isAdmin) return <Navigate to="/admin/login" replace state={returnTo(location)} />;
  if (isChecked && !mayClaim) return <Navigate to="/admin/dashboard" replace />;
  return isChecked && isBoardHere ? <AdminSubmission /> : <LoadingPage title={title} />;
}
