import { holds, searchable } from '../../lib/words/search.ts';

/** Result groups in display order. `first` is listed before anything is typed, and has no heading. */
const GROUPS = ['first', 'spots', 'own', 'characters', 'dates', 'pages', 'settings'] as const;
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
  /** Its place among those that are listed before anything is typed. */
  first?: number;
  /** The spot whose emblem it shows. */
  respawn_id?: number;
  /** It can't be chosen; the hint says why. */
  isBlocked?: boolean;
  run: () => void;
}

/** An entry with its searchable text, built once. */
export interface Indexed {
  entry: Entry;
  name: string;
  text: string;
}

export const indexed = (entries: readonly Entry[]): Indexed[] =>
  entries.map((entry) => ({
    entry,
    // A near day has two names: Today, Saturday 21 November.
    name: searchable(entry.label, entry.group === 'dates' ? (entry.hint ?? null) : null),
    text: searchable(entry.label, entry.hint ?? null, entry.also ?? null),
  }));

export const MAX_RESULTS = 50;

export interface Found {
  groups: { id: GroupId; entries: Entry[] }[];
  /** All matches, shown or not. */
  count: number;
}

/** Entries that contain every word, by group, names that begin with the text first. If there are too many, each group gets an equal share first. */
export function find(all: readonly Indexed[], words: readonly string[]): Found {
  if (words.length === 0) return firstOf(all);
  const found = new Map<GroupId, { one: Indexed; rank: number }[]>();
  let count = 0;
  for (const one of all) {
    const { group } = one.entry;
    if (group === 'first' || !holds(one.text, words)) continue;
    count += 1;
    const ranked = { one, rank: rankOf(one, words) };
    const inside = found.get(group);
    if (inside) inside.push(ranked);
    else found.set(group, [ranked]);
  }
  const best = (id: GroupId): number => Math.min(...(found.get(id) ?? []).map(({ rank }) => rank));
  const order = GROUPS.filter((id) => found.has(id)).sort((a, b) => best(a) - best(b));
  let left = MAX_RESULTS;
  const share = Math.floor(MAX_RESULTS / Math.max(1, found.size));
  const sizes = new Map([...found].map(([id, { length }]) => [id, Math.min(length, share)]));
  for (const size of sizes.values()) left -= size;
  const groups = order.map((id) => {
    const inside = found.get(id) ?? [];
    const size = sizes.get(id) ?? 0;
    const more = Math.min(inside.length - size, left);
    left -= more;
    const entries = [...inside].sort((a, b) => a.rank - b.rank).slice(0, size + more);
    return { id, entries: entries.map(({ one }) => one.entry) };
  });
  return { groups, count };
}

function firstOf(all: readonly Indexed[]): Found {
  const entries = all
    .map(({ entry }) => entry)
    .filter(({ first }) => first !== undefined)
    .sort((a, b) => (a.first ?? 0) - (b.first ?? 0));
  return { groups: [{ id: 'first', entries }], count: entries.length };
}

/** 0: the name begins with the text. 1: a word of the name begins with one of its words. */
function rankOf({ name }: Indexed, words: readonly string[]): number {
  if (name.startsWith(words.join(' '))) return 0;
  return words.some((word) => ` ${name}`.includes(` ${word}`)) ? 1 : 2;
}
