import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { Button } from '../../../ui/button.tsx';
import { SearchInput } from '../../../ui/fields/inputs.tsx';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { FilterIcon } from '../../../ui/icons.tsx';
import styles from '../board.module.css';
import { type BoardQuery, type Now, SHOWS, SHOWS_IN_SINGLE_EVENT, SORTS } from '../view/board-view.ts';
import { CategoryList } from './category-list.tsx';
import { MyClaims } from './my-claims.tsx';

export interface SidebarProps {
  query: BoardQuery;
  onChange: (change: Partial<BoardQuery>) => void;
  event: ActiveEvent | null;
  now: Now;
}

/** As in the style sheet. */
const FOLDS_BELOW = '(max-width: 899.98px)';

/** Search, filters and the viewer's own claims. On a phone all but search and Show fold away. */
export function Sidebar({ query, onChange, event, now }: SidebarProps): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const isPhone = useMediaQuery(FOLDS_BELOW);
  const moreId = useId();
  const shows = event?.type === 'single_claim' ? SHOWS_IN_SINGLE_EVENT : SHOWS;
  return (
    <aside className={styles.sidebar} aria-label={t('board.filters')}>
      <SearchInput label={t('board.search')} value={query.search} onChange={({ target }) => onChange({ search: target.value })} />
      <div className={styles.group}>
        <p className={`${styles.label} ${styles.showLabel}`} aria-hidden="true">
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
      <Button small className={styles.moreToggle} aria-expanded={open} aria-controls={moreId} onClick={() => setOpen(!open)}>
        <FilterIcon /> {t('board.filters')}
      </Button>
      <div id={moreId} className={styles.more} data-open={open}>
        {open || !isPhone ? (
          <>
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
        ) : null}
      </div>
    </aside>
  );
}
