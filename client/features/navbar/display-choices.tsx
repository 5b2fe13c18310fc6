import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { changeLanguage, LANGUAGES, type Language } from '../../i18n.ts';
import { setTheme, THEMES, useTheme } from '../../lib/theme.ts';
import { MenuChoices, MenuList } from '../../ui/menu-list.tsx';
import { showToast } from '../../ui/toast.tsx';

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

export const LanguageList = (): ReactNode => (
  <MenuList>
    <LanguageChoices />
  </MenuList>
);

export const ThemeList = (): ReactNode => (
  <MenuList>
    <ThemeChoices />
  </MenuList>
);
