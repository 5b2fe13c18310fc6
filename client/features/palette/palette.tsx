import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type NavigateFunction, useNavigate } from 'react-router-dom';
import { useShallow } from 'zustand/react/shallow';
import { nameKey } from '../../../shared/rules/names.ts';
import { addDays, serverSaveTime } from '../../../shared/rules/server-save.ts';
import { LANGUAGES } from '../../i18n.ts';
import { type AdminPlace, placeAddress, sectionsFor, tabsFor } from '../../lib/admin-tabs.ts';
import { boardDates } from '../../lib/board-dates.ts';
import { claimKey } from '../../lib/claims.ts';
import { setTheme, THEMES } from '../../lib/preferences.ts';
import { dayText, formatLocale, useDayText } from '../../lib/time-text.ts';
import { inNameOrder } from '../../lib/words/order.ts';
import { wordsOf } from '../../lib/words/search.ts';
import { useMaySeeBoard } from '../../live/use-live-board.ts';
import { boardAddress, shownSpot } from '../../state/board-place.ts';
import { useActiveEvent, useBoard } from '../../state/board-store.ts';
import { serverNow, useServerSaveClock } from '../../state/clock.ts';
import { claimsOfCharacters, inOrder } from '../../state/own-claims.ts';
import { useSession } from '../../state/session-store.ts';
import { usePages } from '../../state/use-pages.ts';
import { chooseLanguage } from '../../ui/choose-language.ts';
import { classes } from '../../ui/classes.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useCombobox } from '../../ui/fields/combobox.ts';
import { TextInput } from '../../ui/fields/inputs.tsx';
import { Stack } from '../../ui/layout.tsx';
import { requestClaim } from '../claiming/in-place/choose-hours.ts';
import { ownActions, useOwnFacts } from '../claiming/own/own-actions.ts';
import { useOwnCall } from '../claiming/own/own-call.tsx';
import { type Entry, find, indexed } from './entries.ts';
import styles from './palette.module.css';

/** The command palette: finds spots, characters, dates, pages and settings by name, with the app's own search. */
export function Palette({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const board = useBoardEntries();
  const onBoard = useMemo(() => indexed(board), [board]);
  const own = useOwnEntries(search === '');
  const others = useOtherEntries();
  const { groups, shownCount, count } = find(
    [...onBoard, ...indexed([...own, ...others])],
    wordsOf(search),
  );
  // An id has no spaces.
  const options = groups.flatMap(({ entries }) =>
    entries.map((entry) => ({ id: encodeURIComponent(entry.key), entry })),
  );
  const combobox = useCombobox({
    label: t('palette.results'),
    options: options.filter(({ entry }) => !entry.isBlocked),
    isOpen: true,
    takesFirst: true,
    loops: true,
    onOpen: () => {},
    onClose,
    onChoose: ({ entry }) => {
      if (entry.isBlocked) return;
      onClose();
      entry.run();
    },
  });
  return (
    <Dialog open onOpenChange={onClose} title={t('palette.title')} wide>
      <Stack gap={2}>
        <TextInput
          {...combobox.input}
          aria-label={t('palette.label')}
          placeholder={t('palette.label')}
          value={search}
          onChange={({ target }) => {
            setSearch(target.value);
            combobox.onType();
          }}
          className={styles.input}
        />
        <p role="status" className="muted fine tabular">
          {count === 0
            ? t('palette.noResults')
            : shownCount < count
              ? t('palette.resultsShown', { shown: shownCount, count })
              : t('palette.resultCount', { count })}
        </p>
        {/* It is in the dialog, not above the page. */}
        <div {...combobox.list} ref={undefined} popover={undefined} className={styles.list}>
          {groups.map(({ id }) => (
            // biome-ignore lint/a11y/useSemanticElements: a listbox may contain options only in elements with role="group"
            <div key={id} role="group" aria-labelledby={`palette-${id}`}>
              <p id={`palette-${id}`} className={styles.heading}>
                {t(`palette.groups.${id}`)}
              </p>
              {options
                .filter(({ entry }) => entry.group === id)
                .map((option) => {
                  const { key, label, hint, isBlocked } = option.entry;
                  const { className, ...attributes } = combobox.optionOf(option);
                  return (
                    <div
                      key={key}
                      {...attributes}
                      aria-disabled={isBlocked}
                      className={classes(className, styles.item)}
                    >
                      <span>{label}</span>
                      {hint ? <span className={styles.hint}>{hint}</span> : null}
                    </div>
                  );
                })}
            </div>
          ))}
          {count === 0 ? <p className={styles.empty}>{t('palette.empty')}</p> : null}
        </div>
        {groups.some(({ id }) => id === 'spots') ? (
          <p className={styles.claimHint}>{t('palette.claimHint')}</p>
        ) : null}
      </Stack>
    </Dialog>
  );
}

/** Entries from the board: spots to show and to claim, characters and dates. */
function useBoardEntries(): Entry[] {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const respawns = useBoard((board) => board.byKind.respawn);
  const keys = useBoard((board) => board.byKind.access_key);
  const claimsByRespawn = useBoard((board) => board.claimsByRespawn);
  const profiles = useSession((session) => session.profiles);
  const event = useActiveEvent();
  const { date: today } = serverSaveTime(serverNow(), useServerSaveClock());
  const isHere = useBoard((board) => board.status === 'ready');
  const locale = formatLocale(i18n.language);
  return useMemo(() => {
    if (!isHere) return [];
    const spots = inNameOrder(respawns.values(), (spot) => spot.name).filter(
      (spot) => spot.is_enabled,
    );
    const names = new Map<string, string>();
    const mine = profiles.map(({ characterName }) => characterName);
    const claimed = [...claimsByRespawn.values()].flatMap((claims) =>
      claims.map(({ character_name }) => character_name),
    );
    for (const name of [
      ...mine,
      ...[...keys.values()].map(({ character_name }) => character_name),
      ...claimed,
    ]) {
      if (!names.has(nameKey(name))) names.set(nameKey(name), name);
    }
    const inDays = new Map([
      [today, t('time.today')],
      [addDays(today, 1), t('palette.tomorrow')],
    ]);
    return [
      ...spots.map(({ id, name, category_name }): Entry => {
        const run = (): void =>
          void navigate(cards(boardAddress(null, today)), { state: shownSpot(id) });
        return {
          key: `spot ${id}`,
          group: 'spots',
          label: name,
          hint: category_name ?? undefined,
          run,
        };
      }),
      ...inNameOrder(names.values(), (name) => name).map((name): Entry => {
        return {
          key: `character ${nameKey(name)}`,
          group: 'characters',
          label: name,
          hint: t('palette.claimsOf'),
          run: claimsOf(navigate, name),
        };
      }),
      ...spots.map(({ id, name }): Entry => {
        const run = (): void => {
          requestClaim(id);
          void navigate(cards(boardAddress(today, today)));
        };
        return {
          key: `claim ${id}`,
          group: 'claim',
          label: t('palette.claim', { name }),
          also: 'claim',
          unless: `spot ${id}`,
          run,
        };
      }),
      ...boardDates(event, today).map((date): Entry => {
        const run = (): void => void navigate(boardAddress(date, today));
        return {
          key: date,
          group: 'dates',
          label: dayText(date, locale, 'long'),
          hint: inDays.get(date),
          also: date,
          run,
        };
      }),
    ];
  }, [isHere, respawns, keys, claimsByRespawn, profiles, event, today, t, locale, navigate]);
}

/** What can be done with the own claims; before anything is typed, with the next of them. */
function useOwnEntries(isNextOnly: boolean): Entry[] {
  const { t } = useTranslation();
  const dayText = useDayText();
  const profiles = useSession((session) => session.profiles);
  const names = profiles.map(({ characterName }) => nameKey(characterName));
  const claims = useBoard(useShallow((board) => claimsOfCharacters(names, board)));
  const respawns = useBoard((board) => board.byKind.respawn);
  const facts = useOwnFacts();
  const call = useOwnCall();
  const { coming } = inOrder(claims, facts.event, serverSaveTime(facts.now, facts.clock));
  const rows = coming.map((claim) => {
    const { respawn_id, date, hour_start: start, hour_end: end, character_name } = claim;
    const about = [
      respawns.get(respawn_id)?.name ?? '',
      ...(profiles.length > 1 ? [character_name] : []),
      ...(date === null ? [] : [dayText(date)]),
      t('time.range', { start, end }),
    ].join(', ');
    return ownActions(claim, facts).all.map((action): Entry => {
      const { id, label, to, blocked, dialog } = action;
      return {
        key: `${id} ${claimKey(claim)}`,
        group: 'own',
        label: t(label, { to }),
        hint: blocked ? `${about}. ${t(blocked)}` : about,
        isBlocked: blocked !== null,
        run: dialog ?? (() => call.run(action)),
      };
    });
  });
  const some = rows.filter((row) => row.length > 0);
  return (isNextOnly ? some.slice(0, 1) : some).flat();
}

/** The same address, in the cards view. */
function cards(address: string): string {
  const query = new URLSearchParams(address.split('?')[1]);
  query.delete('view');
  query.delete('photoMode');
  const search = query.toString();
  return search ? `/?${search}` : '/';
}

const claimsOf =
  (navigate: NavigateFunction, name: string): (() => void) =>
  () =>
    void navigate(`/?${new URLSearchParams({ search: name })}`);

/** Pages, the dashboard's tabs for admins, and display settings. */
function useOtherEntries(): Entry[] {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const pages = usePages();
  const maySee = useMaySeeBoard();
  const role = useSession((session) => session.admin?.role ?? null);
  const hasProfile = useSession((session) => session.current !== null);
  const page = (to: string, label: string, hint?: string): Entry => {
    return { key: to, group: 'pages', label, hint, run: () => void navigate(to) };
  };
  // The admin sentences may not be loaded.
  const places: AdminPlace[] =
    role && i18n.exists('admin.tabs.events')
      ? [...tabsFor(role), ...sectionsFor(role).map((section) => `settings/${section}` as const)]
      : [];
  return [
    // A member's dashboard is listed by its title, and found by both names.
    ...pages.filter(({ to }) => to !== '/mine').map(({ to, label }) => page(to, label)),
    ...(hasProfile
      ? [
          { ...page('/mine', t('myClaims.title')), also: t('shell.dashboard') },
          page('/notifications', t('shell.profile.notifications')),
        ]
      : []),
    ...(maySee ? [page('/statistics', t('statistics.title'))] : []),
    ...(maySee
      ? [
          page('/?view=watch', t('board.watch.title')),
          page('/?view=timeline', t('board.views.timeline')),
        ]
      : []),
    ...places.map((place) =>
      page(placeAddress(place), t(`admin.tabs.${place}`), t('shell.dashboard')),
    ),
    ...THEMES.map((theme): Entry => {
      const run = (): void => setTheme(theme);
      return {
        key: `theme ${theme}`,
        group: 'settings',
        label: t(`shell.theme.${theme}`),
        hint: t('shell.theme.label'),
        run,
      };
    }),
    ...LANGUAGES.map(({ code, name }): Entry => {
      const run = (): void => chooseLanguage(code, t);
      return {
        key: `language ${code}`,
        group: 'settings',
        label: name,
        hint: t('shell.language'),
        also: 'language',
        run,
      };
    }),
  ];
}
