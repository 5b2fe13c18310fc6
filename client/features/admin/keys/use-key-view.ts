import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import { useNameSearch } from '../../../lib/use-name-search.ts';
import { readSort, type Sort, useQueryState, writeSort } from '../../../lib/use-query-state.ts';
import { holds, searchIndex, wordsOf } from '../../../lib/words/search.ts';
import { useBoard } from '../../../state/board-store.ts';

const NEWEST_FIRST: Sort = { id: 'created', desc: true };

const PARAMETERS = ['search', 'active', 'sort'];

interface KeyView {
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
  const [{ search: kept = '', active, sort = '' }, change] = useQueryState(PARAMETERS);
  const [search, setSearch] = useNameSearch(kept, (text) => change({ search: text }), isName);
  return {
    search,
    onlyActive: active === '1',
    sort: readSort(sort, Object.keys(KEY_COLUMNS), NEWEST_FIRST),
    setSearch,
    setOnlyActive: (on) => change({ active: on ? '1' : '' }),
    setSort: (next) => change({ sort: writeSort(next, NEWEST_FIRST) }),
    clear: () => {
      setSearch('');
      change({ active: '' });
    },
  };
}

/** What the columns of the keys are sorted by. */
export const KEY_COLUMNS = {
  character: (key: AccessKey) => key.character_name,
  type: (key: AccessKey) => key.member_type,
  created: (key: AccessKey) => Date.parse(key.created_at),
  created_by: (key: AccessKey) => key.created_by_username ?? '',
  status: (key: AccessKey) => key.is_revoked,
};

export type SortableKeyColumn = keyof typeof KEY_COLUMNS;

interface KeyFilter {
  search: string;
  onlyActive: boolean;
  /** Shown whatever the filter says: the key being edited. */
  keep: number | null;
}

/** The keys that fit, the newest first. Every word of the search is somewhere in the key's texts. */
export function matchingKeys(keys: Iterable<AccessKey>, { search, onlyActive, keep }: KeyFilter): AccessKey[] {
  const words = wordsOf(search);
  return [...keys]
    .filter((key) => key.id === keep || ((!onlyActive || !key.is_revoked) && holds(keyText(key), words)))
    .sort((a, b) => b.id - a.id);
}

function isName(search: string): boolean {
  const [words, keys] = [wordsOf(search), [...useBoard.getState().byKind.access_key.values()]];
  return keys.some((key) => holds(nameText(key), words)) && !keys.some((key) => words.some((word) => holds(secretText(key), [word])));
}

const nameText = searchIndex(({ character_name, member_type, created_by_username }: AccessKey) => [
  character_name,
  member_type,
  created_by_username,
]);
const secretText = searchIndex(({ key_value }: AccessKey) => [key_value]);

const keyText = searchIndex(({ character_name, key_value, member_type, created_by_username }: AccessKey) => [
  character_name,
  key_value,
  member_type,
  created_by_username,
]);
