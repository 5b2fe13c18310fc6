import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MenuGroup, MenuItem, MenuList } from '../../ui/menu-list.tsx';
import styles from './board-bar.module.css';
import type { BoardView } from './board-view.ts';
import { categoryInView, jumpTo } from './category-jump.ts';

interface CategoryListProps {
  view: BoardView;
  /** The timeline has no groups of own and starred spots. */
  isTimeline: boolean;
}

/** The board's sections in their order, to jump to. */
export function CategoryList({ view, isTimeline }: CategoryListProps): ReactNode {
  const { t } = useTranslation();
  const [current] = useState(categoryInView);
  const groups = isTimeline ? [] : view.groups;
  const entries = [
    ...groups.map(({ id, claimed, unclaimed }) => ({ id, name: t(`board.groups.${id}`), count: claimed.length + unclaimed.length })),
    ...(view.sections ?? []).map(({ id, name, ids, cards, tiles }) => ({
      id: String(id),
      name: name ?? t('board.uncategorised'),
      count: isTimeline ? ids.length : cards.length + tiles.length,
    })),
  ];
  return (
    <MenuList wide>
      <MenuGroup label={t('board.categories')}>
        {entries
          .filter(({ count }) => count > 0)
          .map(({ id, name, count }) => (
            <MenuItem key={id} isCurrent={id === current} onSelect={() => jumpTo(id)}>
              <span className={styles.indexName}>{name}</span>
              <span className={styles.indexCount} aria-hidden="true">
                {count}
              </span>
              <span className="visually-hidden">{t('board.results', { count })}</span>
            </MenuItem>
          ))}
      </MenuGroup>
    </MenuList>
  );
}
