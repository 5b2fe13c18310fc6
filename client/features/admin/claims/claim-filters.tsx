import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryState } from '../../../lib/use-query-state.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Button } from '../../../ui/button.tsx';
import { SearchInput } from '../../../ui/fields/inputs.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { Panel } from '../../../ui/panel.tsx';
import styles from './claims.module.css';

/** A select's empty value stands for nothing chosen yet; "all" is a choice. */
const ALL = '*';

interface ClaimFiltersProps {
  view: ClaimsView;
  /** The member types that the claims have; some may have been deleted since. */
  used: readonly string[];
  /** What is done with the claims that are left. */
  children: ReactNode;
}

export function ClaimFilters({ view, used, children }: ClaimFiltersProps): ReactNode {
  const { t } = useTranslation();
  const types = useBoard((board) => board.byKind.member_type);
  const { search, memberType } = view;
  const known = [...types.values()].map((type) => type.member_type);
  const names = [...new Set([...known, ...used, ...(memberType ? [memberType] : [])])];
  return (
    <Panel>
      <div className={styles.filters}>
        <SearchInput label={t('admin.claims.search')} value={search} onChange={(event) => view.setSearch(event.target.value)} />
        <Select
          label={t('admin.claims.memberType')}
          value={memberType || ALL}
          options={[{ value: ALL, label: t('admin.claims.allTypes') }, ...names.map((name) => ({ value: name, label: name }))]}
          onChange={(value) => view.setMemberType(value === ALL ? '' : value)}
          wide={false}
        />
        {search || memberType ? <Button onClick={view.clear}>{t('admin.claims.clearFilters')}</Button> : null}
        <span className={styles.filtersEnd}>{children}</span>
      </div>
    </Panel>
  );
}

const PARAMETERS = ['search', 'type', 'day'];

export interface ClaimsView {
  search: string;
  /** Empty: any. */
  memberType: string;
  /** A server-save date, ALL_DAYS or NOW; empty: as the tab opens. */
  day: string;
  setSearch: (text: string) => void;
  setMemberType: (name: string) => void;
  setDay: (day: string) => void;
  clear: () => void;
}

/** Which of the claims are shown: `?search=library&type=elite&day=2026-11-21`. */
export function useClaimsView(): ClaimsView {
  const [{ search = '', type = '', day = '' }, change] = useQueryState(PARAMETERS);
  return {
    search,
    memberType: type,
    day,
    setSearch: (text) => change({ search: text }),
    setMemberType: (name) => change({ type: name }),
    setDay: (next) => change({ day: next }),
    clear: () => change({ search: '', type: '' }),
  };
}
