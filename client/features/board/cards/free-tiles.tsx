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

/** The categories whose free spots the reader chose to see, kept in this browser. */
const useUnfoldedCategories = create<{ ids: readonly string[] }>(() => ({
  ids: localStore.getItem(STORED)?.split(',').filter(Boolean) ?? [],
}));

/** @returns the ids of the categories as they are now */
function showFreeSpots(category: CategoryId, isShown: boolean): readonly string[] {
  const id = String(category);
  const others = useUnfoldedCategories.getState().ids.filter((one) => one !== id);
  const ids = isShown ? [...others, id] : others;
  useUnfoldedCategories.setState({ ids });
  return ids;
}

/** Whether a category's free spots are one line (`folded`), or could be. */
export type Fold = 'folded' | 'unfolded' | null;

/** @param mayFold whether the reader looks at the whole day, and asked for no free spots */
export function useFolds(
  view: BoardView,
  { date, mayFold }: { date: string; mayFold: boolean },
): (section: Section) => Fold {
  const max = useMediaQuery(MEDIA.folded) ? MAX_TILES_ON_PHONE : MAX_TILES;
  const unfolded = useUnfoldedCategories(({ ids }) => ids);
  const foldOf = ({ id, tiles }: Section): Fold => {
    if (!mayFold || tiles.length <= max) return null;
    return unfolded.includes(String(id)) ? 'unfolded' : 'folded';
  };
  const wanted = useShownSpot(({ spot }) => (spot?.date === date ? spot.respawn_id : null));
  const hiding = view.sections?.find(
    (section) => wanted !== null && section.tiles.includes(wanted) && foldOf(section) === 'folded',
  )?.id;
  useEffect(() => {
    if (hiding !== undefined) showFreeSpots(hiding, true);
  }, [hiding]);
  return foldOf;
}

interface FreeLineProps {
  category: CategoryId;
  /** The category's free spots, by name. */
  free: readonly number[];
  fold: 'folded' | 'unfolded';
}

/** "28 free: Cobra Bastion, Oasis Tomb, …": shows a category's free spots, or folds them again. */
export function FreeLine({ category, free, fold }: FreeLineProps): ReactNode {
  const { t } = useTranslation();
  const isFolded = fold === 'folded';
  // All of them, although most are cut off: the browser's search finds the line.
  const names = useBoard(({ byKind }) =>
    isFolded ? free.map((id) => byKind.respawn.get(id)?.name).join(', ') : '',
  );
  const toggle = (): void =>
    localStore.setItem(STORED, showFreeSpots(category, isFolded).join(','));
  return (
    <button type="button" className={styles.line} aria-expanded={!isFolded} onClick={toggle}>
      <b>{t('board.freeSpots.count', { count: free.length })}</b>
      <span className={styles.names} aria-hidden="true">
        {names}
      </span>
      <span className={styles.action}>
        {t(isFolded ? 'board.freeSpots.show' : 'board.freeSpots.hide')}
      </span>
    </button>
  );
}
