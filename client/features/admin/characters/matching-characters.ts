import type { VerifiedCode } from '../../../../shared/schemas/character.ts';
import { holds, searchIndex, wordsOf } from '../../../lib/search.ts';
import { type CharacterStatus, statusOf } from './character-status.ts';

export interface CharacterFilter {
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
