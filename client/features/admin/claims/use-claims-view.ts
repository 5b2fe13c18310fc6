import { useQueryState } from '../../../lib/use-query-state.ts';

const PARAMETERS = ['search', 'type'];

export interface ClaimsView {
  search: string;
  /** Empty: any. */
  memberType: string;
  setSearch: (text: string) => void;
  setMemberType: (name: string) => void;
  clear: () => void;
}

/** Which of the claims are shown: `?search=library&type=elite`. */
export function useClaimsView(): ClaimsView {
  const [{ search = '', type = '' }, change] = useQueryState(PARAMETERS);
  return {
    search,
    memberType: type,
    setSearch: (text) => change({ search: text }),
    setMemberType: (name) => change({ type: name }),
    clear: () => change({ search: '', type: '' }),
  };
}
