import type { BoardView } from './board-view.ts';

/** The view of those spots alone that have the hours that are looked for. */
export function onlyFitting(view: BoardView, fitting: ReadonlySet<number>): BoardView {
  const only = (ids: readonly number[]): readonly number[] => ids.filter((id) => fitting.has(id));
  const sections = view.sections?.map((section) => ({
    ...section,
    ids: only(section.ids),
    claimed: only(section.claimed),
    rest: only(section.rest),
  }));
  const groups = view.groups
    .map((group) => ({ ...group, claimed: only(group.claimed), unclaimed: only(group.unclaimed) }))
    .filter((group) => group.claimed.length + group.unclaimed.length > 0);
  return { ...view, groups, ids: only(view.ids), sections: sections?.filter((section) => section.ids.length > 0) ?? null };
}
