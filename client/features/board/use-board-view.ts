import { useEffect, useReducer, useRef } from 'react';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { type BoardState, useBoard } from '../../state/board-store.ts';
import type { Stars } from '../../state/stars.ts';
import {
  type BoardQuery,
  type BoardView,
  boardView,
  isClaimedOn,
  keepCategoryOrder,
  keepPlaces,
  type Now,
  type Own,
  reuseParts,
} from './board-view.ts';

interface BoardViewInput extends BoardQuery, Pick<Own, 'viewer' | 'again'> {
  event: ActiveEvent | null;
  /** The server-save date in view. */
  date: string;
  now: Now;
  stars: Stars;
}

interface PlacedView {
  view: BoardView;
  /** Some spots are not where they belong by now, but where they were when the view was first shown. */
  held: boolean;
}

interface Kept {
  /** The filters and the date: when they change, the categories are sorted again. */
  question: readonly unknown[];
  /** When it changes, the spots are sorted again: the reader's stars, a new snapshot, an idle moment. */
  round: readonly unknown[];
  facts: readonly unknown[];
  placed: PlacedView;
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.every((value, i) => value === b[i]);

/**
 * What the board shows; the same object until that changes. Spots keep their places while the reader is active, and are sorted again when
 * the page is idle or shows something else.
 */
export function useBoardView({
  search,
  show,
  sort,
  category,
  event,
  date,
  now,
  viewer,
  again,
  stars,
}: BoardViewInput): BoardView {
  const last = useRef<Kept | null>(null);
  const [idleMoments, settle] = useReducer((count: number) => count + 1, 0);
  const { view, held } = useBoard(({ byKind, claimsByRespawn, epoch }: BoardState): PlacedView => {
    const question = [search, show, sort, category, date, viewer, event?.id];
    const round = [stars.revision, epoch, idleMoments];
    const facts = [
      byKind.respawn,
      byKind.category,
      claimsByRespawn,
      event,
      stars.ids,
      now.date,
      now.hour,
      again,
    ];
    const before = last.current;
    const isSameQuestion = before !== null && isSame(before.question, question);
    const isSameRound = isSameQuestion && isSame(before.round, round);
    // React calls this several times per render, and so does every unrelated board change.
    if (isSameRound && isSame(before.facts, facts)) return before.placed;
    const { respawn, category: categories } = byKind;
    const sorted = boardView(
      {
        respawns: respawn.values(),
        categories: categories.values(),
        claimsByRespawn,
        event,
        now,
        date,
        own: { viewer, starred: stars.ids, again },
      },
      { search, show, sort, category },
    );
    const found = isSameQuestion ? keepCategoryOrder(before.placed.view, sorted) : sorted;
    const isThere = (id: number): boolean => respawn.get(id)?.is_enabled === 1;
    const isClaimed = (id: number): boolean =>
      isClaimedOn(date, claimsByRespawn.get(id), event, now.date);
    const next = isSameRound ? keepPlaces(before.placed.view, found, isThere, isClaimed) : found;
    const view = reuseParts(before?.placed.view ?? null, next);
    const held = reuseParts(view, found) !== view;
    const placed =
      before?.placed.view === view && before.placed.held === held ? before.placed : { view, held };
    last.current = { question, round, facts, placed };
    return placed;
  });
  useIdleMoment(held, settle);
  return view;
}

/** The page is idle after this long without input. */
export const IDLE_MS = 15_000;

const ACTIVITY = ['pointerdown', 'pointermove', 'touchmove', 'keydown', 'wheel', 'scroll'] as const;

/** While `isWaiting`, calls back once when the page has been idle for a while or is hidden. */
function useIdleMoment(isWaiting: boolean, then: () => void): void {
  useEffect(() => {
    if (!isWaiting) return;
    let touched = Date.now();
    let timer: ReturnType<typeof setTimeout>;
    const look = (): void => {
      const left = touched + IDLE_MS - Date.now();
      if (left <= 0 || document.hidden) then();
      else timer = setTimeout(look, left);
    };
    const touch = (): void => {
      touched = Date.now();
    };
    const hide = (): void => {
      if (document.hidden) then();
    };
    look();
    for (const event of ACTIVITY)
      window.addEventListener(event, touch, { passive: true, capture: true });
    document.addEventListener('visibilitychange', hide);
    return () => {
      clearTimeout(timer);
      for (const event of ACTIVITY) window.removeEventListener(event, touch, { capture: true });
      document.removeEventListener('visibilitychange', hide);
    };
  }, [isWaiting, then]);
}
