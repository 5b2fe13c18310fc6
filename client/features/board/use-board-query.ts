import { useSearchParams } from 'react-router-dom';
import { type BoardQuery, type CategoryId, SHOWS, SORTS } from './board-view.ts';

export interface AskedQuery extends BoardQuery {
  date: string | null;
}
type Change = Partial<AskedQuery>;

/** The filters as the address has them, so that a link shows what its sender sees. */
export function useBoardQuery(): [AskedQuery, (change: Change) => void] {
  const [params, setParams] = useSearchParams();
  const change = (next: Change): void => setParams((before) => withChange(before, next), { replace: true, preventScrollReset: true });
  return [readQuery(params), change];
}

const categoryIn = (text: string | null): CategoryId | null => {
  if (text === 'none') return 'none';
  return text && /^\d+$/.test(text) ? Number(text) : null;
};

export function readQuery(params: URLSearchParams): AskedQuery {
  return {
    search: params.get('search') ?? '',
    show: SHOWS.find((show) => show === params.get('show')) ?? 'all',
    sort: SORTS.find((sort) => sort === params.get('sort')) ?? 'none',
    category: categoryIn(params.get('categoryFilter')),
    date: params.get('date'),
  };
}

const nameInAddress = { search: 'search', show: 'show', sort: 'sort', category: 'categoryFilter', date: 'date' } as const;
/** What is as it is anyway does not stand in the address. */
const usual: AskedQuery = { search: '', show: 'all', sort: 'none', category: null, date: null };

export function withChange(before: URLSearchParams, change: Change): URLSearchParams {
  const params = new URLSearchParams(before);
  const next = { ...readQuery(before), ...change };
  for (const field of ['search', 'show', 'sort', 'category', 'date'] as const) {
    if (next[field] === usual[field]) params.delete(nameInAddress[field]);
    else params.set(nameInAddress[field], String(next[field]));
  }
  return params;
}
