import { readSort, type Sort, writeSort } from '../../../lib/sort-in-address.ts';
import { useQueryState } from '../../../lib/use-query-state.ts';
import { KEY_COLUMNS } from './key-columns.ts';

const NEWEST_FIRST: Sort = { id: 'created', desc: true };

const PARAMETERS = ['search', 'active', 'sort'];

export interface KeyView {
  search: string;
  onlyActive: boolean;
  sort: Sort;
  setSearch: (text: string) => void;
  setOnlyActive: (on: boolean) => void;
  setSort: (sort: Sort) => void;
  clear: () => void;
}

/** What of the keys is shown, and in which order: `?search=mira&active=1&sort=-character`. */
export function useKeyView(): KeyView {
  const [{ search = '', active, sort = '' }, change] = useQueryState(PARAMETERS);
  return {
    search,
    onlyActive: active === '1',
    sort: readSort(sort, Object.keys(KEY_COLUMNS), NEWEST_FIRST),
    setSearch: (text) => change({ search: text }),
    setOnlyActive: (on) => change({ active: on ? '1' : '' }),
    setSort: (next) => change({ sort: writeSort(next, NEWEST_FIRST) }),
    clear: () => change({ search: '', active: '' }),
  };
}
