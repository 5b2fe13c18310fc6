import { nameKey } from '../../shared/rules/names.ts';
import { holds, searchIndex, wordsOf } from '../lib/words/search.ts';
import { useBoard } from './board-store.ts';

interface Known {
  character_name: string;
  member_type: string;
}

export interface KnownCharacters {
  /** Names that contain every typed word. */
  like: (typed: string) => string[];
  /** The character's member type; null if unknown. */
  typeOf: (name: string) => string | null;
}

const MAX_SUGGESTIONS = 12;

const nameText = searchIndex(({ character_name }: Known) => [character_name]);

/** Characters with a key or a verification. Only admins' boards have them. */
export function useKnownCharacters(): KnownCharacters {
  const keys = useBoard((board) => board.byKind.access_key);
  const records = useBoard((board) => board.byKind.verified_code);
  const all = function* (): Generator<Known> {
    // Valid keys first: their member type is newer than that of a verification.
    for (const key of keys.values()) if (!key.is_revoked) yield key;
    for (const record of records.values()) if (!record.banned) yield record;
  };
  return {
    like: (typed) => {
      const words = wordsOf(typed);
      const names = new Map<string, string>();
      if (words.length === 0) return [];
      for (const known of all()) {
        const key = nameKey(known.character_name);
        if (names.has(key) || !holds(nameText(known), words)) continue;
        names.set(key, known.character_name);
        if (names.size === MAX_SUGGESTIONS) break;
      }
      return [...names.values()];
    },
    typeOf: (name) => {
      const wanted = nameKey(name);
      if (wanted === '') return null;
      for (const { character_name, member_type } of all())
        if (nameKey(character_name) === wanted) return member_type;
      return null;
    },
  };
}
