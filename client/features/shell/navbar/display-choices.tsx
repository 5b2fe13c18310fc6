import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LANGUAGES } from '../../../i18n.ts';
import { setTheme, THEMES, useTheme } from '../../../lib/theme.ts';
import { chooseLanguage } from '../../../ui/choose-language.ts';
import { MenuChoices, MenuList } from '../../../ui/menu-list.tsx';

export function LanguageChoices(): ReactNode {
  const { t, i18n } = useTranslation();
  const current = LANGUAGES.find(({ code }) => code === i18n.language)?.code ?? 'en';
  return (
    <MenuChoices
      label={t('shell.language')}
      value={current}
      options={LANGUAGES.map(({ code, name }) => ({ value: code, label: name, lang: code }))}
      onChange={(language) => chooseLanguage(language, t)}
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
