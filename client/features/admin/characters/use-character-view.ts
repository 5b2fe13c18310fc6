import { readSort, type Sort, writeSort } from '../../../lib/sort-in-address.ts';
import { useQueryState } from '../../../lib/use-query-state.ts';
import { CHARACTER_STATUSES, type CharacterStatus } from './character-status.ts';

export const SORTABLE = ['name', 'status', 'type', 'created', 'verified'] as const;
const RECENT_FIRST: Sort = { id: 'created', desc: true };
const VERIFIED_FIRST = 'verified-first';

const PARAMETERS = ['search', 'status', 'sort'];

export interface CharacterView {
  search: string;
  status: CharacterStatus | null;
  /** null: the verified first. */
  sort: Sort | null;
  recentFirst: boolean;
  setSearch: (text: string) => void;
  setStatus: (status: CharacterStatus | null) => void;
  setSort: (sort: Sort) => void;
  showRecentFirst: () => void;
  showVerifiedFirst: () => void;
  clear: () => void;
}

/** Which characters are shown, and in which order: `?search=mira&status=banned&sort=verified-first`. */
export function useCharacterView(): CharacterView {
  const [{ search = '', status, sort: asked = '' }, change] = useQueryState(PARAMETERS);
  const sort = asked === VERIFIED_FIRST ? null : readSort(asked, SORTABLE, RECENT_FIRST);
  return {
    search,
    status: CHARACTER_STATUSES.find((one) => one === status) ?? null,
    sort,
    recentFirst: sort?.id === RECENT_FIRST.id && sort.desc,
    setSearch: (text) => change({ search: text }),
    setStatus: (next) => change({ status: next ?? '' }),
    setSort: (next) => change({ sort: writeSort(next, RECENT_FIRST) }),
    showRecentFirst: () => change({ sort: '' }),
    showVerifiedFirst: () => change({ sort: VERIFIED_FIRST }),
    clear: () => change({ search: '', status: '' }),
  };
}
