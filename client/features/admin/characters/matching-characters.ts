import type { VerifiedCode } from '../../../../shared/schemas/character.ts';
import { type CharacterStatus, statusOf } from './character-status.ts';

export interface CharacterFilter {
  search: string;
  status: CharacterStatus | null;
}

/** The records that fit, the newest first. Every word of the search is somewhere in the record's texts. */
export function matchingCharacters(records: Iterable<VerifiedCode>, { search, status }: CharacterFilter): VerifiedCode[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return [...records]
    .filter((record) => (status === null || statusOf(record) === status) && hasWords(record, words))
    .sort((a, b) => b.id - a.id);
}

function hasWords({ character_name, code, access_key, member_type }: VerifiedCode, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = [character_name, code, access_key, member_type].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

const RANK: { [status in CharacterStatus]: number } = { verified: 0, pending: 1, revoked: 2, banned: 3 };

/** The verified first, then those who wait; within each in the order they come in. */
export const verifiedFirst = (records: readonly VerifiedCode[]): VerifiedCode[] =>
  [...records].sort((a, b) => RANK[statusOf(a)] - RANK[statusOf(b)]);
