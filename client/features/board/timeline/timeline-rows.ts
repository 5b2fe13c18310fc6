import type { BoardView } from '../view/board-view.ts';

/** A line of the timeline: the heading of a category, or a spot. */
export type TimelineRow =
  | { kind: 'heading'; key: string; name: string | null; claimed_count: number; count: number }
  | { kind: 'spot'; key: string; id: number };

const spotRow = (id: number): TimelineRow => ({ kind: 'spot', key: String(id), id });

/**
 * The board from top to bottom. Within a category the spots stand by name, claimed or not: a claim must not move
 * its row away from under the pointer.
 */
export function timelineRows({ sections, ids }: Pick<BoardView, 'sections' | 'ids'>): TimelineRow[] {
  if (!sections) return ids.map(spotRow);
  return sections.flatMap((section): TimelineRow[] => {
    const { id, name, claimed_count, count } = section;
    return [{ kind: 'heading', key: `category ${id}`, name, claimed_count, count }, ...section.ids.map(spotRow)];
  });
}
