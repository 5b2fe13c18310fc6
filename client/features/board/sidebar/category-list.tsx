import { type ReactNode, useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import styles from '../board.module.css';
import type { CategoryId } from '../view/board-view.ts';

/** The categories and how many spots each has; spots without one come last. */
export function CategoryList({ chosen, onChoose }: { chosen: CategoryId | null; onChoose: (id: CategoryId | null) => void }): ReactNode {
  const { t } = useTranslation();
  const titleId = useId();
  const categories = useBoard((board) => board.byKind.category);
  const respawns = useBoard((board) => board.byKind.respawn);
  const { entries, total, uncategorised } = useMemo(() => {
    const counts = new Map<number | null, number>();
    const spots = [...respawns.values()].filter((spot) => spot.is_enabled);
    for (const { category_id } of spots) counts.set(category_id, (counts.get(category_id) ?? 0) + 1);
    const known = inNameOrder(categories.values(), ({ name }) => name).map((category) => ({
      ...category,
      count: counts.get(category.id) ?? 0,
    }));
    const categorised = known.reduce((sum, { count }) => sum + count, 0);
    return { entries: known.filter(({ count }) => count > 0), total: spots.length, uncategorised: spots.length - categorised };
  }, [categories, respawns]);
  return (
    <div className={styles.group}>
      <h2 id={titleId} className={styles.label}>
        {t('board.categories')}
      </h2>
      <ul aria-labelledby={titleId} data-stop className={styles.categories}>
        <Entry name={t('board.allSpots')} count={total} chosen={chosen === null} onChoose={() => onChoose(null)} />
        {entries.map(({ id, name, count }) => (
          <Entry key={id} name={name} count={count} chosen={chosen === id} onChoose={() => onChoose(id)} />
        ))}
        {uncategorised > 0 ? (
          <Entry name={t('board.uncategorised')} count={uncategorised} chosen={chosen === 'none'} onChoose={() => onChoose('none')} />
        ) : null}
      </ul>
    </div>
  );
}

function Entry({ name, count, chosen, onChoose }: { name: string; count: number; chosen: boolean; onChoose: () => void }): ReactNode {
  return (
    <li>
      <button type="button" className={styles.category} aria-pressed={chosen} onClick={onChoose}>
        <span>{name}</span> <span>{count}</span>
      </button>
    </li>
  );
}
