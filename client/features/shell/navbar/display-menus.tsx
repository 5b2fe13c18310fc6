import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../lib/loading/lazy-part.ts';
import { useTheme } from '../../../lib/theme.ts';
import { classes } from '../../../ui/classes.ts';
import { ChevronDownIcon, MoonIcon, ScreenIcon, SunIcon } from '../../../ui/icons.tsx';
import { Menu } from '../../../ui/menu.tsx';
import styles from './navbar.module.css';

const LanguageList = lazyPart(async () => (await import('./display-choices.tsx')).LanguageList);
const ThemeList = lazyPart(async () => (await import('./display-choices.tsx')).ThemeList);

export function LanguageMenu(): ReactNode {
  const { t, i18n } = useTranslation();
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" aria-label={`${t('shell.language')}: ${i18n.language.toUpperCase()}`} className={classes(styles.trigger)}>
          {i18n.language.toUpperCase()}
          <ChevronDownIcon size={14} />
        </button>
      }
    >
      <LanguageList />
    </Menu>
  );
}

const icons = { system: ScreenIcon, light: SunIcon, dark: MoonIcon };

export function ThemeMenu(): ReactNode {
  const { t } = useTranslation();
  const theme = useTheme();
  const ThemeIcon = icons[theme];
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" aria-label={`${t('shell.theme.label')}: ${t(`shell.theme.${theme}`)}`} className={classes(styles.trigger)}>
          <ThemeIcon />
        </button>
      }
    >
      <ThemeList />
    </Menu>
  );
}
