import type { VerifiedCode } from '../../../../shared/schemas/character.ts';
import { useNameSearch } from '../../../lib/use-name-search.ts';
import { readSort, type Sort, useQueryState, writeSort } from '../../../lib/use-query-state.ts';
import { holds, searchIndex, wordsOf } from '../../../lib/words/search.ts';
import { useBoard } from '../../../state/board-store.ts';
import { CHARACTER_STATUSES, type CharacterStatus, statusOf } from './character-status.ts';

const SORTABLE = ['name', 'status', 'type', 'created', 'verified'] as const;
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
  const [{ search: kept = '', status, sort: asked = '' }, change] = useQueryState(PARAMETERS);
  const [search, setSearch] = useNameSearch(kept, (text) => change({ search: text }), isName);
  const sort = asked === VERIFIED_FIRST ? null : readSort(asked, SORTABLE, RECENT_FIRST);
  return {
    search,
    status: CHARACTER_STATUSES.find((one) => one === status) ?? null,
    sort,
    recentFirst: sort?.id === RECENT_FIRST.id && sort.desc,
    setSearch,
    setStatus: (next) => change({ status: next ?? '' }),
    setSort: (next) => change({ sort: writeSort(next, RECENT_FIRST) }),
    showRecentFirst: () => change({ sort: '' }),
    showVerifiedFirst: () => change({ sort: VERIFIED_FIRST }),
    clear: () => {
      setSearch('');
      change({ status: '' });
    },
  };
}

interface CharacterFilter {
  search: string;
  status: CharacterStatus | null;
}

/** The records that fit, the newest first. Every word of the search is somewhere in the record's texts. */
export function matchingCharacters(records: Iterable<VerifiedCode>, { search, status }: CharacterFilter): VerifiedCode[] {
  const words = wordsOf(search);
  return [...records]
    .filter((record) => (status === null || statusOf(record) === status) && holds(recordText(record), words))
    .sort((a, b) => b.id - a.id);
}

function isName(search: string): boolean {
  const [words, records] = [wordsOf(search), [...useBoard.getState().byKind.verified_code.values()]];
  const isSecret = (record: VerifiedCode): boolean => words.some((word) => holds(secretText(record), [word]));
  return records.some((record) => holds(nameText(record), words)) && !records.some(isSecret);
}

const nameText = searchIndex(({ character_name, member_type }: VerifiedCode) => [character_name, member_type]);
const secretText = searchIndex(({ code, access_key }: VerifiedCode) => [code, access_key]);

const recordText = searchIndex(({ character_name, code, access_key, member_type }: VerifiedCode) => [
  character_name,
  code,
  access_key,
  member_type,
]);

const RANK: { [status in CharacterStatus]: number } = { verified: 0, pending: 1, revoked: 2, banned: 3 };

/** The verified first, then those who wait; within each in the order they come in. */
export const verifiedFirst = (records: readonly VerifiedCode[]): VerifiedCode[] =>
  [...records].sort((a, b) => RANK[statusOf(a)] - RANK[statusOf(b)]);
