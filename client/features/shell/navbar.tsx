import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { useTheme } from '../../lib/preferences.ts';
import { useInstantText } from '../../lib/time-text.ts';
import { useLoadFailure } from '../../live/refresh.ts';
import { useBoard } from '../../state/board-store.ts';
import { serverNow, useServerSaveTime } from '../../state/clock.ts';
import { openOverlay } from '../../state/overlays.ts';
import { useMaySeeBoard } from '../../state/permissions.ts';
import { usePresence } from '../../state/presence-store.ts';
import { useSession } from '../../state/session-store.ts';
import { usePages } from '../../state/use-pages.ts';
import { Badge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { useLocalTime } from '../../ui/hours/hours-text.tsx';
import { ChevronDownIcon, Logo, MenuIcon, THEME_ICONS, UserIcon } from '../../ui/icons.tsx';
import { Link, NavLink } from '../../ui/link.tsx';
import { MemberTypeBadge } from '../../ui/member-type-badge.tsx';
import { Menu } from '../../ui/menu.tsx';
import { hideTip, useTip } from '../../ui/tooltip.tsx';
import styles from './navbar.module.css';

/** Links for the caller's role, beyond the common ones. */
const FEW_PAGES = 4;

export function Navbar(): ReactNode {
  const { t } = useTranslation();
  const pages = usePages();
  const checking = useSession((session) => session.status === 'checking');
  return (
    <header className={classes(styles.bar, pages.length > FEW_PAGES && styles.many)}>
      <Link to="/" className={styles.brand}>
        <Logo />
        <span>{t('common.appName')}</span>
      </Link>
      <nav aria-label={t('shell.navigation')} className={styles.links}>
        {pages.map((page) => (
          <NavLink key={page.to} to={page.to} end={page.end} className={classes(styles.link)}>
            {page.label}
          </NavLink>
        ))}
      </nav>
      <div className={styles.right}>
        <ServerSaveCounter />
        <ConnectionStatus />
        <span className={styles.settings}>
          <LanguageMenu />
          <ThemeMenu />
        </span>
        {checking ? null : (
          <span className={styles.account}>
            <ProfileMenu />
          </span>
        )}
        <PhoneMenu />
      </div>
    </header>
  );
}

/** The SS hour now and the minutes until the next one; the viewer's own time on hover or focus. A press explains SS and the board's signs. */
export function ServerSaveCounter(): ReactNode {
  const { t } = useTranslation();
  const { date, hour, minutes_left, elapsed } = useServerSaveTime();
  const localTime = useLocalTime();
  const instantText = useInstantText();
  const left = t('time.minutesLeft', { count: minutes_left });
  const tip = useTip(() =>
    t('shell.clockHint', {
      now: instantText(serverNow(), 'clock'),
      next: t('time.hour', { hour: (hour + 1) % 24 }),
      at: localTime(date, hour + 1),
    }),
  );
  const explain = (): void => {
    hideTip();
    openOverlay('help', {});
  };
  return (
    <button
      {...tip}
      type="button"
      aria-haspopup="dialog"
      className={styles.counter}
      onClick={explain}
    >
      <Ring part={1 - elapsed} />
      <strong>{t('time.hour', { hour })}</strong>
      <span>{left}</span>
    </button>
  );
}

const RADIUS = 7;
const LENGTH = 2 * Math.PI * RADIUS;

/** The rest of the current hour. */
function Ring({ part }: { part: number }): ReactNode {
  return (
    <svg
      className={styles.ring}
      width="18"
      height="18"
      viewBox="0 0 18 18"
      fill="none"
      strokeWidth="3"
      aria-hidden="true"
    >
      <circle cx="9" cy="9" r={RADIUS} stroke="var(--line)" />
      <circle
        cx="9"
        cy="9"
        r={RADIUS}
        stroke="var(--accent)"
        strokeDasharray={`${(LENGTH * part).toFixed(2)} ${LENGTH.toFixed(2)}`}
      />
    </svg>
  );
}

/** How fresh the board is, in a word, and how many watch it. Nothing for those who see no board. */
export function ConnectionStatus(): ReactNode {
  const { t } = useTranslation();
  const connection = useBoard((board) => board.connection);
  const count = usePresence((presence) => presence.watching);
  const maySee = useMaySeeBoard();
  const failed = useFailedHint();
  const hint = failed ?? t(`shell.connection.${connection}Hint`);
  const watching = connection === 'live' && count ? t('board.presence.watching', { count }) : null;
  const tip = useTip(
    watching && count ? `${hint} ${t('board.presence.watchingHint', { count })}` : hint,
  );
  if (!maySee) return null;
  return (
    <>
      <button {...tip} type="button" className={classes(styles.connection, styles[connection])}>
        <span className={styles.dot} aria-hidden="true" />
        <span className={styles.word}>{t(`shell.connection.${connection}`)}</span>
        {watching ? (
          <>
            <span className={styles.watching}> {watching}</span>
            <span className={styles.watchingCount} aria-hidden="true">
              {count}
            </span>
          </>
        ) : null}
      </button>
      <span role="status" className="visually-hidden">
        {connection === 'connecting' ? '' : hint}
      </span>
    </>
  );
}

/** Names the data that couldn't be loaded although the server answers. */
function useFailedHint(): string | null {
  const { t } = useTranslation();
  const failure = useLoadFailure();
  if (!failure || failure.isAway) return null;
  const why = failure.reason
    ? t('shell.sessionEnded.reason', { name: failure.sentence, reason: failure.reason })
    : failure.sentence;
  return t('shell.connection.failedHint', { failure: why.replace(/\.$/, '') });
}

const LanguageList = lazyPart(async () => (await import('./navbar-menus.tsx')).LanguageList);
const ThemeList = lazyPart(async () => (await import('./navbar-menus.tsx')).ThemeList);

export function LanguageMenu(): ReactNode {
  const { t, i18n } = useTranslation();
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          aria-label={`${t('shell.language')}: ${i18n.language.toUpperCase()}`}
          className={classes(styles.trigger)}
        >
          {i18n.language.toUpperCase()}
          <ChevronDownIcon size={14} />
        </button>
      }
    >
      <LanguageList />
    </Menu>
  );
}

function ThemeMenu(): ReactNode {
  const { t } = useTranslation();
  const theme = useTheme();
  const ThemeIcon = THEME_ICONS[theme];
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          aria-label={`${t('shell.theme.label')}: ${t(`shell.theme.${theme}`)}`}
          className={classes(styles.trigger)}
        >
          <ThemeIcon />
        </button>
      }
    >
      <ThemeList />
    </Menu>
  );
}

const ProfileList = lazyPart(async () => (await import('./navbar-menus.tsx')).ProfileList);

export function ProfileMenu(): ReactNode {
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className={classes(styles.trigger, styles.profile)}>
          <ProfileLabel />
          <ChevronDownIcon size={14} />
        </button>
      }
    >
      <ProfileList />
    </Menu>
  );
}

/** The character; without one the admin; without either the way in. */
function ProfileLabel(): ReactNode {
  const { t } = useTranslation();
  const { current, admin } = useSession();
  if (current) {
    return (
      <>
        <span className={styles.name}>{current.characterName}</span>
        <MemberTypeBadge memberType={current.memberType} />
        {admin ? <Badge tone="accent">{t('shell.profile.admin')}</Badge> : null}
      </>
    );
  }
  if (admin) {
    return (
      <>
        <span className={styles.name}>{admin.username}</span>
        <Badge tone="accent">{t('shell.profile.admin')}</Badge>
      </>
    );
  }
  return (
    <>
      <UserIcon />
      {t('shell.profile.login')}
    </>
  );
}

const PhoneList = lazyPart(async () => (await import('./navbar-menus.tsx')).PhoneList);

/** Everything the bar has no room for. */
function PhoneMenu(): ReactNode {
  const { t } = useTranslation();
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          aria-label={t('shell.menu')}
          className={classes(styles.trigger, styles.phoneMenu)}
        >
          <MenuIcon size={20} />
        </button>
      }
    >
      <PhoneList />
    </Menu>
  );
}
