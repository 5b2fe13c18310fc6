import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type NavigateFunction, useNavigate } from 'react-router-dom';
import { useShallow } from 'zustand/react/shallow';
import { hoursOver } from '../../../shared/rules/claim-time.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { addDays, serverSaveTime } from '../../../shared/rules/server-save.ts';
import { firstFit } from '../../../shared/rules/stretch.ts';
import { LANGUAGES } from '../../i18n.ts';
import { type AdminPlace, placeAddress, sectionsFor, tabsFor } from '../../lib/admin-tabs.ts';
import { boardDates, shownDate } from '../../lib/board-dates.ts';
import { claimKey } from '../../lib/claims.ts';
import { setTheme, THEMES } from '../../lib/preferences.ts';
import { dayText, formatLocale } from '../../lib/time-text.ts';
import { inNameOrder } from '../../lib/words/order.ts';
import { wordsOf } from '../../lib/words/search.ts';
import { boardAddress, shownSpot } from '../../state/board-place.ts';
import { useActiveEvent, useBoard } from '../../state/board-store.ts';
import { useClaimRefusal } from '../../state/claimable.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from '../../state/clock.ts';
import { useNearDay } from '../../state/near-day.ts';
import {
  claimsOfCharacters,
  inOrder,
  isOnBoardDates,
  type OwnClaimRow,
} from '../../state/own-claims.ts';
import { useClaimsForOthers, useMaySeeBoard } from '../../state/permissions.ts';
import { useSession } from '../../state/session-store.ts';
import { usePages } from '../../state/use-pages.ts';
import { useLongestClaim, usePreset } from '../../state/usual-hours.ts';
import { chooseLanguage } from '../../ui/choose-language.ts';
import { classes } from '../../ui/classes.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Emblem } from '../../ui/emblem.tsx';
import { type OptionProps, useCombobox } from '../../ui/fields/combobox.ts';
import { TextInput } from '../../ui/fields/inputs.tsx';
import { Stack } from '../../ui/layout.tsx';
import { coveredPeriod } from '../claiming/draft/draft.ts';
import { chooseFor, requestClaim } from '../claiming/in-place/choose-hours.ts';
import { ownActions, useOwnFacts } from '../claiming/own/own-actions.ts';
import { useOwnCall } from '../claiming/own/own-call.tsx';
import { FreeHours } from '../claiming/respawn-picker.tsx';
import { type Entry, find, indexed } from './entries.ts';
import styles from './palette.module.css';

/** The command palette: finds spots, characters, dates, pages and settings by name, with the app's own search. */
export function Palette({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const board = useBoardEntries();
  const onBoard = useMemo(() => indexed(board), [board]);
  const own = useOwnEntries();
  const others = useOtherEntries();
  const { groups, count } = find([...onBoard, ...indexed([...own, ...others])], wordsOf(search));
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
    <Dialog open onOpenChange={onClose} title={t('palette.title')} hideTitle wide>
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
        <p role="status" className={count > 0 ? 'visually-hidden' : styles.empty}>
          {count === 0 ? t('palette.noResults') : t('palette.resultCount', { count })}
        </p>
        {/* It is in the dialog, not above the page. */}
        <div {...combobox.list} ref={undefined} popover={undefined} className={styles.list}>
          {groups.map(({ id }) => {
            const isNamed = id !== 'first';
            return (
              // biome-ignore lint/a11y/useSemanticElements: a listbox may contain options only in elements with role="group"
              <div key={id} role="group" aria-labelledby={isNamed ? `palette-${id}` : undefined}>
                {isNamed ? (
                  <p id={`palette-${id}`} className={styles.heading}>
                    {t(`palette.groups.${id}`)}
                  </p>
                ) : null}
                {options
                  .filter(({ entry }) => !isNamed || entry.group === id)
                  .map((option) => (
                    <Item key={option.id} entry={option.entry} {...combobox.optionOf(option)} />
                  ))}
              </div>
            );
          })}
        </div>
      </Stack>
    </Dialog>
  );
}

/** A result; a spot with its emblem and the hours that are free on the date that the board opens on. */
function Item({
  entry: { group, label, hint, respawn_id, isBlocked },
  className,
  ...option
}: OptionProps & { entry: Entry }): ReactNode {
  const spot = useBoard((board) => board.byKind.respawn.get(respawn_id ?? 0));
  const event = useActiveEvent();
  const { date: today, hour } = useServerSaveTime();
  const may_enter_past = useClaimsForOthers();
  const period = coveredPeriod(shownDate(null, event, today), event);
  const over = hoursOver(period.last, { today, hour, may_enter_past });
  return (
    <div {...option} aria-disabled={isBlocked} className={classes(className, styles.item)}>
      {spot ? <Emblem src={spot.image_url} name={spot.name} size={24} /> : null}
      <span className={styles.label}>{label}</span>
      {group === 'spots' && spot ? (
        <FreeHours respawn_id={spot.id} on={{ period, over }} className={styles.hint} />
      ) : hint ? (
        <span className={styles.hint}>{hint}</span>
      ) : null}
    </div>
  );
}

/** Entries from the board: spots to claim, characters and dates. */
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
  const isClosed = useClaimRefusal(null) !== null;
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
      [addDays(today, 1), t('time.tomorrow')],
    ]);
    const dates = boardDates(event, today);
    return [
      ...spots.map(({ id, name, category_name }): Entry => {
        const run = (): void => {
          const date = shownDate(null, event, today);
          const { range, isRefused } = chooseFor({ respawn_id: id, date }, firstFit);
          const mayClaim = !isClosed && (range !== null || isRefused);
          if (mayClaim) requestClaim(id);
          void navigate(
            cards(boardAddress(mayClaim ? today : null, today)),
            mayClaim ? {} : { state: shownSpot(id) },
          );
        };
        return {
          key: `spot ${id}`,
          group: 'spots',
          label: name,
          hint: category_name ?? undefined,
          also: `claim ${t('board.quickClaim.claimNothing')}`,
          respawn_id: id,
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
      // Past days last.
      ...[...dates.filter((date) => date >= today), ...dates.filter((date) => date < today)].map(
        (date): Entry => {
          const run = (): void => void navigate(boardAddress(date, today));
          const near = inDays.get(date);
          const day = dayText(date, locale, 'long');
          return {
            key: date,
            group: 'dates',
            label: near ?? day,
            hint: near && day,
            also: date,
            ...(near && { first: date === today ? 2 : 3 }),
            run,
          };
        },
      ),
    ];
  }, [
    isHere,
    respawns,
    keys,
    claimsByRespawn,
    profiles,
    event,
    today,
    isClosed,
    t,
    locale,
    navigate,
  ]);
}

/** The next hunt, tonight's hours, and what can be done with the own claims. */
function useOwnEntries(): Entry[] {
  const { t } = useTranslation();
  const nearDay = useNearDay();
  const navigate = useNavigate();
  const profiles = useSession((session) => session.profiles);
  const names = profiles.map(({ characterName }) => nameKey(characterName));
  const claims = useBoard(useShallow((board) => claimsOfCharacters(names, board)));
  const respawns = useBoard((board) => board.byKind.respawn);
  const facts = useOwnFacts();
  const call = useOwnCall();
  const { date: today, hour } = serverSaveTime(facts.now, facts.clock);
  const { coming } = inOrder(claims, facts.event, { date: today, hour });
  const about = ({ date, hour_start: start, hour_end: end, character_name }: OwnClaimRow): string =>
    [
      ...(profiles.length > 1 ? [character_name] : []),
      ...(date === null ? [] : [nearDay(date)]),
      t('time.range', { start, end }),
    ].join(', ');
  const spotOf = ({ respawn_id }: OwnClaimRow): string => respawns.get(respawn_id)?.name ?? '';
  const next = coming.find((claim) => !claim.is_secondary_claim && !claim.is_held);
  const hunt = next && {
    key: 'hunt',
    group: 'first' as const,
    first: 0,
    label: spotOf(next),
    hint: about(next),
    respawn_id: next.respawn_id,
    run: () =>
      void (isOnBoardDates(next, facts.event)
        ? navigate(cards(boardAddress(next.date, today)), { state: shownSpot(next.respawn_id) })
        : navigate('/mine')),
  };
  const tonight = useTonight();
  const actions = coming.flatMap((claim) =>
    ownActions(claim, facts).all.map((action): Entry => {
      const { id, label, to, blocked, dialog } = action;
      const hint = `${spotOf(claim)}, ${about(claim)}`;
      return {
        key: `${id} ${claimKey(claim)}`,
        group: 'own',
        label: t(label, { to }),
        hint: blocked ? `${hint}. ${t(blocked)}` : hint,
        isBlocked: blocked !== null,
        run: dialog ?? (() => call.run(action)),
      };
    }),
  );
  return [...(hunt ? [hunt] : []), ...(tonight ? [tonight] : []), ...actions];
}

/** The board of today with the hours that its button for them names. */
function useTonight(): Entry | null {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const viewer = useSession(({ current }) => current && nameKey(current.characterName));
  const event = useActiveEvent();
  const isHere = useBoard((board) => board.status === 'ready');
  const { date: today, hour } = useServerSaveTime();
  const preset = usePreset(today, { viewer, over: hour, longest: useLongestClaim() });
  const isClosed = useClaimRefusal(today) !== null;
  if (!isHere || !preset || isClosed || !boardDates(event, today).includes(today)) return null;
  const { kind, hour_start: start, duration } = preset;
  return {
    key: 'tonight',
    group: 'dates',
    first: 1,
    label: t(kind === 'now' ? 'board.freeAt.fromNow' : 'board.freeAt.tonight'),
    hint: t('time.range', { start, end: start + duration }),
    run: () => void navigate(`/?free=${start}&for=${duration}`),
  };
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
    ...pages
      .filter(({ to }) => to !== '/mine')
      .map(({ to, label }) => ({ ...page(to, label), ...(hasProfile ? {} : { first: 4 }) })),
    ...(hasProfile
      ? [
          { ...page('/mine', t('myClaims.title')), also: t('shell.dashboard'), first: 4 },
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
