import { readSort, type Sort, writeSort } from '../../../lib/sort-in-address.ts';
import { useQueryState } from '../../../lib/use-query-state.ts';
import type { RespawnFilter } from './matching-respawns.ts';

const SORTABLE = ['name', 'enabled', 'category', 'claims', 'last_claim'] as const;
const BY_NAME: Sort = { id: 'name', desc: false };

const PARAMETERS = ['search', 'category', 'enabled', 'sort'];

export interface RespawnView extends Omit<RespawnFilter, 'keep'> {
  sort: Sort;
  change: (change: Partial<Omit<RespawnFilter, 'keep'>>) => void;
  setSort: (sort: Sort) => void;
  clear: () => void;
}

/** What of the respawns is shown, and in which order: `?search=nest&category=3&enabled=0&sort=-claims`. */
export function useRespawnView(): RespawnView {
  const [{ search = '', category = '', enabled = '', sort = '' }, change] = useQueryState(PARAMETERS);
  return {
    search,
    category: category === 'none' ? 'none' : /^\d+$/.test(category) ? Number(category) : null,
    enabled: enabled === '1' ? true : enabled === '0' ? false : null,
    sort: readSort(sort, SORTABLE, BY_NAME),
    change: (next) =>
      change({
        ...(next.search === undefined ? {} : { search: next.search }),
        ...(next.category === undefined ? {} : { category: String(next.category ?? '') }),
        ...(next.enabled === undefined ? {} : { enabled: next.enabled === null ? '' : next.enabled ? '1' : '0' }),
      }),
    setSort: (next) => change({ sort: writeSort(next, BY_NAME) }),
    clear: () => change({ search: '', category: '', enabled: '' }),
  };
}
