import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { changeLanguage, LANGUAGES, type Language } from '../../i18n.ts';
import { setTheme, THEMES, useTheme } from '../../lib/theme.ts';
import { classes } from '../../ui/classes.ts';
import { ChevronDownIcon, MoonIcon, ScreenIcon, SunIcon } from '../../ui/icons.tsx';
import { Menu, MenuChoices } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toast.tsx';
import styles from './navbar.module.css';

export function LanguageChoices(): ReactNode {
  const { t, i18n } = useTranslation();
  const choose = (language: Language): void => {
    changeLanguage(language).catch(() => showToast({ tone: 'bad', text: t('common.languageFailed') }));
  };
  const current = LANGUAGES.find(({ code }) => code === i18n.language)?.code ?? 'en';
  return (
    <MenuChoices
      label={t('shell.language')}
      value={current}
      options={LANGUAGES.map(({ code, name }) => ({ value: code, label: name, lang: code }))}
      onChange={choose}
    />
  );
}

export function ThemeChoices(): ReactNode {
  const { t } = useTranslation();
  return (
    <MenuChoices
      label={t('shell.theme.label')}
      value={useTheme()}
      options={THEMES.map((theme) => ({ value: theme, label: t(`shell.theme.${theme}`) }))}
      onChange={setTheme}
    />
  );
}

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
      <LanguageChoices />
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
      <ThemeChoices />
    </Menu>
  );
}
