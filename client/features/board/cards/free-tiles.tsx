import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { localStore } from '../../../lib/storage.ts';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { useShownSpot } from '../../../state/board-place.ts';
import { useBoard } from '../../../state/board-store.ts';
import { MEDIA } from '../../../ui/media.ts';
import type { BoardView, CategoryId, Section } from '../board-view.ts';
import styles from './spot-tile.module.css';

/** A category with more free spots than this shows them as one line, so that the first screen has the hunts. */
const MAX_TILES = 12;
const MAX_TILES_ON_PHONE = 4;

const STORED = 'board:free-spots-shown';
const chosenIds = (): readonly string[] =>
  localStore.getItem(STORED)?.split(',').filter(Boolean) ?? [];

/** The categories whose free spots are unfolded: by the reader's choice, kept in this browser, or because a link led to one. */
const useUnfoldedCategories = create<{ chosen: readonly string[]; linked: readonly string[] }>(
  () => ({ chosen: chosenIds(), linked: [] }),
);

const without = (ids: readonly string[], id: string): readonly string[] =>
  ids.filter((one) => one !== id);

function choose(id: string, isUnfolded: boolean): void {
  // Another tab may have chosen, too.
  const others = without(chosenIds(), id);
  const chosen = isUnfolded ? [...others, id] : others;
  localStore.setItem(STORED, chosen.join(','));
  useUnfoldedCategories.setState(({ linked }) => ({ chosen, linked: without(linked, id) }));
  // The spot that a link led to must not unfold it again.
  useShownSpot.setState({ spot: null });
}

/** Whether a category's free spots are one line (`folded`), or could be. */
export type Fold = 'folded' | 'unfolded' | null;

/** @param mayFold whether the reader looks at the whole day, and asked for no free spots */
export function useFolds(
  view: BoardView,
  { date, mayFold }: { date: string; mayFold: boolean },
): (section: Section) => Fold {
  const max = useMediaQuery(MEDIA.folded) ? MAX_TILES_ON_PHONE : MAX_TILES;
  const { chosen, linked } = useUnfoldedCategories();
  const foldOf = ({ id, tiles }: Section): Fold => {
    if (!mayFold || tiles.length <= max) return null;
    return [...chosen, ...linked].includes(String(id)) ? 'unfolded' : 'folded';
  };
  const wanted = useShownSpot(({ spot }) => (spot?.date === date ? spot.respawn_id : null));
  const hiding = view.sections?.find(
    (section) => wanted !== null && section.tiles.includes(wanted) && foldOf(section) === 'folded',
  )?.id;
  useEffect(() => {
    if (hiding !== undefined)
      useUnfoldedCategories.setState((now) => ({ linked: [...now.linked, String(hiding)] }));
  }, [hiding]);
  return foldOf;
}

interface FreeLineProps {
  category: CategoryId;
  /** The category's free spots, by name. */
  free: readonly number[];
  fold: 'folded' | 'unfolded';
  titleId: string;
}

/** "28 free: Cobra Bastion, Oasis Tomb, …": shows a category's free spots, or folds them again. */
export function FreeLine({ category, free, fold, titleId }: FreeLineProps): ReactNode {
  const { t } = useTranslation();
  const isFolded = fold === 'folded';
  // All of them, although most are cut off: the browser's search finds the line.
  const names = useBoard(({ byKind }) =>
    isFolded ? free.map((id) => byKind.respawn.get(id)?.name).join(', ') : '',
  );
  return (
    <button
      type="button"
      className={styles.line}
      aria-expanded={!isFolded}
      aria-describedby={titleId}
      onClick={() => choose(String(category), isFolded)}
    >
      <b>{t('board.freeSpots.count', { count: free.length })}</b>{' '}
      <span className={styles.names}>{names}</span>{' '}
      <span className={styles.action}>
        {t(isFolded ? 'board.freeSpots.show' : 'board.freeSpots.hide')}
      </span>
    </button>
  );
}
