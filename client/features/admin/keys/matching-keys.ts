import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import { holds, searchIndex, wordsOf } from '../../../lib/search.ts';

export interface KeyFilter {
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

const keyText = searchIndex(({ character_name, key_value, member_type, created_by_username }: AccessKey) => [
  character_name,
  key_value,
  member_type,
  created_by_username,
]);
