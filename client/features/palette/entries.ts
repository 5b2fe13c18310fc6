import { holds, searchable } from '../../lib/words/search.ts';

/** Result groups in display order. */
const GROUPS = ['spots', 'own', 'characters', 'claim', 'dates', 'pages', 'settings'] as const;
export type GroupId = (typeof GROUPS)[number];

/** A result: a place to go or an action. */
export interface Entry {
  key: string;
  group: GroupId;
  label: string;
  /** Distinguishes results with the same name; searched as well. */
  hint?: string | undefined;
  /** Additional search words, not shown. */
  also?: string | undefined;
  /** The key of an entry for the same thing: this one is left out where both match. */
  unless?: string;
  /** It can't be chosen; the hint says why. */
  isBlocked?: boolean;
  run: () => void;
}

/** An entry with its searchable text, built once. */
export interface Indexed {
  entry: Entry;
  text: string;
}

export const indexed = (entries: readonly Entry[]): Indexed[] =>
  entries.map((entry) => ({
    entry,
    text: searchable(entry.label, entry.hint ?? null, entry.also ?? null),
  }));

export const MAX_RESULTS = 50;
/** Groups shown for an empty search: the short ones. */
const EMPTY_SEARCH_GROUPS: readonly GroupId[] = ['own', 'dates', 'pages', 'settings'];

export interface Found {
  groups: { id: GroupId; entries: Entry[] }[];
  shownCount: number;
  /** All matches, shown or not. */
  count: number;
}

/** Entries that contain every word, by group and each thing once. If there are too many, each group gets an equal share first. */
export function find(all: readonly Indexed[], words: readonly string[]): Found {
  const matches = all.filter(({ entry, text }) =>
    words.length === 0 ? EMPTY_SEARCH_GROUPS.includes(entry.group) : holds(text, words),
  );
  const keys = new Set(matches.map(({ entry }) => entry.key));
  const found = new Map<GroupId, Indexed[]>();
  for (const one of matches) {
    if (one.entry.unless !== undefined && keys.has(one.entry.unless)) continue;
    const group = found.get(one.entry.group);
    if (group) group.push(one);
    else found.set(one.entry.group, [one]);
  }
  const count = [...found.values()].reduce((sum, { length }) => sum + length, 0);
  let left = MAX_RESULTS;
  const share = Math.floor(MAX_RESULTS / Math.max(1, found.size));
  const sizes = new Map([...found].map(([id, { length }]) => [id, Math.min(length, share)]));
  for (const size of sizes.values()) left -= size;
  const groups = GROUPS.flatMap((id) => {
    const inside = found.get(id);
    if (!inside) return [];
    const size = sizes.get(id) ?? 0;
    const more = Math.min(inside.length - size, left);
    left -= more;
    // Prefix matches first.
    const begins = ({ text }: Indexed): number => (text.startsWith(words[0] ?? '') ? 0 : 1);
    const entries = [...inside].sort((a, b) => begins(a) - begins(b)).slice(0, size + more);
    return [{ id, entries: entries.map(({ entry }) => entry) }];
  });
  return { groups, shownCount: Math.min(count, MAX_RESULTS), count };
}
