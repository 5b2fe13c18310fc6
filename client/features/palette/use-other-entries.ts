import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { LANGUAGES } from '../../i18n.ts';
import { tabsFor } from '../../lib/admin-tabs.ts';
import { setTheme, THEMES } from '../../lib/theme.ts';
import { useMaySeeBoard } from '../../live/use-live-board.ts';
import { useSession } from '../../state/session-store.ts';
import { usePages } from '../../state/use-pages.ts';
import { chooseLanguage } from '../../ui/choose-language.ts';
import type { Entry } from './entries.ts';

/** The pages, for admins the tabs of theirs, and how all of it looks and speaks. */
export function useOtherEntries(): Entry[] {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const pages = usePages();
  const maySee = useMaySeeBoard();
  const role = useSession((session) => session.admin?.role ?? null);
  const hasProfile = useSession((session) => session.current !== null);
  const page = (to: string, label: string, hint?: string): Entry => {
    return { key: to, group: 'pages', label, hint, run: () => void navigate(to) };
  };
  // Their sentences may not have come.
  const tabs = role && i18n.exists('admin.tabs.events') ? tabsFor(role) : [];
  return [
    ...pages.map(({ to, label }) => page(to, label)),
    ...(hasProfile ? [page('/mine', t('mine.title')), page('/notifications', t('shell.profile.notifications'))] : []),
    ...(maySee ? [page('/statistics', t('statistics.title'))] : []),
    ...(maySee ? [page('/?view=watch', t('board.watch.title')), page('/?view=timeline', t('board.views.timeline'))] : []),
    ...tabs.map((tab) => page(`/admin/dashboard/${tab}`, t(`admin.tabs.${tab}`), t('shell.dashboard'))),
    ...THEMES.map((theme): Entry => {
      const run = (): void => setTheme(theme);
      return { key: `theme ${theme}`, group: 'settings', label: t(`shell.theme.${theme}`), hint: t('shell.theme.label'), run };
    }),
    ...LANGUAGES.map(({ code, name }): Entry => {
      const run = (): void => chooseLanguage(code, t);
      return { key: `language ${code}`, group: 'settings', label: name, hint: t('shell.language'), also: 'language', run };
    }),
  ];
}
