import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink } from 'react-router-dom';
import { useSession } from '../../../state/session-store.ts';
import { usePages } from '../../../state/use-pages.ts';
import { classes } from '../../../ui/classes.ts';
import { Logo } from '../../../ui/icons.tsx';
import { ConnectionSign } from './connection-sign.tsx';
import { LanguageMenu, ThemeMenu } from './display-menus.tsx';
import styles from './navbar.module.css';
import { PhoneMenu } from './phone-menu.tsx';
import { ProfileMenu } from './profile-menu.tsx';
import { ServerSaveCounter } from './server-save-counter.tsx';

/** More links than everybody has. */
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
        <ConnectionSign />
        <span className={styles.wideOnly}>
          <LanguageMenu />
          <ThemeMenu />
        </span>
        {checking ? null : (
          <span className={styles.wideOnly}>
            <ProfileMenu />
          </span>
        )}
        <PhoneMenu />
      </div>
    </header>
  );
}
