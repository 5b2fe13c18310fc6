import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate, useParams } from 'react-router-dom';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { type Load, LoadError } from '../../api/load-error.ts';
import { type AdminTab as Tab, tabsFor } from '../../lib/admin-tabs.ts';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { returnTo } from '../../lib/return-to.ts';
import { type LoadText, useLoadText } from '../../lib/words/error-text.ts';
import { refreshBoard } from '../../live/refresh.ts';
import { useActiveEvent, useBoard } from '../../state/board-store.ts';
import { openOverlay } from '../../state/overlays.ts';
import { useMay } from '../../state/permissions.ts';
import { signOutAdmin, useSession } from '../../state/session-store.ts';
import { FailedLoad } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { PartBoundary } from '../../ui/part-boundary.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { type TabCount, Tabs } from '../../ui/tabs.tsx';
import styles from './admin-page.module.css';
import { waitingCharacters } from './characters/character-status.ts';
import { EventsTab } from './events/events-tab.tsx';
import { switchedOffIn } from './notifications/channel-status.ts';
import { GuildSettings } from './settings/guild-settings.tsx';

/** The first is there at once, the others when they are opened. */
const CONTENT: { [T in Tab]: ComponentType } = {
  events: EventsTab,
  activity: lazyPart(async () => (await import('./activity/activity-tab.tsx')).ActivityTab),
  members: lazyPart(async () => (await import('./members/members-tab.tsx')).MembersTab),
  keys: lazyPart(async () => (await import('./keys/keys-tab.tsx')).KeysTab),
  verified: lazyPart(async () => (await import('./characters/characters-tab.tsx')).CharactersTab),
  claims: lazyPart(async () => (await import('./claims/claims-tab.tsx')).ClaimsTab),
  respawns: lazyPart(async () => (await import('./respawns/respawns-tab.tsx')).RespawnsTab),
  categories: lazyPart(async () => (await import('./categories/categories-tab.tsx')).CategoriesTab),
  notifications: lazyPart(async () => (await import('./notifications/notifications-tab.tsx')).NotificationsTab),
  admins: lazyPart(async () => (await import('./admins/admins-tab.tsx')).AdminsTab),
  system: lazyPart(async () => (await import('./system/system-tab.tsx')).SystemTab),
};

/** The dashboard, for admins only. Which tab is open, the address says; an unknown one is the first. */
export function AdminPage(): ReactNode {
  const { t } = useTranslation();
  const checking = useSession((session) => session.status === 'checking');
  const admin = useSession((session) => session.admin);
  // Who has just signed in may still have a member's board, which lists no keys: not that there were none.
  const ready = useBoard((board) => board.status === 'ready' && board.room !== 'members');
  const mayGuild = useMay('guild');
  const openTab = useOpenTab();
  const asked = useParams().tab;
  const location = useLocation();
  const signedOut = useSignedOut();
  const tabs = tabsFor(admin?.role ?? 'viewer');
  const tab = tabs.find((one) => one === asked) ?? 'events';
  const failure = useTabFailure(tab);
  // Of the event's claims their tab says itself that they could not be had newly.
  const isSaid = useActiveEvent() !== null && tab === 'claims' && ready;
  const counts: { [T in Tab]?: TabCount | undefined } = { verified: useWaitingCharacters(), notifications: useSwitchedOff() };
  usePageTitle(t(`admin.tabs.${tab}`));
  if (checking) return <PageSkeleton />;
  if (!admin) return <Navigate to="/admin/login" replace state={signedOut ? null : returnTo(location)} />;
  const Content = CONTENT[tab];
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1 className={styles.title}>{t('admin.title', { admin_username: admin.username })}</h1>
        <div className={styles.tools}>
          {mayGuild ? <GuildSettings /> : null}
          {mayGuild ? (
            <Button onClick={() => openOverlay('guildTables', {})}>
              <DownloadIcon />
              {t('admin.import.open')}
            </Button>
          ) : null}
          <Button onClick={() => openOverlay('changePassword', {})}>{t('admin.password.change')}</Button>
          <Button onClick={() => void signOutAdmin()}>{t('admin.logout')}</Button>
        </div>
      </div>
      <Tabs
        label={t('admin.sections')}
        value={tab}
        tabs={tabs.map((value) => ({ value, label: t(`admin.tabs.${value}`), count: counts[value] }))}
        onChange={(next) => openTab(tab, next)}
      >
        {failure && !isSaid ? <FailedLoad {...failure} onTryAgain={refreshBoard} className={styles.failed} /> : null}
        {ready ? (
          <PartBoundary key={tab} fallback={<TabSkeleton />}>
            <Content />
          </PartBoundary>
        ) : null}
        {ready || failure ? null : <TabSkeleton />}
      </Tabs>
    </div>
  );
}

/** Whether the admin signed out here: the next one to sign in begins anew. An expired session is continued. */
function useSignedOut(): boolean {
  const isIn = useSession((session) => session.admin !== null);
  const hasEnded = useSession(({ ended }) => ended.some(({ who }) => who === null));
  const [wasIn, setWasIn] = useState(false);
  if (isIn && !wasIn) setWasIn(true);
  return wasIn && !isIn && !hasEnded;
}

/** What each of these tabs lists. */
const LOAD_OF: { [T in Tab]?: Load } = {
  members: 'memberTypes',
  keys: 'accessKeys',
  verified: 'verifiedCodes',
  claims: 'claims',
  respawns: 'adminRespawns',
  categories: 'categories',
};

/** What this tab could not load, in the specification's words: the board is read as one, and fails as one. */
function useTabFailure(tab: Tab): LoadText | null {
  const loadText = useLoadText();
  const failure = useBoard((board) => board.failure);
  if (!failure) return null;
  // The other tabs say which of the admin's data is missing. The board, which is read first, is none of them.
  const load = LOAD_OF[tab] ?? (failure.load === 'respawns' ? 'adminData' : failure.load);
  return loadText(new LoadError(load, failure.reason));
}

/** How many characters wait for an admin to verify them; nobody does where the game's data is asked. */
function useWaitingCharacters(): TabCount | undefined {
  const { t } = useTranslation();
  const n = useBoard(({ byKind }) =>
    byKind.config.get(CONFIG_ID)?.character_check === 'manual' ? waitingCharacters(byKind.verified_code.values()) : 0,
  );
  return n > 0 ? { n, words: t('admin.waiting', { count: n }) } : undefined;
}

/** How many destinations of news the server switched off: somebody misses what is told there. */
function useSwitchedOff(): TabCount | undefined {
  const { t } = useTranslation();
  const n = useBoard(({ byKind }) => switchedOffIn(byKind.destination.values()));
  return n > 0 ? { n, words: t('admin.notifications.alarm.count', { count: n }), isAlarm: true } : undefined;
}

/** Opens a tab with the filters it was left with. */
function useOpenTab(): (from: Tab, to: Tab) => void {
  const navigate = useNavigate();
  const { search } = useLocation();
  const left = useRef(new Map<Tab, string>());
  return (from, to) => {
    left.current.set(from, search);
    void navigate(`/admin/dashboard/${to}${left.current.get(to) ?? ''}`);
  };
}

function PageSkeleton(): ReactNode {
  return (
    <div className={styles.page}>
      <Loading>
        <div className={styles.head}>
          <Skeleton width="min(420px, 60%)" height={26} />
        </div>
        <TabPlaceholders />
      </Loading>
    </div>
  );
}

function TabSkeleton(): ReactNode {
  return (
    <Loading>
      <TabPlaceholders />
    </Loading>
  );
}

function TabPlaceholders(): ReactNode {
  return (
    <div className={styles.waiting}>
      {[76, 44, 44, 44, 44].map((height, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed row of placeholders
        <Skeleton key={at} height={height} className={styles.placeholder} />
      ))}
    </div>
  );
}
