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
import { Stack } from '../../ui/layout.tsx';
import { PartBoundary } from '../../ui/part-boundary.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { type TabCount, Tabs } from '../../ui/tabs.tsx';
import styles from './admin-page.module.css';
import { countPendingVerifications } from './characters/character-status.ts';
import { EventsTab } from './events/events-tab.tsx';
import { countDisabled } from './notifications/channel-status.ts';
import { GuildSettings } from './settings/guild-settings.tsx';

interface TabDescription {
  Content: ComponentType;
  /** The data that it lists, for the message when it can't be loaded. */
  load?: Load;
}

/** The first tab is part of the page; the code of the others loads when they open. */
const TABS: { readonly [T in Tab]: TabDescription } = {
  events: { Content: EventsTab },
  activity: { Content: lazyPart(async () => (await import('./activity/activity-tab.tsx')).ActivityTab) },
  members: { Content: lazyPart(async () => (await import('./members/members-tab.tsx')).MembersTab), load: 'memberTypes' },
  keys: { Content: lazyPart(async () => (await import('./keys/keys-tab.tsx')).KeysTab), load: 'accessKeys' },
  verified: { Content: lazyPart(async () => (await import('./characters/characters-tab.tsx')).CharactersTab), load: 'verifiedCodes' },
  claims: { Content: lazyPart(async () => (await import('./claims/claims-tab.tsx')).ClaimsTab), load: 'claims' },
  respawns: { Content: lazyPart(async () => (await import('./respawns/respawns-tab.tsx')).RespawnsTab), load: 'adminRespawns' },
  categories: { Content: lazyPart(async () => (await import('./categories/categories-tab.tsx')).CategoriesTab), load: 'categories' },
  notifications: { Content: lazyPart(async () => (await import('./notifications/notifications-tab.tsx')).NotificationsTab) },
  admins: { Content: lazyPart(async () => (await import('./admins/admins-tab.tsx')).AdminsTab) },
  system: { Content: lazyPart(async () => (await import('./system/system-tab.tsx')).SystemTab) },
};

/** The dashboard, for admins only. The open tab is in the address; an unknown one opens the first. */
export function AdminPage(): ReactNode {
  const { t } = useTranslation();
  const checking = useSession((session) => session.status === 'checking');
  const admin = useSession((session) => session.admin);
  // An admin who has just signed in may still have a member's board, without keys.
  const ready = useBoard((board) => board.status === 'ready' && board.room !== 'members');
  const mayGuild = useMay('guild');
  const openTab = useOpenTab();
  const asked = useParams().tab;
  const location = useLocation();
  const signedOut = useSignedOut();
  const tabs = tabsFor(admin?.role ?? 'viewer');
  const tab = tabs.find((one) => one === asked) ?? 'events';
  const failure = useTabFailure(tab);
  // The claims tab reports this failure in its own words.
  const isSaid = useActiveEvent() !== null && tab === 'claims' && ready;
  const counts: { [T in Tab]?: TabCount | undefined } = { verified: usePendingVerifications(), notifications: useDisabledChannels() };
  usePageTitle(t(`admin.tabs.${tab}`));
  if (checking) return <PageSkeleton />;
  if (!admin) return <Navigate to="/admin/login" replace state={signedOut ? null : returnTo(location)} />;
  const { Content } = TABS[tab];
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

/** Whether the admin signed out here: the next one starts at the first tab. An expired session returns to its tab. */
function useSignedOut(): boolean {
  const isIn = useSession((session) => session.admin !== null);
  const hasEnded = useSession(({ ended }) => ended.some(({ who }) => who === null));
  const [wasIn, setWasIn] = useState(false);
  if (isIn && !wasIn) setWasIn(true);
  return wasIn && !isIn && !hasEnded;
}

/** What this tab could not load, in the specification's words. The board is loaded as a whole, so every tab fails with it. */
function useTabFailure(tab: Tab): LoadText | null {
  const loadText = useLoadText();
  const failure = useBoard((board) => board.failure);
  if (!failure) return null;
  // A tab without data of its own reports what failed; the members' board is none of an admin's data.
  const load = TABS[tab].load ?? (failure.load === 'respawns' ? 'adminData' : failure.load);
  return loadText(new LoadError(load, failure.reason));
}

/** How many characters an admin has to verify by hand; none if the game's data verifies them. */
function usePendingVerifications(): TabCount | undefined {
  const { t } = useTranslation();
  const n = useBoard(({ byKind }) =>
    byKind.config.get(CONFIG_ID)?.character_check === 'manual' ? countPendingVerifications(byKind.verified_code.values()) : 0,
  );
  return n > 0 ? { n, words: t('admin.pendingVerifications', { count: n }) } : undefined;
}

/** How many notification channels the server switched off. */
function useDisabledChannels(): TabCount | undefined {
  const { t } = useTranslation();
  const n = useBoard(({ byKind }) => countDisabled(byKind.destination.values()));
  return n > 0 ? { n, words: t('admin.notifications.alert.count', { count: n }), isAlarm: true } : undefined;
}

/** Opens a tab with the filters that it was left with. */
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
    <Stack>
      {[76, 44, 44, 44, 44].map((height, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed row of placeholders
        <Skeleton key={at} height={height} className={styles.placeholder} />
      ))}
    </Stack>
  );
}
