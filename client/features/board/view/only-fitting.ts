import type { BoardView } from './board-view.ts';

/** The view of those spots alone that have the hours that are looked for. */
export function onlyFitting(view: BoardView, fitting: ReadonlySet<number>): BoardView {
  const only = (ids: readonly number[]): readonly number[] => ids.filter((id) => fitting.has(id));
  const sections = view.sections?.map((section) => ({
    ...section,
    ids: only(section.ids),
    claimed: only(section.claimed),
    unclaimed: only(section.unclaimed),
  }));
  return { ...view, ids: only(view.ids), sections: sections?.filter((section) => section.ids.length > 0) ?? null };
}
