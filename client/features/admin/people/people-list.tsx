import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useReadMemberTypes } from '../../../live/read-member-types.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { Button } from '../../../ui/button.tsx';
import { Cluster } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { rowEditNotes } from '../forms/row-edit.tsx';
import tab from '../tab.module.css';
import { AdminTable, useAdminTable, useTableWords } from '../table/admin-table.tsx';
import { PhoneFold } from '../table/phone-fold.tsx';
import { TableFilters } from '../table/table-filters.tsx';
import { searchIn, type TableFilter } from '../table/table-view.ts';
import { AddMembers } from './add-members.tsx';
import { NeedsLookList } from './needs-look.tsx';
import styles from './people.module.css';
import { usePeopleBulkActions } from './people-bulk.tsx';
import {
  isConnected,
  RECENT_FIRST,
  usePeopleColumns,
  useShowsDiscord,
  useTypeEdit,
  VERIFIED_FIRST,
} from './people-columns.tsx';
import { PERSON_STATUSES, type Person, statusOf } from './person.ts';
import { type PeopleView, useConfirmPersonAction } from './person-actions.tsx';
import { usePeople } from './use-people.ts';

export const KeysTab = (): ReactNode => <PeopleList view="keys" />;
export const CharactersTab = (): ReactNode => <PeopleList view="characters" />;

export const PEOPLE_SEARCH = searchIn<Person>(
  ({ character_name, member_type, key }) => [
    character_name,
    member_type,
    key?.created_by_username ?? null,
    key?.discord_name ?? null,
  ],
  ({ key, records }) => [key?.key_value ?? null, ...records.map(({ code }) => code)],
);

/** Columns that are not drawn: one view is of keys, the other of verifications. */
const HIDDEN: { readonly [V in PeopleView]: readonly string[] } = {
  keys: ['code', 'verified', 'created_by'],
  characters: ['created_by'],
};

/** Everybody with a key or a verification record, live, in either view: add, find, verify, retype, revoke, ban and delete them. */
function PeopleList({ view: shownAs }: { view: PeopleView }): ReactNode {
  useReadMemberTypes();
  const { t } = useTranslation();
  const people = usePeople();
  const mayChange = useMay('guild');
  const words = useTableWords('characters');
  const bulkActions = usePeopleBulkActions();
  const edit = useTypeEdit(people);
  const list = useRef<HTMLElement>(null);
  const onConfirm = useConfirmPersonAction(shownAs, list);
  const all = usePeopleColumns({ edit, view: shownAs, onConfirm });
  const columns = all.map(({ cell, ...column }) =>
    HIDDEN[shownAs].includes(column.id) ? column : { ...column, cell },
  );
  const types = useBoard((board) => board.byKind.member_type);
  const showsDiscord = useShowsDiscord();
  const discord: TableFilter<Person> = {
    id: 'discord',
    kind: 'check',
    label: t('admin.keys.onlyConnected'),
    matches: ({ key }) => key !== null && isConnected(key),
  };
  const filters: TableFilter<Person>[] = [
    {
      id: 'status',
      kind: 'select',
      label: t('admin.characters.columns.status'),
      all: t('admin.characters.allStatuses'),
      options: PERSON_STATUSES.map((status) => ({
        value: status,
        label: t(`admin.characters.statuses.${status}`),
      })),
      matches: (person, status) => statusOf(person) === status,
    },
    {
      id: 'type',
      kind: 'select',
      label: t('admin.characters.columns.type'),
      all: t('admin.claims.allTypes'),
      options: [...types.values()].map(({ member_type }) => ({
        value: member_type,
        label: member_type,
      })),
      matches: ({ member_type }, type) => member_type === type,
    },
    {
      id: 'active',
      kind: 'check',
      label: t('admin.keys.onlyActive'),
      matches: ({ key }) => key?.is_revoked === 0,
    },
    ...(showsDiscord ? [discord] : []),
  ];
  const table = useAdminTable({
    columns,
    filters,
    records: people,
    search: PEOPLE_SEARCH,
    usualSort: RECENT_FIRST,
    inOrder: (some) => inNameOrder(some, ({ character_name }) => character_name),
    edited: edit.opened,
  });
  const { view } = table;
  return (
    <div className={tab.tab}>
      <Panel>
        <Cluster rowGap={3} gap={6} align="start" justify="space-between">
          <PhoneFold label={t('admin.people.add')}>
            <AddMembers />
          </PhoneFold>
          <TableFilters view={view} filters={filters} searchLabel={t('admin.characters.search')}>
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is seen */}
            <div role="group" aria-label={t('admin.table.sort')} className={styles.orders}>
              {[
                { sort: VERIFIED_FIRST, label: t('admin.characters.verifiedFirst') },
                { sort: RECENT_FIRST, label: t('admin.characters.recentFirst') },
              ].map(({ sort, label }) => (
                <Button
                  key={sort.id}
                  aria-pressed={view.sort.id === sort.id && view.sort.desc === sort.desc}
                  className={styles.order}
                  onClick={() => view.setSort(sort)}
                >
                  {label}
                </Button>
              ))}
            </div>
          </TableFilters>
        </Cluster>
      </Panel>
      {mayChange ? <NeedsLookList people={people} onConfirm={onConfirm} /> : null}
      <AdminTable
        table={table}
        list={list}
        words={words}
        nameOf={({ character_name }) => character_name}
        bulkActions={mayChange ? bulkActions : null}
        fileName={(date) => t('admin.keys.fileName', { date })}
        edit={edit}
        editNotes={rowEditNotes({ edit, what: 'accessKey' })}
      />
    </div>
  );
}
