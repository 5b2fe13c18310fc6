import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { classes } from '../../ui/classes.ts';
import { MenuIcon } from '../../ui/icons.tsx';
import { Menu, MenuLabel, MenuLink, MenuSeparator } from '../../ui/menu.tsx';
import { LanguageChoices, ThemeChoices } from './display-menus.tsx';
import styles from './navbar.module.css';
import { ProfileEntries } from './profile-entries.tsx';
import { usePages } from './use-pages.ts';

/** Everything the bar has no room for. */
export function PhoneMenu(): ReactNode {
  const { t } = useTranslation();
  const pages = usePages();
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" aria-label={t('shell.menu')} className={classes(styles.trigger, styles.phoneMenu)}>
          <MenuIcon size={20} />
        </button>
      }
    >
      {pages.map((page) => (
        <MenuLink key={page.to} to={page.to}>
          {page.label}
        </MenuLink>
      ))}
      <MenuSeparator />
      <ProfileEntries />
      <MenuSeparator />
      <MenuLabel>{t('shell.language')}</MenuLabel>
      <LanguageChoices />
      <MenuSeparator />
      <MenuLabel>{t('shell.theme.label')}</MenuLabel>
      <ThemeChoices />
    </Menu>
  );
}
