import type { BoardView, Group, Section } from './board-view.ts';

/** The view, with every part that is still the same taken from the one before: what has not changed is not rendered. */
export function reuse(before: BoardView | null, next: BoardView): BoardView {
  if (!before) return next;
  const groups = reuseList(
    before.groups,
    next.groups.map((group) => reuseGroup(before.groups, group)),
  );
  const sections =
    next.sections &&
    reuseList(
      before.sections,
      next.sections.map((section) => reuseSection(before.sections, section)),
    );
  const ids = reuseList(before.ids, next.ids);
  const same =
    groups === before.groups &&
    sections === before.sections &&
    ids === before.ids &&
    next.spot_count === before.spot_count &&
    next.any_claims === before.any_claims;
  return same ? before : { ...next, groups, sections, ids };
}

function reuseGroup(before: readonly Group[], next: Group): Group {
  const old = before.find((group) => group.id === next.id);
  if (!old) return next;
  const claimed = reuseList(old.claimed, next.claimed);
  const unclaimed = reuseList(old.unclaimed, next.unclaimed);
  return claimed === old.claimed && unclaimed === old.unclaimed ? old : { ...next, claimed, unclaimed };
}

function reuseSection(before: readonly Section[] | null, next: Section): Section {
  const old = before?.find((section) => section.id === next.id);
  if (!old) return next;
  const ids = reuseList(old.ids, next.ids);
  const claimed = reuseList(old.claimed, next.claimed);
  const rest = reuseList(old.rest, next.rest);
  const same =
    ids === old.ids &&
    claimed === old.claimed &&
    rest === old.rest &&
    old.name === next.name &&
    old.count === next.count &&
    old.claimed_count === next.claimed_count;
  return same ? old : { ...next, ids, claimed, rest };
}

function reuseList<T>(before: readonly T[] | null, next: readonly T[]): readonly T[] {
  return before && before.length === next.length && before.every((item, i) => item === next[i]) ? before : next;
}
