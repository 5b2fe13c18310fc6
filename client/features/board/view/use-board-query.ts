import type { FreeAt } from '../../../../shared/rules/free-at.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { type QueryValues, useQueryState } from '../../../lib/use-query-state.ts';
import { type BoardQuery, type CategoryId, SHOWS, SORTS } from './board-view.ts';

export const VIEWS = ['cards', 'timeline'] as const;
type View = (typeof VIEWS)[number];

export interface AskedQuery extends BoardQuery {
  date: string | null;
  view: View;
  /** Free at SS+16 for 4 h. */
  free: FreeAt | null;
  /** Photo mode is asked for; narrow screens have none. */
  photo: boolean;
}
type Change = Partial<AskedQuery>;

const NAMES = ['view', 'search', 'show', 'sort', 'categoryFilter', 'date', 'photoMode', 'free', 'for'];

/** The filters as the address keeps them, so that a link shows what its sender sees. */
export function useBoardQuery(): [AskedQuery, (change: Change) => void] {
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

export function readQuery(values: QueryValues): AskedQuery {
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
