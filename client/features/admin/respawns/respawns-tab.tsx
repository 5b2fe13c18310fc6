import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_CLAIMS_TO_UNDO } from '../../../../shared/schemas/activity.ts';
import { DEFAULT_CATEGORY_ID } from '../../../../shared/schemas/category.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { changeInBulk, deleteRespawn } from '../../../api/admin-calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { confirm } from '../../../state/overlays.ts';
import { useMay } from '../../../state/permissions.ts';
import { Field } from '../../../ui/fields/field.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { AffectedWeeklyClaims } from '../forms/affected-weekly-claims.tsx';
import { rowEditNotes } from '../forms/row-edit.tsx';
import { useOfferUndo } from '../forms/undo.ts';
import tab from '../tab.module.css';
import { AdminTable, useAdminTable, useTableWords } from '../table/admin-table.tsx';
import type { BulkAction } from '../table/bulk-bar.tsx';
import { PhoneFold } from '../table/phone-fold.tsx';
import { TableFilters } from '../table/table-filters.tsx';
import { searchIn, type TableFilter } from '../table/table-view.ts';
import { CreateRespawn } from './create-respawn.tsx';
import { useRespawnColumns } from './respawn-columns.tsx';
import { CategorySelect } from './respawn-fields.tsx';
import { useRespawnEdit } from './use-respawn-edit.ts';

export const RESPAWN_SEARCH = searchIn<Respawn>(({ name }) => [name]);
const BY_NAME = { id: 'name', desc: false };
const byName = (respawns: Respawn[]): Respawn[] => inNameOrder(respawns, ({ name }) => name);

/** All respawns, live, with the disabled ones: create, find, change and delete them. */
export function RespawnsTab(): ReactNode {
  const { t } = useTranslation();
  const mayChange = useMay('guild');
  const respawns = useBoard((board) => board.byKind.respawn);
  const words = useTableWords('respawns');
  const bulkActions = useBulkActions();
  const edit = useRespawnEdit();
  const list = useRef<HTMLElement>(null);
  const filters = useFilters();
  const columns = useRespawnColumns(edit, useConfirmDelete(list));
  const table = useAdminTable({
    columns,
    filters,
    records: [...respawns.values()],
    search: RESPAWN_SEARCH,
    usualSort: BY_NAME,
    inOrder: byName,
    edited: edit.opened,
  });
  return (
    <div className={tab.tab}>
      {mayChange ? (
        <PhoneFold label={t('admin.respawns.newRespawn')}>
          <Panel title={t('admin.respawns.newRespawn')}>
            <CreateRespawn />
          </Panel>
        </PhoneFold>
      ) : null}
      <AdminTable
        table={table}
        list={list}
        words={mayChange ? words : { ...words, empty: { title: words.empty.title } }}
        tools={
          <TableFilters
            view={table.view}
            filters={filters}
            searchLabel={t('admin.respawns.search')}
          />
        }
        nameOf={({ name }) => name}
        bulkActions={mayChange ? bulkActions : null}
        edit={edit}
        editNotes={rowEditNotes({ edit, what: 'respawn' })}
      />
    </div>
  );
}

function useFilters(): TableFilter<Respawn>[] {
  const { t } = useTranslation();
  const categories = useBoard((board) => board.byKind.category);
  return [
    {
      id: 'category',
      kind: 'select',
      label: t('admin.respawns.filterCategory'),
      all: t('admin.respawns.allCategories'),
      options: [
        ...inNameOrder(categories.values(), ({ name }) => name).map(({ id, name }) => ({
          value: String(id),
          label: name,
        })),
        { value: 'none', label: t('admin.respawns.noCategory') },
      ],
      matches: ({ category_id }, value) => String(category_id ?? 'none') === value,
    },
    {
      id: 'enabled',
      kind: 'select',
      label: t('admin.respawns.filterEnabled'),
      all: t('admin.respawns.anyState'),
      options: [
        { value: '1', label: t('admin.respawns.onlyEnabled') },
        { value: '0', label: t('admin.respawns.onlyDisabled') },
      ],
      matches: ({ is_enabled }, value) => String(is_enabled) === value,
    },
  ];
}

/** Asks before a respawn is deleted. @param list takes the focus when the row is removed */
function useConfirmDelete(list: RefObject<HTMLElement | null>): (respawn: Respawn) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndo();
  return (respawn) => {
    const { id, name } = respawn;
    confirm({
      title: t('admin.rows.confirmDelete', { name }),
      text: <DeletionText respawn={respawn} />,
      confirmLabel: t('admin.respawns.confirmDelete.confirm'),
      onConfirm: async () => {
        const notRestorable = isNotRestorable(
          useBoard.getState().byKind.respawn.get(id) ?? respawn,
        );
        await deleteRespawn(id);
        if (notRestorable) showToast({ text: t('admin.respawns.deleted') });
        else
          offerUndo(t('admin.respawns.deleted'), {
            action: 'respawn_deleted',
            matches: ({ respawn_id }) => respawn_id === id,
          });
      },
      failed: t('admin.respawns.deleteFailed'),
      errorText,
      focusAfter: list,
    });
  };
}

const isNotRestorable = ({ total_claims }: Respawn): boolean => total_claims > MAX_CLAIMS_TO_UNDO;

/** Lists the records that are deleted as well, with live counts, and whether they can be restored. */
function DeletionText({ respawn }: { respawn: Respawn }): ReactNode {
  const { t } = useTranslation();
  const live = useBoard((board) => board.byKind.respawn.get(respawn.id)) ?? respawn;
  const entries = useBoard(
    ({ byKind }) =>
      [...byKind.wait.values()].filter(({ respawn_id }) => respawn_id === respawn.id).length,
  );
  return (
    <Stack gap={2}>
      <p>{t('admin.respawns.confirmDelete.text')}</p>
      <p>
        {t('admin.respawns.confirmDelete.claims', { count: live.total_claims })}{' '}
        {isNotRestorable(live)
          ? t('admin.respawns.confirmDelete.notRestorable')
          : t('admin.respawns.confirmDelete.restorable', { count: live.total_claims })}
      </p>
      {entries > 0 ? <p>{t('admin.respawns.confirmDelete.entries', { count: entries })}</p> : null}
      <AffectedWeeklyClaims
        how={isNotRestorable(live) ? 'endForGood' : 'end'}
        spots={[respawn.id]}
      />
      {live.total_claims > 1 ? <p>{t('admin.notifications.oneMessage')}</p> : null}
    </Stack>
  );
}

const countClaims = (respawns: readonly Respawn[]): number =>
  respawns.reduce((sum, { total_claims }) => sum + total_claims, 0);

/** The destructive ones last. */
function useBulkActions(): BulkAction<Respawn>[] {
  const { t } = useTranslation();
  const [category_id, setCategory] = useState<number | null>(DEFAULT_CATEGORY_ID);
  const wordsOf = (id: 'enable' | 'move' | 'disable' | 'delete') => ({
    id,
    label: t(`admin.bulk.respawns.${id}.label`),
    question: (count: number) => t(`admin.bulk.respawns.${id}.question`, { count }),
    done: (count: number) => t(`admin.bulk.respawns.${id}.done`, { count }),
  });
  return [
    {
      ...wordsOf('enable'),
      harmless: true,
      appliesTo: ({ is_enabled }) => !is_enabled,
      text: () => <p>{t('admin.bulk.respawns.enable.text')}</p>,
      run: (ids) => changeInBulk('respawns', ids, { do: 'enable' }),
    },
    {
      ...wordsOf('move'),
      harmless: true,
      appliesTo: () => true,
      text: () => (
        <>
          <p>{t('admin.bulk.respawns.move.text')}</p>
          <Field label={t('admin.respawns.fields.category_id')}>
            <CategorySelect value={category_id} onChange={setCategory} />
          </Field>
        </>
      ),
      run: (ids) => changeInBulk('respawns', ids, { do: 'move', category_id }),
    },
    {
      ...wordsOf('disable'),
      appliesTo: ({ is_enabled }) => is_enabled === 1,
      text: (respawns) => (
        <>
          <p>{t('admin.bulk.respawns.disable.text')}</p>
          <AffectedWeeklyClaims how="stop" spots={respawns.map(({ id }) => id)} />
        </>
      ),
      run: (ids) => changeInBulk('respawns', ids, { do: 'disable' }),
    },
    {
      ...wordsOf('delete'),
      appliesTo: () => true,
      text: (respawns) => (
        <>
          <p>{t('admin.bulk.respawns.delete.claims', { count: countClaims(respawns) })}</p>
          <AffectedWeeklyClaims
            how={countClaims(respawns) > MAX_CLAIMS_TO_UNDO ? 'endForGood' : 'end'}
            spots={respawns.map(({ id }) => id)}
          />
        </>
      ),
      deletesClaims: countClaims,
      isNotUndoable: (respawns) => countClaims(respawns) > MAX_CLAIMS_TO_UNDO,
      run: (ids) => changeInBulk('respawns', ids, { do: 'delete' }),
    },
  ];
}
