import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Category, DEFAULT_CATEGORY_ID } from '../../../../shared/schemas/category.ts';
import { useMay } from '../../../state/permissions.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { useEditFocus } from '../forms/row-edit.ts';
import styles from './categories.module.css';
import { CategoryEditor } from './category-editor.tsx';

export interface CategoryRowProps {
  category: Category;
  /** As it is now; undefined when it went while it was edited. */
  live: Category | undefined;
  /** How many respawns it holds, disabled ones included. */
  spots: number;
  /** What its edit began with; null while it is not edited. */
  opened: Category | null;
  onEdit: (editing: boolean) => void;
  onDelete: () => void;
}

export function CategoryRow({ category: { id, name }, live, spots, opened, onEdit, onDelete }: CategoryRowProps): ReactNode {
  const { t } = useTranslation();
  const mayGuild = useMay('guild');
  const row = useRef<HTMLLIElement>(null);
  useEditFocus(row, opened ? id : null);
  if (opened) {
    return (
      <li ref={row} className={styles.row}>
        <CategoryEditor opened={opened} live={live} onDone={() => onEdit(false)} />
      </li>
    );
  }
  const isDefault = id === DEFAULT_CATEGORY_ID;
  return (
    <li ref={row} className={styles.row}>
      <div className={styles.about}>
        <h2>{name}</h2>
        {isDefault ? <Badge tone="accent">{t('admin.categories.default')}</Badge> : null}
        <span className={styles.spots}>{t('admin.categories.spots', { count: spots })}</span>
        {isDefault && mayGuild ? <span className={styles.why}>{t('errors.category.isDefault')}</span> : null}
      </div>
      {mayGuild ? (
        <div className={styles.actions}>
          <Button small data-edit={id} onClick={() => onEdit(true)} aria-label={t('admin.categories.renameName', { name })}>
            {t('admin.categories.rename')}
          </Button>
          {isDefault ? null : (
            <Button small variant="danger" onClick={onDelete} aria-label={t('admin.categories.deleteName', { name })}>
              {t('common.delete')}
            </Button>
          )}
        </div>
      ) : null}
    </li>
  );
}
