import type { ColumnSort } from '@tanstack/react-table';
import { useQueryState } from '../../../lib/use-query-state.ts';

const SORTABLE = ['character', 'type', 'created', 'created_by', 'status'] as const;
const NEWEST_FIRST: ColumnSort = { id: 'created', desc: true };

const PARAMETERS = ['search', 'active', 'sort'];

export interface KeyView {
  search: string;
  onlyActive: boolean;
  sort: ColumnSort;
  setSearch: (text: string) => void;
  setOnlyActive: (on: boolean) => void;
  setSort: (sort: ColumnSort) => void;
  clear: () => void;
}

/** What of the keys is shown, and in which order: `?search=mira&active=1&sort=-character`. */
export function useKeyView(): KeyView {
  const [{ search = '', active, sort }, change] = useQueryState(PARAMETERS);
  return {
    search,
    onlyActive: active === '1',
    sort: readSort(sort),
    setSearch: (text) => change({ search: text }),
    setOnlyActive: (on) => change({ active: on ? '1' : '' }),
    setSort: (next) => change({ sort: writeSort(next) }),
    clear: () => change({ search: '', active: '' }),
  };
}

function readSort(text = ''): ColumnSort {
  const desc = text.startsWith('-');
  const id = SORTABLE.find((column) => column === (desc ? text.slice(1) : text));
  return id ? { id, desc } : NEWEST_FIRST;
}

function writeSort({ id, desc }: ColumnSort): string {
  const text = desc ? `-${id}` : id;
  return text === `-${NEWEST_FIRST.id}` ? '' : text;
}
