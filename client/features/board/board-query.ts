import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useNavigationType } from 'react-router-dom';
import { eventDate } from '../../../shared/rules/event-period.ts';
import type { FreeAt } from '../../../shared/rules/free-at.ts';
import { HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { boardDates } from '../../lib/board-dates.ts';
import { type QueryValues, useQueryState } from '../../lib/use-query-state.ts';
import { lastBoard, saveLastBoard } from '../../state/board-place.ts';
import { type BoardQuery, type CategoryId, SHOWS, SORTS } from './board-view.ts';

export const VIEWS = ['cards', 'timeline'] as const;
type View = (typeof VIEWS)[number];

export interface AddressQuery extends BoardQuery {
  date: string | null;
  view: View;
  /** Free at SS+16 for 4 h. */
  free: FreeAt | null;
  /** Photo mode is asked for; narrow screens have none. */
  photo: boolean;
}
type Change = Partial<AddressQuery>;

const NAMES = ['view', 'search', 'show', 'sort', 'categoryFilter', 'date', 'photoMode', 'free', 'for'];

/** The filters as the address keeps them, so that a link shows what its sender sees. */
export function useBoardQuery(): [AddressQuery, (change: Change) => void] {
  const [values, change] = useQueryState(NAMES);
  return [readQuery(values), (next) => change(toValues(next))];
}

const categoryIn = (text: string | undefined): CategoryId | null => {
  if (text === 'none') return 'none';
  return text && /^\d+$/.test(text) ? Number(text) : null;
};

/** Where an address says since when, and not for how long. */
const USUAL_HOURS = 4;

/** `free=16&for=4`; what is no hour of a day, and no length, is not asked for. */
function freeIn({ free = '', for: length = String(USUAL_HOURS) }: QueryValues): FreeAt | null {
  if (!/^\d\d?$/.test(free) || !/^\d\d?$/.test(length)) return null;
  const [hour_start, duration] = [Number(free), Number(length)];
  return hour_start < HOURS_IN_DAY && duration > 0 && duration <= HOURS_IN_DAY ? { hour_start, duration } : null;
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
/** What is as it is anyway does not stand in the address. */
const usual = { search: '', show: 'all', sort: 'none', category: null, date: null, view: 'cards', photo: false };

/** A change as the address has it: what is usual is empty. */
export function toValues(change: Change): QueryValues {
  const values: Record<string, string> = {};
  for (const field of ['search', 'show', 'sort', 'category', 'date', 'view', 'photo'] as const) {
    const next = change[field];
    if (next !== undefined) values[nameInAddress[field]] = next === usual[field] ? '' : String(next);
  }
  if (change.free !== undefined) {
    values.free = change.free ? String(change.free.hour_start) : '';
    values.for = change.free ? String(change.free.duration) : '';
  }
  return values;
}

/** How many of the filters that fold away on a phone are set. */
export const filtersSet = ({ show, sort, category }: BoardQuery): number =>
  Number(show !== usual.show) + Number(sort !== usual.sort) + Number(category !== usual.category);

/** The date to show: the one asked for if there is such a choice, else today, or the event's day nearest to it. */
export function shownDate(asked: string | null, event: ActiveEvent | null, today: string): string {
  if (asked && boardDates(event, today).includes(asked)) return asked;
  if (!event) return today;
  const [first, last] = [eventDate(event.start_time), eventDate(event.end_time)];
  if (today < first) return first;
  return today > last ? last : today;
}

/** A date that was chosen and has become today is shown as today: the board goes on with the days instead of staying there. */
export function useFollowToday(asked: string | null, today: string, follow: () => void): void {
  const before = useRef(today);
  const turn = useEffectEvent(() => {
    if (asked === today) follow();
  });
  useEffect(() => {
    const hasTurned = before.current !== today;
    before.current = today;
    if (hasTurned) turn();
  }, [today]);
}

/** A board that is drawn bit by bit may take so long to reach its height, in milliseconds. */
const GROWS_WITHIN_MS = 5000;
/** Whoever scrolls goes elsewhere. */
const OWN_WAYS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** Keeps what the board shows and how far it is scrolled, for whoever comes back: by a link to it, or by going back. */
export function useRestoreBoard(query: AddressQuery): void {
  useEffect(() => {
    const values = Object.entries(toValues(query)).filter(([, value]) => value);
    saveLastBoard({ search: new URLSearchParams(values).toString() });
  });
  // How it was come to: what is filtered later is another navigation.
  const [isBack] = useState(useNavigationType() === 'POP');
  useLayoutEffect(() => {
    const stop = isBack ? scrollBackTo(lastBoard().scroll) : undefined;
    return () => {
      stop?.();
      saveLastBoard({ scroll: window.scrollY });
    };
  }, [isBack]);
}

/** Scrolls as soon as the page is that long. @returns a function that gives it up */
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
  // After the frame of the page, which begins at the top.
  frame = requestAnimationFrame(look);
  return stop;
}
