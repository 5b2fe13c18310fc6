import type { AccessKey } from '../../../../shared/schemas/access-key.ts';

export interface KeyFilter {
  search: string;
  onlyActive: boolean;
  /** Shown whatever the filter says: the key being edited. */
  keep: number | null;
}

/** The keys that fit, the newest first. Every word of the search is somewhere in the key's texts. */
export function matchingKeys(keys: Iterable<AccessKey>, { search, onlyActive, keep }: KeyFilter): AccessKey[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return [...keys]
    .filter((key) => key.id === keep || ((!onlyActive || !key.is_revoked) && hasWords(key, words)))
    .sort((a, b) => b.id - a.id);
}

function hasWords({ character_name, key_value, member_type, created_by_username }: AccessKey, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = [character_name, key_value, member_type, created_by_username].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}
