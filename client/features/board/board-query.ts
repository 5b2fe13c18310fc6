import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useNavigationType } from 'react-router-dom';
import type { FreeAt } from '../../../shared/rules/free-at.ts';
import { HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import { type QueryValues, useQueryState } from '../../lib/use-query-state.ts';
import { lastBoard, saveLastBoard } from '../../state/board-place.ts';
import { type BoardQuery, type CategoryId, SHOWS, SORTS } from './board-view.ts';

export const VIEWS = ['cards', 'timeline'] as const;
export type View = (typeof VIEWS)[number];

export interface AddressQuery extends BoardQuery {
  date: string | null;
  view: View;
  /** Free at SS+16 for 4 h. */
  free: FreeAt | null;
  /** Photo mode. Narrow screens ignore it. */
  photo: boolean;
}
type Change = Partial<AddressQuery>;

const NAMES = [
  'view',
  'search',
  'show',
  'sort',
  'categoryFilter',
  'date',
  'photoMode',
  'free',
  'for',
];

/** Days and filters are steps in the history. Typing is not, except for the first and last character of a search. */
const isStep = (before: QueryValues, after: QueryValues): boolean =>
  NAMES.some((name) =>
    name === 'search'
      ? !before[name] !== !after[name]
      : (before[name] ?? '') !== (after[name] ?? ''),
  );

interface BoardQueryState {
  query: AddressQuery;
  change: (change: Change) => void;
  /** A change that the reader didn't make: no step in the history. */
  changeQuietly: (change: Change) => void;
}

/** The filters live in the address, so that a link shows what its sender sees. */
export function useBoardQuery(): BoardQueryState {
  const [values, change] = useQueryState(NAMES, isStep);
  return {
    query: readQuery(values),
    change: (next) => change(toValues(next)),
    changeQuietly: (next) => change(toValues(next), { isAutomatic: true }),
  };
}

const categoryIn = (text: string | undefined): CategoryId | null => {
  if (text === 'none') return 'none';
  return text && /^\d+$/.test(text) ? Number(text) : null;
};

/** The duration when the address names only a start. */
const USUAL_HOURS = 4;

/** Reads `free=16&for=4`; invalid hours and durations are ignored. */
function freeIn({ free = '', for: length = String(USUAL_HOURS) }: QueryValues): FreeAt | null {
  if (!/^\d\d?$/.test(free) || !/^\d\d?$/.test(length)) return null;
  const hour_start = Number(free);
  const duration = Number(length);
  return hour_start < HOURS_IN_DAY && duration > 0 && duration <= HOURS_IN_DAY
    ? { hour_start, duration }
    : null;
}

export function readQuery(values: QueryValues): AddressQuery {
  return {
    search: values.search ?? '',
    show: SHOWS.find((show) => show === values.show) ?? 'all',
    sort: SORTS.find((sort) => sort === values.sort) ?? 'none',
    category: categoryIn(values.categoryFilter),
    date: values.date || null,
    view: VIEWS.find((view) => view === values.view) ?? 'cards',
    free: freeIn(values),
    photo: values.photoMode === 'true',
  };
}

const nameInAddress = {
  search: 'search',
  show: 'show',
  sort: 'sort',
  category: 'categoryFilter',
  date: 'date',
  view: 'view',
  photo: 'photoMode',
} as const;
/** Default values are left out of the address. */
const usual = {
  search: '',
  show: 'all',
  sort: 'none',
  category: null,
  date: null,
  view: 'cards',
  photo: false,
};

/** Converts a change to query parameters; defaults become empty. */
export function toValues(change: Change): QueryValues {
  const values: Record<string, string> = {};
  for (const field of ['search', 'show', 'sort', 'category', 'date', 'view', 'photo'] as const) {
    const next = change[field];
    if (next !== undefined)
      values[nameInAddress[field]] = next === usual[field] ? '' : String(next);
  }
  if (change.free !== undefined) {
    values.free = change.free ? String(change.free.hour_start) : '';
    values.for = change.free ? String(change.free.duration) : '';
  }
  return values;
}

/** How many of the filters that are collapsed on a phone are set. */
export const filtersSet = ({ show, sort, category }: BoardQuery): number =>
  Number(show !== usual.show) + Number(sort !== usual.sort) + Number(category !== usual.category);

/** No filter leaves out a spot. */
export const showsAll = ({ search, show, category }: BoardQuery): boolean =>
  search === usual.search && show === usual.show && category === usual.category;

/** When the chosen date becomes today, follow today from then on. */
export function useFollowToday(requested: string | null, today: string, follow: () => void): void {
  const before = useRef(today);
  const turn = useEffectEvent(() => {
    if (requested === today) follow();
  });
  useEffect(() => {
    const hasTurned = before.current !== today;
    before.current = today;
    if (hasTurned) turn();
  }, [today]);
}

/** The board renders progressively: give up restoring the scroll position after this long, in milliseconds. */
const GROWS_WITHIN_MS = 5000;
/** Any of these means that the reader scrolls themselves. */
const OWN_WAYS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** Saves filters and scroll position, and restores the scroll position on going back. */
export function useRestoreBoard(query: AddressQuery): void {
  useEffect(() => {
    const values = Object.entries(toValues(query)).filter(([, value]) => value);
    saveLastBoard({ search: new URLSearchParams(values).toString() });
  });
  // Captured on mount: changing a filter later is another navigation.
  const [isBack] = useState(useNavigationType() === 'POP');
  useLayoutEffect(() => {
    const stop = isBack ? scrollBackTo(lastBoard().scroll) : undefined;
    return () => {
      stop?.();
      saveLastBoard({ scroll: window.scrollY });
    };
  }, [isBack]);
}

/**
 * Scrolls once the page is long enough.
 * @returns a function that gives up
 */
function scrollBackTo(top: number): () => void {
  if (top === 0) return () => {};
  const until = Date.now() + GROWS_WITHIN_MS;
  let frame = 0;
  const stop = (): void => {
    cancelAnimationFrame(frame);
    for (const way of OWN_WAYS) document.removeEventListener(way, stop);
  };
  const look = (): void => {
    const isLongEnough = document.documentElement.scrollHeight >= top + window.innerHeight;
    if (isLongEnough) window.scrollTo({ top, behavior: 'instant' });
    if (isLongEnough || Date.now() > until) stop();
    else frame = requestAnimationFrame(look);
  };
  for (const way of OWN_WAYS) document.addEventListener(way, stop, { passive: true });
  // In a frame: the page frame scrolls to the top first.
  frame = requestAnimationFrame(look);
  return stop;
}
