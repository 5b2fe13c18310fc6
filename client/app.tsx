import { type ComponentType, type ReactNode, Suspense, useState } from 'react';
import { BrowserRouter, Navigate, Outlet, Route, Routes } from 'react-router-dom';
import { HomePage } from './features/board/home-page.tsx';
import { WithSideBoard } from './features/board/with-side-board.tsx';
import { OpenPaletteOnKey } from './features/palette/open-palette-on-key.tsx';
import { BesidePage, Crashed, NotFoundPage } from './features/shell/fallback-pages.tsx';
import { Navbar } from './features/shell/navbar.tsx';
import { CloseLeftOverlays, OverlayHost } from './features/shell/overlay-host.tsx';
import { BoardContexts, PageFrame } from './features/shell/page-frame.tsx';
import { loadAdminSentences, loadMemberSentences, loadNoticeSentences } from './i18n.ts';
import { lazyPart } from './lib/loading/lazy-part.ts';
import { MissingLiveBoard } from './live/missing-live-board.ts';
import { useSettings } from './live/use-settings.ts';
import { usePushFlag } from './state/push-flag.ts';
import { useSession } from './state/session-store.ts';
import { Boundary } from './ui/boundary.tsx';
import { ToastHost } from './ui/toast.tsx';
import { TooltipHost } from './ui/tooltip.tsx';

/** A part with sentences that are not in the visitor's file. */
const withSentences = <P extends object>(
  load: () => Promise<ComponentType<P>>,
): ((props: P) => ReactNode) =>
  lazyPart(async () => {
    const [part] = await Promise.all([load(), loadMemberSentences()]);
    return part;
  });

const BoardPage = withSentences(
  async () => (await import('./features/board/board-page.tsx')).BoardPage,
);
const MemberParts = withSentences(async () => (await import('./member-parts.tsx')).MemberParts);
const SubmitPage = withSentences(
  async () => (await import('./features/submit/submit-page.tsx')).SubmitPage,
);
const AdminInputPage = withSentences(
  async () => (await import('./features/submit/submit-page.tsx')).AdminInputPage,
);
const LoginPage = withSentences(
  async () => (await import('./features/session/login-page.tsx')).LoginPage,
);
const AdminPage = withSentences(async () => {
  const [page] = await Promise.all([
    import('./features/admin/dashboard.tsx'),
    loadAdminSentences(),
  ]);
  return page.Dashboard;
});
const BarActions = withSentences(async () => {
  const [part] = await Promise.all([
    import('./features/admin/claims/bar/bar-actions.tsx'),
    loadAdminSentences(),
  ]);
  return part.BarActions;
});
const InvitePage = withSentences(async () => {
  const [page] = await Promise.all([
    import('./features/session/invite-page.tsx'),
    loadAdminSentences(),
  ]);
  return page.InvitePage;
});
const MyClaimsPage = withSentences(
  async () => (await import('./features/my-claims/my-claims-page.tsx')).MyClaimsPage,
);
const NotificationsPage = withSentences(async () => {
  const [page] = await Promise.all([
    import('./features/notifications/notifications-page.tsx'),
    loadNoticeSentences(),
  ]);
  return page.NotificationsPage;
});
const StatisticsPage = withSentences(
  async () => (await import('./features/statistics/statistics-page.tsx')).StatisticsPage,
);
const VerifyPage = withSentences(
  async () => (await import('./features/session/verify/verify-page.tsx')).VerifyPage,
);

const CalendarDialog = withSentences(
  async () => (await import('./features/notifications/calendar-dialog.tsx')).CalendarDialog,
);
const ClaimInPlace = withSentences(
  async () => (await import('./features/claiming/in-place/claim-in-place.tsx')).ClaimInPlace,
);
const Confirm = withSentences(
  async () => (await import('./ui/dialog/confirm-dialog.tsx')).ConfirmDialog,
);
const HelpDialog = withSentences(
  async () => (await import('./features/board/help-dialog.tsx')).HelpDialog,
);
const ConnectDiscord = withSentences(async () => {
  const [part] = await Promise.all([
    import('./features/notifications/connect-discord.tsx'),
    loadNoticeSentences(),
  ]);
  return part.ConnectDiscord;
});
const JoinWaitlist = withSentences(
  async () => (await import('./features/claiming/waitlist/join-waitlist.tsx')).JoinWaitlist,
);
const ChangePassword = withSentences(async () => {
  const [part] = await Promise.all([
    import('./features/admin/password/change-password.tsx'),
    loadAdminSentences(),
  ]);
  return part.ChangePasswordDialog;
});
const Palette = withSentences(async () => {
  // Without its sentences, the palette leaves out the dashboard's tabs.
  const sentences = useSession.getState().admin ? loadAdminSentences().catch(() => {}) : null;
  const [{ Palette }] = await Promise.all([import('./features/palette/palette.tsx'), sentences]);
  return Palette;
});
const LeaveDialog = withSentences(
  async () => (await import('./features/claiming/waitlist/leave-dialog.tsx')).LeaveDialog,
);
const WeeklyClaimDialog = withSentences(
  async () => (await import('./features/my-claims/weekly-claim-dialog.tsx')).WeeklyClaimDialog,
);
const EndWeeklyClaimDialog = withSentences(
  async () => (await import('./features/my-claims/weekly-claim-dialog.tsx')).EndWeeklyClaimDialog,
);
const ReleaseDialog = withSentences(
  async () => (await import('./features/claiming/release-dialog.tsx')).ReleaseDialog,
);

const OwnClaimMenu = withSentences(
  async () => (await import('./features/claiming/own/own-claim-menu.tsx')).OwnClaimMenu,
);
const TransferDialog = withSentences(
  async () => (await import('./features/claiming/transfer/transfer-dialog.tsx')).TransferDialog,
);

/** The outermost error boundary. */
export function App(): ReactNode {
  return (
    <Boundary instead={() => <Crashed />}>
      <Everything />
    </Boundary>
  );
}

function Everything(): ReactNode {
  return (
    <BrowserRouter>
      <BoardContexts>
        <Pages />
        <BesidePage part="messages">
          <ToastHost />
        </BesidePage>
        <BesideMembersPages />
        <Overlays />
        <OpenPaletteOnKey />
        <Boundary instead={() => null}>
          <TooltipHost />
        </Boundary>
      </BoardContexts>
    </BrowserRouter>
  );
}

/**
 * The live board and the messages about own claims; a visitor doesn't load them. Stays mounted after sign-out, so that it can close
 * the connection.
 */
function BesideMembersPages(): ReactNode {
  const settings = useSettings();
  const isSignedIn = useSession(({ current, admin }) => current !== null || admin !== null);
  const hasPush = usePushFlag(({ on }) => on);
  const [isHere, setIsHere] = useState(false);
  if ((isSignedIn || hasPush || settings.isPublic) && !isHere) setIsHere(true);
  if (!isHere) return null;
  return (
    <Boundary instead={(tryAgain) => <MissingLiveBoard onTryAgain={tryAgain} />}>
      <Suspense>
        <MemberParts settings={settings} />
      </Suspense>
    </Boundary>
  );
}

/** Every part of the design system, on the development server only. */
const PartsPage = import.meta.env.DEV
  ? withSentences(async () => (await import('./ui/test/parts-page.tsx')).PartsPage)
  : null;

export function Overlays(): ReactNode {
  return (
    <>
      <CloseLeftOverlays />
      <OverlayHost kind="calendar">
        {(_props, close) => <CalendarDialog onClose={close} />}
      </OverlayHost>
      <OverlayHost kind="claimActions">
        {({ request }, close) => <BarActions request={request} onClose={close} />}
      </OverlayHost>
      <OverlayHost kind="claimInPlace">
        {({ draft }, close) => <ClaimInPlace draft={draft} onClose={close} />}
      </OverlayHost>
      <OverlayHost kind="connectDiscord">
        {(_props, close) => <ConnectDiscord onClose={close} />}
      </OverlayHost>
      <OverlayHost kind="help">{(_props, close) => <HelpDialog onClose={close} />}</OverlayHost>
      <OverlayHost kind="joinWaitlist">
        {({ request }, close) => <JoinWaitlist request={request} onClose={close} />}
      </OverlayHost>
      <OverlayHost kind="changePassword">
        {(_props, close) => <ChangePassword onClose={close} />}
      </OverlayHost>
      <OverlayHost kind="palette">{(_props, close) => <Palette onClose={close} />}</OverlayHost>
      <OverlayHost kind="leaveWaitlist">
        {({ wait_id }, close) => <LeaveDialog wait_id={wait_id} onClose={close} />}
      </OverlayHost>
      <OverlayHost kind="release">
        {({ claim }, close) => <ReleaseDialog claim={claim} onClose={close} />}
      </OverlayHost>
      <OverlayHost kind="weeklyClaim">
        {(props, close) => <WeeklyClaimDialog {...props} onClose={close} />}
      </OverlayHost>
      <OverlayHost kind="endWeeklyClaim">
        {(props, close) => <EndWeeklyClaimDialog {...props} onClose={close} />}
      </OverlayHost>
      <OverlayHost kind="ownClaim">
        {(props, close) => <OwnClaimMenu {...props} onClose={close} />}
      </OverlayHost>
      <OverlayHost kind="transfer">
        {({ claim, way }, close) => <TransferDialog claim={claim} way={way} onClose={close} />}
      </OverlayHost>
      {/* Last: other overlays ask it. */}
      <OverlayHost kind="confirmation">
        {({ confirmation }, close) => <Confirm {...confirmation} open onOpenChange={close} />}
      </OverlayHost>
    </>
  );
}

const navbar = (
  <BesidePage part="navigation">
    <Navbar />
  </BesidePage>
);

const home = (
  <HomePage>
    <BoardPage />
  </HomePage>
);

const withSideBoard = (
  <WithSideBoard>
    <Outlet />
  </WithSideBoard>
);

export function Pages(): ReactNode {
  return (
    <Routes>
      <Route element={<PageFrame navbar={navbar} />}>
        <Route index element={home} />
        <Route element={withSideBoard}>
          <Route path="input" element={<SubmitPage />} />
          <Route path="submit-claims" element={<SubmitPage />} />
          <Route path="admin/input" element={<AdminInputPage />} />
        </Route>
        <Route path="mine" element={<MyClaimsPage />} />
        <Route path="notifications" element={<NotificationsPage />} />
        <Route path="statistics" element={<StatisticsPage />} />
        <Route path="login" element={<LoginPage />} />
        <Route path="invite" element={<InvitePage />} />
        <Route path="verify" element={<VerifyPage />} />
        <Route path="verify/:characterName" element={<VerifyPage />} />
        <Route path="admin">
          <Route index element={<Navigate to="/admin/dashboard" replace />} />
          <Route path="login" element={<LoginPage />} />
          <Route path="dashboard" element={<AdminPage />} />
          <Route path="dashboard/:tab" element={<AdminPage />} />
          <Route path="dashboard/settings/:section" element={<AdminPage />} />
          <Route path="dashboard/member/:member" element={<AdminPage />} />
        </Route>
        {PartsPage ? <Route path="parts" element={<PartsPage />} /> : null}
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}
