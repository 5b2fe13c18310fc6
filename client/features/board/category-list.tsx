import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MenuGroup, MenuItem, MenuList } from '../../ui/menu-list.tsx';
import styles from './board-bar.module.css';
import type { BoardView } from './board-view.ts';
import { categoryInView, jumpTo } from './category-jump.ts';

export function CategoryList({ view }: { view: BoardView }): ReactNode {
  const { t } = useTranslation();
  const [current] = useState(categoryInView);
  const entries = (view.sections ?? []).map(({ id, name, ids }) => ({
    id: String(id),
    name: name ?? t('board.uncategorised'),
    count: ids.length,
  }));
  return (
    <MenuList wide>
      <MenuGroup label={t('board.categories')}>
        {entries.map(({ id, name, count }) => (
          <MenuItem key={id} isCurrent={id === current} onSelect={() => jumpTo(id)}>
            <span className={styles.indexName}>{name}</span>
            <span className="faint small tabular" aria-hidden="true">
              {count}
            </span>
            <span className="visually-hidden">{t('board.results', { count })}</span>
          </MenuItem>
        ))}
      </MenuGroup>
    </MenuList>
  );
}
