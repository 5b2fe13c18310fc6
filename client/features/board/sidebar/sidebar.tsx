import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchInput } from '../../../ui/fields/inputs.tsx';
import styles from '../board.module.css';
import { Filters, type FiltersProps } from './filters.tsx';

/** Search, filters and the viewer's own claims, beside the board where there is room. */
export function Sidebar(props: FiltersProps): ReactNode {
  const { t } = useTranslation();
  const { query, onChange } = props;
  return (
    <aside className={styles.sidebar} aria-label={t('board.filters')}>
      <SearchInput label={t('board.search')} value={query.search} onChange={({ target }) => onChange({ search: target.value })} />
      <Filters {...props} />
    </aside>
  );
}
