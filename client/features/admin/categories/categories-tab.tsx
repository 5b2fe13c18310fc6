import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Category, DEFAULT_CATEGORY_ID } from '../../../../shared/schemas/category.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useOpened } from '../forms/row-edit.ts';
import tab from '../tab.module.css';
import { AddCategory } from './add-category.tsx';
import styles from './categories.module.css';
import { CategoryConfirmation } from './category-confirmation.tsx';
import { CategoryRow } from './category-row.tsx';

/** All categories, live, and how many respawns each holds. */
export function CategoriesTab(): ReactNode {
  const { t } = useTranslation();
  const table = useBoard((board) => board.byKind.category);
  const mayGuild = useMay('guild');
  const respawns = useBoard((board) => board.byKind.respawn);
  const { shown, openedOf, setOpen } = useOpened(table, (category) => category.id);
  const [deleting, setDeleting] = useState<Category | null>(null);
  const list = useRef<HTMLElement>(null);
  const spots = spotsByCategory(respawns.values());
  const spotsOf = ({ id }: Category): number => spots.get(id) ?? 0;
  const uncategorised = spots.get(null) ?? 0;
  return (
    <div className={styles.tab}>
      {mayGuild ? (
        <Panel>
          <AddCategory />
        </Panel>
      ) : null}
      <section ref={list} tabIndex={-1} aria-label={t('admin.categories.list')} className={tab.list}>
        {shown.length === 0 ? (
          <EmptyState title={t('admin.categories.empty.title')} text={mayGuild ? t('admin.categories.empty.text') : null} />
        ) : null}
        {shown.length > 0 ? (
          <ul className={styles.rows}>
            {inNameOrder(shown, ({ name }) => name).map((category) => (
              <CategoryRow
                key={category.id}
                category={category}
                live={table.get(category.id)}
                spots={spotsOf(category)}
                opened={openedOf(category)}
                onEdit={(editing) => setOpen(category, editing)}
                onDelete={() => setDeleting(category)}
              />
            ))}
          </ul>
        ) : null}
        {uncategorised > 0 ? <p className={styles.without}>{t('admin.categories.without', { count: uncategorised })}</p> : null}
      </section>
      {deleting ? (
        <CategoryConfirmation
          category={deleting}
          spots={spotsOf(deleting)}
          defaultName={table.get(DEFAULT_CATEGORY_ID)?.name ?? ''}
          onClose={() => setDeleting(null)}
          focusAfterDelete={list}
        />
      ) : null}
    </div>
  );
}

function spotsByCategory(respawns: Iterable<Respawn>): ReadonlyMap<number | null, number> {
  const counts = new Map<number | null, number>();
  for (const { category_id } of respawns) counts.set(category_id, (counts.get(category_id) ?? 0) + 1);
  return counts;
}
