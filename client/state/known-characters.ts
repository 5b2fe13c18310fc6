import { nameKey } from '../../shared/rules/names.ts';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
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
  /** Whether a name is no key's; false for admins who see no keys. */
  isWithoutKey: (name: string) => boolean;
  /** The key holder whose name is most like a name; null: none is nearly it. */
  nearestTo: (name: string) => string | null;
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
    isWithoutKey: (name) => {
      const wanted = nameKey(name);
      const isTheirs = ({ character_name }: Known): boolean => nameKey(character_name) === wanted;
      return wanted !== '' && keys.size > 0 && ![...keys.values()].some(isTheirs);
    },
    nearestTo: (name) => {
      const wanted = nameKey(name);
      let nearest: string | null = null;
      let fewest = Math.min(MAX_EDITS, Math.floor(wanted.length / 3)) + 1;
      for (const { character_name, is_revoked } of keys.values()) {
        const known = nameKey(character_name);
        if (is_revoked || Math.abs(known.length - wanted.length) >= fewest) continue;
        const count = editsBetween(wanted, known);
        if (count >= fewest) continue;
        nearest = character_name;
        fewest = count;
      }
      return nearest ?? onlyOne(keys.values(), wanted);
    },
  };
}

/** A name with more wrong letters than these is another name. */
const MAX_EDITS = 3;

/** How many letters to add, remove or replace to turn one text into the other. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [index, against] of [...other].entries()) {
      next.push(
        Math.min(
          (row[index] ?? 0) + (letter === against ? 0 : 1),
          (row[index + 1] ?? 0) + 1,
          (next[index] ?? 0) + 1,
        ),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The name that begins with a text, if no other one does. */
function onlyOne(keys: Iterable<AccessKey>, start: string): string | null {
  const names = [...keys].filter(
    (key) => !key.is_revoked && nameKey(key.character_name).startsWith(start),
  );
  return names.length === 1 ? (names[0]?.character_name ?? null) : null;
}
