import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import styles from '../board.module.css';
import { type BoardQuery, type Now, SHOWS, SHOWS_IN_SINGLE_EVENT, SORTS } from '../view/board-view.ts';
import { CategoryList } from './category-list.tsx';
import { MyClaims } from './my-claims.tsx';

export interface FiltersProps {
  query: BoardQuery;
  onChange: (change: Partial<BoardQuery>) => void;
  event: ActiveEvent | null;
  now: Now;
}

/** What is shown and in which order, and the viewer's own claims: in the sidebar, or below a phone's bar. */
export function Filters({ query, onChange, event, now }: FiltersProps): ReactNode {
  const { t } = useTranslation();
  const shows = event?.type === 'single_claim' ? SHOWS_IN_SINGLE_EVENT : SHOWS;
  return (
    <>
      <div className={styles.group}>
        <p className={styles.label} aria-hidden="true">
          {t('board.show')}
        </p>
        <Segmented
          wide
          tight
          label={t('board.show')}
          value={query.show}
          options={shows.map((show) => ({ value: show, label: t(`board.showOptions.${show}`) }))}
          onChange={(show) => onChange({ show })}
        />
      </div>
      <div className={styles.group}>
        <p className={styles.label} aria-hidden="true">
          {t('board.sort')}
        </p>
        <Select
          label={t('board.sort')}
          value={query.sort}
          options={SORTS.map((sort) => ({ value: sort, label: t(`board.sortOptions.${sort}`) }))}
          onChange={(sort) => onChange({ sort })}
        />
      </div>
      <CategoryList chosen={query.category} onChoose={(category) => onChange({ category })} />
      <MyClaims event={event} now={now} />
    </>
  );
}
