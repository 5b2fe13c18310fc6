import type { ReactNode } from 'react';
import { BrowserRouter, Navigate, Outlet, Route, Routes } from 'react-router-dom';
import { BoardPage } from './features/board/board-page.tsx';
import { WithSideBoard } from './features/board/with-side-board.tsx';
import { OffersHost } from './features/my-claims/offers-host.tsx';
import { OwnChangesHost } from './features/my-claims/own-changes.ts';
import { NoticesHost } from './features/notifications/notices-host.tsx';
import { OpenPaletteOnKey } from './features/palette/open-palette-on-key.tsx';
import { BesidePage, Crashed, NotFoundPage } from './features/shell/fallback-pages.tsx';
import { Navbar } from './features/shell/navbar.tsx';
import { CloseLeftOverlays, OverlayHost } from './features/shell/overlay-host.tsx';
import { BoardContexts, PageFrame } from './features/shell/page-frame.tsx';
import { loadAdminSentences, loadNoticeSentences } from './i18n.ts';
import { lazyPart } from './lib/loading/lazy-part.ts';
import { useLiveBoard } from './live/use-live-board.ts';
import { useSession } from './state/session-store.ts';
import { Boundary } from './ui/boundary.tsx';
import { ToastHost } from './ui/toast.tsx';
import { TooltipHost } from './ui/tooltip.tsx';

const SubmitPage = lazyPart(
  async () => (await import('./features/submit/submit-page.tsx')).SubmitPage,
);
const AdminInputPage = lazyPart(
  async () => (await import('./features/submit/submit-page.tsx')).AdminInputPage,
);
const LoginPage = lazyPart(
  async () => (await import('./features/session/login-page.tsx')).LoginPage,
);
const AdminPage = lazyPart(async () => {
  const [page] = await Promise.all([
    import('./features/admin/dashboard.tsx'),
    loadAdminSentences(),
  ]);
  return page.Dashboard;
});
const BarActions = lazyPart(async () => {
  const [part] = await Promise.all([
    import('./features/admin/claims/bar/bar-actions.tsx'),
    loadAdminSentences(),
  ]);
  return part.BarActions;
});
const InvitePage = lazyPart(async () => {
  const [page] = await Promise.all([
    import('./features/session/invite-page.tsx'),
    loadAdminSentences(),
  ]);
  return page.InvitePage;
});
const MyClaimsPage = lazyPart(
  async () => (await import('./features/my-claims/my-claims-page.tsx')).MyClaimsPage,
);
const NotificationsPage = lazyPart(async () => {
  const [page] = await Promise.all([
    import('./features/notifications/notifications-page.tsx'),
    loadNoticeSentences(),
  ]);
  return page.NotificationsPage;
});
const StatisticsPage = lazyPart(
  async () => (await import('./features/statistics/statistics-page.tsx')).StatisticsPage,
);
const VerifyPage = lazyPart(
  async () => (await import('./features/session/verify/verify-page.tsx')).VerifyPage,
);

const CalendarDialog = lazyPart(
  async () => (await import('./features/notifications/calendar-dialog.tsx')).CalendarDialog,
);
const ClaimInPlace = lazyPart(
  async () => (await import('./features/claiming/in-place/claim-in-place.tsx')).ClaimInPlace,
);
const Confirm = lazyPart(
  async () => (await import('./ui/dialog/confirm-dialog.tsx')).ConfirmDialog,
);
const HelpDialog = lazyPart(
  async () => (await import('./features/board/help-dialog.tsx')).HelpDialog,
);
const ConnectDiscord = lazyPart(async () => {
  const [part] = await Promise.all([
    import('./features/notifications/connect-discord.tsx'),
    loadNoticeSentences(),
  ]);
  return part.ConnectDiscord;
});
const JoinWaitlist = lazyPart(
  async () => (await import('./features/claiming/waitlist/join-waitlist.tsx')).JoinWaitlist,
);
const ChangePassword = lazyPart(async () => {
  const [part] = await Promise.all([
    import('./features/admin/password/change-password.tsx'),
    loadAdminSentences(),
  ]);
  return part.ChangePasswordDialog;
});
const Palette = lazyPart(async () => {
  // Without its sentences, the palette leaves out the dashboard's tabs.
  const sentences = useSession.getState().admin ? loadAdminSentences().catch(() => {}) : null;
  const [{ Palette }] = await Promise.all([import('./features/palette/palette.tsx'), sentences]);
  return Palette;
});
const LeaveDialog = lazyPart(
  async () => (await import('./features/claiming/waitlist/leave-dialog.tsx')).LeaveDialog,
);
const WeeklyClaimDialog = lazyPart(
  async () => (await import('./features/my-claims/weekly-claim-dialog.tsx')).WeeklyClaimDialog,
);
const EndWeeklyClaimDialog = lazyPart(
  async () => (await import('./features/my-claims/weekly-claim-dialog.tsx')).EndWeeklyClaimDialog,
);
const ReleaseDialog = lazyPart(
  async () => (await import('./features/claiming/release-dialog.tsx')).ReleaseDialog,
);

const OwnClaimMenu = lazyPart(
  async () => (await import('./features/claiming/own/own-claim-menu.tsx')).OwnClaimMenu,
);
const TransferDialog = lazyPart(
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
  useLiveBoard();
  return (
    <BrowserRouter>
      <BoardContexts>
        <Pages />
        <BesidePage part="messages">
          <ToastHost />
        </BesidePage>
        <BesidePage part="messages">
          <OffersHost />
        </BesidePage>
        <Boundary instead={() => null}>
          <OwnChangesHost />
        </Boundary>
        <Boundary instead={() => null}>
          <NoticesHost />
        </Boundary>
        <Overlays />
        <OpenPaletteOnKey />
        <Boundary instead={() => null}>
          <TooltipHost />
        </Boundary>
      </BoardContexts>
    </BrowserRouter>
  );
}

/** Every part of the design system, on the development server only. */
const PartsPage = import.meta.env.DEV
  ? lazyPart(async () => (await import('./ui/test/parts-page.tsx')).PartsPage)
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

const withSideBoard = (
  <WithSideBoard>
    <Outlet />
  </WithSideBoard>
);

export function Pages(): ReactNode {
  return (
    <Routes>
      <Route element={<PageFrame navbar={navbar} />}>
        <Route index element={<BoardPage />} />
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
