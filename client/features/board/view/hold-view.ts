import { type BoardView, GROUPS, type Group, type Section } from './board-view.ts';

/**
 * The next view with every spot where it stood before: a claim by somebody else moves nothing under the reader's finger. What
 * is new comes last in its place; what is no longer on the board goes. A spot that is no longer the viewer's own leaves *Mine* at once. Counts, and what pictures show, are the next view's.
 * @param isThere whether a spot is still on the board, though the filters may no longer let it through
 */
export function hold(before: BoardView, next: BoardView, isThere: (id: number) => boolean): BoardView {
  const left = difference(ownIn(before), ownIn(next));
  const known = difference(new Set(before.ids), left);
  const merged = (old: readonly number[] = [], now: readonly number[] = []): number[] => [
    ...old.filter((id) => isThere(id) && !left.has(id)),
    ...now.filter((id) => !known.has(id)),
  ];
  if (!before.sections || !next.sections) return { ...next, ids: merged(before.ids, next.ids) };

  const groups = GROUPS.flatMap((id): Group[] => {
    const [old, now] = [before, next].map((view) => view.groups.find((group) => group.id === id));
    const claimed = merged(old?.claimed, now?.claimed);
    const unclaimed = merged(old?.unclaimed, now?.unclaimed);
    return claimed.length + unclaimed.length > 0 ? [{ id, claimed, unclaimed }] : [];
  });
  const arrived = next.sections.filter(({ id }) => !before.sections?.some((section) => section.id === id));
  const sections = [...before.sections, ...arrived].flatMap((section): Section[] => {
    const now = next.sections?.find(({ id }) => id === section.id);
    const old = arrived.includes(section) ? undefined : section;
    const rest = merged(old?.rest, now?.rest);
    const ids = merged(old?.ids, now?.ids);
    return ids.length > 0 ? [{ ...(now ?? { ...section, claimed: [] }), rest, ids }] : [];
  });
  const ids = [...groups.flatMap((group) => [...group.claimed, ...group.unclaimed]), ...sections.flatMap((section) => section.rest)];
  return { ...next, groups, sections, ids };
}

function ownIn({ groups }: BoardView): ReadonlySet<number> {
  const mine = groups.find(({ id }) => id === 'mine');
  return new Set([...(mine?.claimed ?? []), ...(mine?.unclaimed ?? [])]);
}

const difference = (one: ReadonlySet<number>, other: ReadonlySet<number>): Set<number> => new Set([...one].filter((id) => !other.has(id)));
