import {
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { ownBuild, reloadOnce, useNewBuild } from '../../lib/loading/new-build.ts';
import { isHalfTyped } from '../../lib/loading/unsaved-input.ts';
import { isLocalBlocked } from '../../lib/storage.ts';
import { formatLocale, localTimeAt, useTimeZone } from '../../lib/time-text.ts';
import { useBoard } from '../../state/board-store.ts';
import { useServerSaveClock } from '../../state/clock.ts';
import { useIsDemo } from '../../state/permissions.ts';
import { type EndedSession, whyNotStored } from '../../state/saved-sessions.ts';
import { clearEnded, useSession } from '../../state/session-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, buttonClass, IconButton } from '../../ui/button.tsx';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { keepFocus } from '../../ui/keep-focus.ts';
import { Stack } from '../../ui/layout.tsx';
import { MemberTypeColors } from '../../ui/member-type-badge.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { PageBoundary } from './fallback-pages.tsx';
import styles from './page.module.css';

export function PageFrame({ navbar }: { navbar: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const main = useFocusOnPageChange(pathname);
  useEffect(keepFocus, []);
  useLeadToAdminLogin();
  return (
    <div className={styles.app}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a part of the page; only the address stays as it is */}
      <a
        href="#main"
        className={buttonClass({ variant: 'primary' }, styles.skip)}
        onClick={(event) => {
          // The address keeps its fragment: an invitation's token is in there.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t('shell.skip')}
      </a>
      {navbar}
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <DemoNotice />
        <NewVersion />
        <SessionEnded />
        <StorageNotice />
        <PageBoundary path={pathname}>
          <Suspense fallback={<PageSkeleton />}>
            <Outlet />
          </Suspense>
        </PageBoundary>
      </main>
      <Footer />
    </div>
  );
}

/** After navigation, scrolls to the top and moves the focus to the new page. Not on the first page. */
function useFocusOnPageChange(pathname: string): React.RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const lastPath = useRef(pathname);
  useEffect(() => {
    // Tabs of one page change the path, too; they keep the focus.
    const pageOf = (path: string): string => path.split('/').slice(0, 3).join('/');
    if (pageOf(lastPath.current) !== pageOf(pathname)) {
      window.scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
    lastPath.current = pathname;
  }, [pathname]);
  return main;
}

/** Leads to the sign-in when the server rejects the admin's token. Pages of admins lead there themselves; an invitation stays. */
function useLeadToAdminLogin(): void {
  const rejected = useSession(({ ended }) => ended.find(({ who }) => who === null));
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const lead = useEffectEvent(() => {
    if (!/^\/(admin|invite)(\/|$)/.test(pathname)) void navigate('/admin/login');
  });
  useEffect(() => {
    if (rejected) lead();
  }, [rejected]);
}

function PageSkeleton(): ReactNode {
  return (
    <Loading className="narrow-page">
      <Stack>
        <Skeleton width="40%" height={26} />
        <Skeleton height={120} />
        <Skeleton height={180} />
      </Stack>
    </Loading>
  );
}

function Footer(): ReactNode {
  const { t } = useTranslation();
  return (
    <footer className={styles.footer}>
      <p>{t('shell.footer.publisher')}</p>
      <p>
        {t('shell.footer.creators')}{' '}
        <a href="/THIRD-PARTY-NOTICES.txt">{t('shell.footer.licenses')}</a>
      </p>
    </footer>
  );
}

/** All tabs notice a deployment at once. Each waits a random time up to this before it reloads. */
const RELOAD_JITTER_MS = 3_000;
/** Check this often whether the user has finished their input. */
const INPUT_CHECK_MS = 5_000;
/** Back off up to this if a proxy keeps serving the old page. */
const MAX_BACKOFF_MS = 5 * 60_000;

/** Announces a new version, and reloads as soon as no input would be lost. */
export function NewVersion(): ReactNode {
  const { t } = useTranslation();
  const id = useNewBuild((build) => build.id);
  useEffect(() => {
    if (!id) return;
    let timer: ReturnType<typeof setTimeout>;
    let isStopped = false;
    let pause = INPUT_CHECK_MS;
    const check = async (): Promise<void> => {
      const canReload = !isHalfTyped();
      if (canReload) await reloadOnce(`build:${id}`, (served) => served !== ownBuild());
      if (isStopped) return;
      timer = setTimeout(check, canReload ? pause : INPUT_CHECK_MS);
      if (canReload) pause = Math.min(pause * 2, MAX_BACKOFF_MS);
    };
    timer = setTimeout(check, Math.random() * RELOAD_JITTER_MS);
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }, [id]);
  if (!id) return null;
  return (
    <Alert
      tone="accent"
      title={t('shell.version.title')}
      className={styles.version}
      action={
        <Button small variant="primary" onClick={() => location.reload()}>
          {t('shell.version.action')}
        </Button>
      }
    >
      {t('shell.version.text')}
    </Alert>
  );
}

/** On every page of the guild of `npm run demo`. */
export function DemoNotice(): ReactNode {
  const { t } = useTranslation();
  if (!useIsDemo()) return null;
  return (
    <Alert title={t('shell.demo.title')} className={styles.notice}>
      {t('shell.demo.text')}
    </Alert>
  );
}

export function SessionEnded(): ReactNode {
  const { t } = useTranslation();
  const ended = useSession((session) => session.ended);
  return (
    <>
      <Ended
        title={t('shell.sessionEnded.token')}
        ended={ended.filter(({ who }) => who === null)}
      />
      <Ended title={t('shell.sessionEnded.key')} ended={ended.filter(({ who }) => who !== null)} />
    </>
  );
}

function Ended({ title, ended }: { title: string; ended: readonly EndedSession[] }): ReactNode {
  const { t } = useTranslation();
  if (ended.length === 0) return null;
  return (
    <Alert
      tone="bad"
      title={title}
      className={styles.notice}
      action={
        <IconButton
          small
          label={t('common.dismiss')}
          icon={<CloseIcon size={14} />}
          onClick={() => clearEnded(ended)}
        />
      }
    >
      {ended.map(({ who, code, text }) => {
        const reason = text ?? t(`errors.${code}`);
        return (
          <p key={who}>
            {who === null ? reason : t('shell.sessionEnded.reason', { name: who, reason })}
          </p>
        );
      })}
    </Alert>
  );
}

/** Tells members and admins that the browser will forget their session, until they dismiss it. */
export function StorageNotice(): ReactNode {
  const { t } = useTranslation();
  // A member's key is in a cookie, an admin's token in local storage.
  const whyForgotten = useSession(({ current }) => (current ? whyNotStored(current) : null));
  const isAdmin = useSession(({ admin }) => admin !== null);
  const [isBlocked] = useState(isLocalBlocked);
  const [isRead, setRead] = useState(false);
  const why = whyForgotten ?? (isAdmin && isBlocked ? 'blocked' : null);
  if (isRead || why === null) return null;
  return (
    <Alert
      tone="accent"
      title={t(`shell.storage.${why}.title`)}
      className={styles.notice}
      action={
        <IconButton
          small
          label={t('common.dismiss')}
          icon={<CloseIcon size={14} />}
          onClick={() => setRead(true)}
        />
      }
    >
      {t(`shell.storage.${why}.text`)}
    </Alert>
  );
}

/** Contexts that ui/ reads instead of the stores: local time and member type colors. */
export function BoardContexts({ children }: { children: ReactNode }): ReactNode {
  const { i18n } = useTranslation();
  const clock = useServerSaveClock();
  const here = useTimeZone();
  const types = useBoard((board) => board.byKind.member_type);
  const locale = formatLocale(i18n.language);
  const colors = useMemo(
    () => new Map([...types.values()].map((type) => [type.member_type, type.background_color])),
    [types],
  );
  // A new function would render every hour on the board.
  const localTime = useCallback(
    (date: string, hour: number, since?: number) =>
      localTimeAt(date, hour, { clock, locale, here }, since),
    [clock, locale, here],
  );
  return (
    <LocalTimeContext value={localTime}>
      <MemberTypeColors value={colors}>{children}</MemberTypeColors>
    </LocalTimeContext>
  );
}
