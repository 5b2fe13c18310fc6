import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMaySeeBoard } from '../../../live/use-live-board.ts';
import { openOverlay } from '../../../state/overlays.ts';
import { usePages } from '../../../state/use-pages.ts';
import { MenuItem, MenuLabel, MenuLink, MenuList, MenuSeparator } from '../../../ui/menu-list.tsx';
import { LanguageChoices, ThemeChoices } from './display-choices.tsx';
import { ProfileEntries } from './profile-entries.tsx';

export function PhoneList(): ReactNode {
  const { t } = useTranslation();
  const pages = usePages();
  const maySee = useMaySeeBoard();
  return (
    <MenuList>
      {pages.map((page) => (
        <MenuLink key={page.to} to={page.to}>
          {page.label}
        </MenuLink>
      ))}
      {maySee ? <MenuLink to="/?view=watch">{t('board.watch.title')}</MenuLink> : null}
      <MenuItem onSelect={() => openOverlay('palette', {})}>{t('palette.title')}</MenuItem>
      <MenuSeparator />
      <ProfileEntries />
      <MenuSeparator />
      <MenuLabel>{t('shell.language')}</MenuLabel>
      <LanguageChoices />
      <MenuSeparator />
      <MenuLabel>{t('shell.theme.label')}</MenuLabel>
      <ThemeChoices />
    </MenuList>
  );
}
