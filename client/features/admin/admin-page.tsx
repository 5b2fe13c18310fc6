import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, type Params, useLocation, useNavigate, useParams } from 'react-router-dom';
import { type Load, LoadError } from '../../api/load-error.ts';
import {
  ADMIN_PLACES,
  type AdminPlace,
  placeAddress,
  type SettingsSection,
  sectionsFor,
  tabsFor,
} from '../../lib/admin-tabs.ts';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { returnTo } from '../../lib/return-to.ts';
import { type LoadText, useLoadText } from '../../lib/words/error-text.ts';
import { refreshBoard } from '../../live/refresh.ts';
import { useBoard } from '../../state/board-store.ts';
import { signOutAdmin, useSession } from '../../state/session-store.ts';
import { FailedLoad } from '../../ui/alert.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Help } from '../../ui/help.tsx';
import { SettingsIcon } from '../../ui/icons.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Link } from '../../ui/link.tsx';
import { PartBoundary } from '../../ui/part-boundary.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { type PagesBeside, type TabCount, Tabs } from '../../ui/tabs.tsx';
import styles from './admin-page.module.css';
import { EventsTab } from './events/events-tab.tsx';
import settings from './settings/settings.module.css';
import { StatusStrip, usePendingVerifications } from './status-strip.tsx';
import { listIn } from './table/member-link.tsx';

interface PlaceDescription {
  Content: ComponentType;
  /** The data that it lists, for the message when it can't be loaded. */
  load?: Load;
}

/** The first tab is part of the page; the code of the others loads when they open. */
const PLACES: { readonly [P in AdminPlace]: PlaceDescription } = {
  events: { Content: EventsTab },
  activity: {
    Content: lazyPart(async () => (await import('./activity/activity-tab.tsx')).ActivityTab),
  },
  members: {
    Content: lazyPart(async () => (await import('./members/members-tab.tsx')).MembersTab),
    load: 'memberTypes',
  },
  keys: {
    Content: lazyPart(async () => (await import('./people/people-list.tsx')).KeysTab),
    load: 'accessKeys',
  },
  verified: {
    Content: lazyPart(async () => (await import('./people/people-list.tsx')).CharactersTab),
    load: 'verifiedCodes',
  },
  claims: {
    Content: lazyPart(async () => (await import('./claims/claims-tab.tsx')).ClaimsTab),
    load: 'claims',
  },
  respawns: {
    Content: lazyPart(async () => (await import('./respawns/respawns-tab.tsx')).RespawnsTab),
    load: 'adminRespawns',
  },
  categories: {
    Content: lazyPart(async () => (await import('./categories/categories-tab.tsx')).CategoriesTab),
    load: 'categories',
  },
  'settings/guild': {
    Content: lazyPart(async () => (await import('./settings/guild-settings.tsx')).GuildSettings),
  },
  'settings/rules': {
    Content: lazyPart(async () => (await import('./settings/claim-rules.tsx')).ClaimRules),
  },
  'settings/notifications': {
    Content: lazyPart(
      async () => (await import('./notifications/notifications-tab.tsx')).NotificationsTab,
    ),
  },
  'settings/admins': {
    Content: lazyPart(async () => (await import('./admins/admins-tab.tsx')).AdminsTab),
  },
  'settings/import-export': {
    Content: lazyPart(async () => (await import('./imports/guild-tables.tsx')).GuildTables),
  },
  'settings/system': {
    Content: lazyPart(async () => (await import('./system/system-tab.tsx')).SystemTab),
  },
};

const MemberPage = lazyPart(async () => (await import('./member/member-page.tsx')).MemberPage);

interface AdminPageProps {
  /** Items of the status line that need this admin and that only the server knows. */
  needs?: ReactNode;
  /** Puts the first-run checklist above the events. @param placeholder in place of both until the list is known, so that it pushes nothing down */
  withSetup?: ((events: ReactNode, placeholder: ReactNode) => ReactNode) | undefined;
}

/** The dashboard, for admins only. The open tab or section is in the address; an unknown one opens the first tab. */
export function AdminPage({ needs, withSetup }: AdminPageProps): ReactNode {
  const { t } = useTranslation();
  const checking = useSession((session) => session.status === 'checking');
  const admin = useSession((session) => session.admin);
  // An admin who has just signed in may still have a member's board, without keys.
  const ready = useBoard((board) => board.status === 'ready' && board.room !== 'members');
  const openPlace = useOpenPlace();
  const location = useLocation();
  const params = useParams();
  const signedOut = useSignedOut();
  const role = admin?.role ?? 'viewer';
  const tabs = tabsFor(role);
  const sections = sectionsFor(role);
  const place = placeOf(params, sections, location.state);
  const isAllowed = [...tabs, ...sections.map((section) => `settings/${section}` as const)].some(
    (one) => one === place,
  );
  const failure = usePlaceFailure(place);
  const { member } = params;
  // The list of claims then makes calls of its own, and says which failed.
  const isSaid =
    ready &&
    place === 'claims' &&
    member === undefined &&
    !new URLSearchParams(location.search).has('view');
  const waiting = usePendingVerifications();
  const counts: { [P in AdminPlace]?: TabCount } =
    waiting > 0
      ? { verified: { n: waiting, words: t('admin.pendingVerifications', { count: waiting }) } }
      : {};
  const labelOf = (one: AdminPlace): string => t(`admin.tabs.${one}`);
  usePageTitle(member ?? labelOf(place));
  if (checking) return <PageSkeleton />;
  if (!admin)
    return <Navigate to="/admin/login" replace state={signedOut ? null : returnTo(location)} />;
  const pages = sections.map((section) => ({
    value: `settings/${section}` as const,
    label: labelOf(`settings/${section}`),
  }));
  const openTab = tabs.find((tab) => tab === place);
  const { Content } = PLACES[place];
  const tab = (
    <PartBoundary key={member ?? place} fallback={<TabSkeleton />}>
      {member === undefined ? (
        <Content />
      ) : (
        <MemberPage
          key={member}
          name={member}
          list={{
            label: labelOf(place),
            address: listIn(location.state)?.address ?? placeAddress(place),
          }}
        />
      )}
    </PartBoundary>
  );
  const content = isAllowed ? (
    <>
      {failure && !isSaid ? (
        <FailedLoad {...failure} onTryAgain={refreshBoard} className={styles.failed} />
      ) : null}
      {ready ? (place === 'events' && withSetup ? withSetup(tab, <TabSkeleton />) : tab) : null}
      {ready || failure ? null : <TabSkeleton />}
    </>
  ) : (
    <EmptyState
      title={t('admin.notForRole.title', { tab: labelOf(place) })}
      action={<ButtonLink to={placeAddress('events')}>{t('admin.notForRole.open')}</ButtonLink>}
    />
  );
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1 className={styles.title}>{t('admin.title', { admin_username: admin.username })}</h1>
        <Button small variant="quiet" className={styles.logout} onClick={() => void signOutAdmin()}>
          {t('shell.profile.logout')}
        </Button>
        <StatusStrip>{needs}</StatusStrip>
      </div>
      <Tabs<AdminPlace>
        label={t('admin.sections')}
        value={place}
        tabs={tabs.map((value) => ({ value, label: labelOf(value), count: counts[value] }))}
        beside={{
          label: t('admin.settings.open'),
          icon: <SettingsIcon />,
          to: placeAddress('settings/guild'),
          pages,
        }}
        help={
          openTab && member === undefined ? (
            <Help topic={labelOf(openTab)} text={t(`admin.help.${openTab}`)} />
          ) : null
        }
        onChange={(next) => openPlace(member === undefined ? place : null, next)}
      >
        {pages.some(({ value }) => value === place) ? (
          <SettingsPage pages={pages} place={place}>
            {content}
          </SettingsPage>
        ) : (
          content
        )}
      </Tabs>
    </div>
  );
}

/** The rules were there, and bookmarks still lead there. */
const FORMER_RULES = 'settings/waitlist';

/** The place of an address, whether this role is shown it or not; the first tab where it names none. A member's page is one of the list it was opened from. */
function placeOf(
  { tab, section, member }: Readonly<Params<string>>,
  sections: readonly SettingsSection[],
  state: unknown,
): AdminPlace {
  if (member !== undefined)
    return ADMIN_PLACES.find((place) => place === listIn(state)?.tab) ?? 'claims';
  if (section === undefined && tab === 'settings') return `settings/${sections[0] ?? 'guild'}`;
  const address = section === undefined ? tab : `settings/${section}`;
  if (address === FORMER_RULES) return 'settings/rules';
  return ADMIN_PLACES.find((place) => place === address) ?? 'events';
}

interface SettingsPageProps extends Pick<PagesBeside<AdminPlace>, 'pages'> {
  place: AdminPlace;
  children: ReactNode;
}

function SettingsPage({ pages, place, children }: SettingsPageProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={settings.page}>
      <nav aria-label={t('admin.settings.open')} className={settings.nav}>
        {pages.map(({ value, label }) => (
          <Link
            key={value}
            to={placeAddress(value)}
            aria-current={value === place ? 'page' : undefined}
            className={settings.link}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className={settings.section}>{children}</div>
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

/** The loading failure of this place, in the specification's words. The board is loaded as a whole, so every place fails with it. */
function usePlaceFailure(place: AdminPlace): LoadText | null {
  const loadText = useLoadText();
  const failure = useBoard((board) => board.failure);
  if (!failure) return null;
  // A place without data of its own names the failed data; the members' board is none of an admin's data.
  const load = PLACES[place].load ?? (failure.load === 'respawns' ? 'adminData' : failure.load);
  return loadText(new LoadError(load, failure.reason));
}

/** Opens a tab with the filters that it was left with. */
function useOpenPlace(): (from: AdminPlace | null, to: AdminPlace) => void {
  const navigate = useNavigate();
  const { search } = useLocation();
  const left = useRef(new Map<AdminPlace, string>());
  return (from, to) => {
    if (from) left.current.set(from, search);
    void navigate(placeAddress(to) + (left.current.get(to) ?? ''));
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
