import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../shared/rules/names.ts';
import { holds, searchable } from '../../../lib/words/search.ts';
import { SearchInput } from '../../../ui/fields/inputs.tsx';
import { Panel } from '../../../ui/panel.tsx';
import {
  type Column,
  type TableOptions,
  type TableState,
  useAdminTable,
} from '../table/admin-table.tsx';
import type { TableView } from '../table/table-view.ts';
import { type Listed, useClaimColumns } from './claim-columns.tsx';
import styles from './claims.module.css';

interface ListedOptions<R> extends Pick<TableOptions<R>, 'records' | 'usualSort'> {
  columns: readonly Column<R>[];
  character: string | undefined;
}

/** Live records of characters on spots: searched by both, or only one character's. */
export function useListedTable<R extends Listed & { id: number }>({
  columns,
  records,
  character,
  ...options
}: ListedOptions<R>): TableState<R> {
  const { spotOf } = useClaimColumns();
  return useAdminTable<R>({
    ...options,
    columns: character === undefined ? columns : columns.filter(({ id }) => id !== 'character'),
    records:
      character === undefined
        ? records
        : records.filter(({ character_name }) => nameKey(character_name) === nameKey(character)),
    search: {
      matches: (record, words) =>
        holds(searchable(`${record.character_name} ${spotOf(record)}`), words),
      mayKeep: () => true,
    },
  });
}

export function ListSearch({ view }: { view: TableView }): ReactNode {
  const { t } = useTranslation();
  return (
    <Panel>
      <div className={styles.filters}>
        <SearchInput
          label={t('admin.claims.search')}
          value={view.search}
          onChange={(event) => view.setSearch(event.target.value)}
        />
      </div>
    </Panel>
  );
}
