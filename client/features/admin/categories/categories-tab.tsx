import { type ReactNode, type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import {
  type Category,
  type CategoryInput,
  categoryInput,
  DEFAULT_CATEGORY_ID,
} from '../../../../shared/schemas/category.ts';
import { MAX_NAME_LENGTH } from '../../../../shared/schemas/fields.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { createCategory, deleteCategory, renameCategory } from '../../../api/admin-calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { confirm } from '../../../state/overlays.ts';
import { useMay } from '../../../state/permissions.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import type { FormFields } from '../../../ui/form/fields.ts';
import { RecordField } from '../../../ui/form/record-field.tsx';
import { useRecordForm } from '../../../ui/form/record-form.ts';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { pageDraft } from '../forms/drafts.ts';
import { FormNotes } from '../forms/form-notes.tsx';
import { useEditFocus, useOpenRows, useRowEdit } from '../forms/row-edit.tsx';
import { useOfferUndo } from '../forms/undo.ts';
import tab from '../tab.module.css';
import styles from './categories.module.css';

export function CategoriesTab(): ReactNode {
  const { t } = useTranslation();
  const categories = useBoard((board) => board.byKind.category);
  const mayChange = useMay('guild');
  const respawns = useBoard((board) => board.byKind.respawn);
  const { rows, openedOf, setOpen } = useOpenRows(categories, (category) => category.id);
  const list = useRef<HTMLElement>(null);
  const confirmDelete = useConfirmDelete(list);
  const counts = countByCategory(respawns.values());
  const uncategorised = counts.get(null) ?? 0;
  return (
    <Stack gap={4} className={styles.tab}>
      {mayChange ? (
        <Panel>
          <AddCategory />
        </Panel>
      ) : null}
      <section
        ref={list}
        tabIndex={-1}
        aria-label={t('admin.tabs.categories')}
        className={tab.list}
      >
        {rows.length === 0 ? (
          <EmptyState
            title={t('admin.categories.empty.title')}
            text={mayChange ? t('admin.categories.empty.text') : null}
          />
        ) : (
          <ul className={tab.surface}>
            {inNameOrder(rows, ({ name }) => name).map((category) => (
              <CategoryRow
                key={category.id}
                category={category}
                respawns={counts.get(category.id) ?? 0}
                opened={openedOf(category)}
                onEdit={(editing) => setOpen(category, editing)}
                onDelete={() => confirmDelete(category)}
              />
            ))}
          </ul>
        )}
        {uncategorised > 0 ? (
          <p className="faint small">{t('admin.categories.without', { count: uncategorised })}</p>
        ) : null}
      </section>
    </Stack>
  );
}

/** Disabled respawns count, too. */
function countByCategory(respawns: Iterable<Respawn>): ReadonlyMap<number | null, number> {
  const counts = new Map<number | null, number>();
  for (const { category_id } of respawns)
    counts.set(category_id, (counts.get(category_id) ?? 0) + 1);
  return counts;
}

function useCategoryFields(): FormFields<Category, CategoryInput> {
  const { t } = useTranslation();
  return {
    name: { label: t('admin.categories.name'), from: ({ name }) => name, send: tidyName },
  };
}

function AddCategory(): ReactNode {
  const { t } = useTranslation();
  const form = useRecordForm<Category, CategoryInput, CategoryInput>({
    fields: useCategoryFields(),
    schema: categoryInput,
    record: null,
    fresh: { name: '' },
    draft: pageDraft('category'),
    create: createCategory,
    done: () => {
      showToast({ text: t('admin.categories.added') });
      form.form.setFocus('name');
    },
    clears: ['name'],
    refusalOf: (reason) => ({ field: 'name', text: t('admin.categories.addFailed', { reason }) }),
    checksAtSave: true,
  });
  return (
    <form
      noValidate
      aria-label={t('admin.categories.newCategory')}
      className={styles.add}
      onSubmit={form.submit}
    >
      <RecordField hideLabel form={form} name="name" className={styles.nameField}>
        {(field) => (
          <TextInput
            {...field}
            placeholder={t('admin.categories.name')}
            maxLength={MAX_NAME_LENGTH}
            autoComplete="off"
          />
        )}
      </RecordField>
      <Button type="submit" variant="primary" busy={form.busy}>
        {t('admin.categories.add')}
      </Button>
    </form>
  );
}

interface CategoryRowProps {
  category: Category;
  respawns: number;
  /** The category at the start of its edit; null while it is not edited. */
  opened: Category | null;
  onEdit: (editing: boolean) => void;
  onDelete: () => void;
}

function CategoryRow({
  category: { id, name },
  respawns,
  opened,
  onEdit,
  onDelete,
}: CategoryRowProps): ReactNode {
  const { t } = useTranslation();
  const mayChange = useMay('guild');
  const row = useRef<HTMLLIElement>(null);
  useEditFocus(row, opened ? id : null);
  if (opened) {
    return (
      <li ref={row} className={styles.row}>
        <CategoryEditor opened={opened} onClose={() => onEdit(false)} />
      </li>
    );
  }
  const isDefault = id === DEFAULT_CATEGORY_ID;
  return (
    <li ref={row} className={styles.row}>
      <div className={styles.about}>
        <h2>{name}</h2>
        {isDefault ? <Badge tone="accent">{t('admin.categories.default')}</Badge> : null}
        <span className="muted tabular">{t('admin.categories.spots', { count: respawns })}</span>
        {isDefault && mayChange ? (
          <span className="faint small">{t('errors.category.isDefault')}</span>
        ) : null}
      </div>
      {mayChange ? (
        <Cluster>
          <Button
            small
            data-edit={id}
            onClick={() => onEdit(true)}
            aria-label={t('admin.categories.renameName', { name })}
          >
            {t('admin.categories.rename')}
          </Button>
          {isDefault ? null : (
            <Button
              small
              variant="danger"
              onClick={onDelete}
              aria-label={t('admin.rows.delete', { name })}
            >
              {t('common.delete')}
            </Button>
          )}
        </Cluster>
      ) : null}
    </li>
  );
}

function CategoryEditor({ opened, onClose }: { opened: Category; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const categories = useBoard((board) => board.byKind.category);
  const edit = useRowEdit<Category, CategoryInput, CategoryInput>({
    name: `category ${opened.id}`,
    fields: useCategoryFields(),
    schema: categoryInput,
    initial: opened,
    live: ({ id }) => categories.get(id),
    update: ({ id }, _change, { input }) => renameCategory(id, input),
    refusalOf: (reason) => ({
      field: 'name',
      text: t('admin.categories.updateFailed', { reason }),
    }),
    saved: t('admin.categories.updated'),
    onClose,
  });
  const { busy, conflict, cancel } = edit;
  const { name } = opened;
  return (
    <form
      noValidate
      data-edit-fields
      aria-label={t('admin.categories.renameName', { name })}
      className={styles.editor}
      onSubmit={edit.submit}
      onKeyDownCapture={edit.onKeyDown}
    >
      <RecordField
        hideLabel
        form={edit}
        name="name"
        label={t('admin.categories.nameOf', { name })}
        className={styles.nameField}
      >
        {(field) => <TextInput {...field} maxLength={MAX_NAME_LENGTH} autoComplete="off" />}
      </RecordField>
      <Button
        type="submit"
        variant="primary"
        busy={busy}
        disabled={conflict.outcome === 'deleted'}
        aria-label={t('admin.rows.save', { name })}
      >
        {t('common.save')}
      </Button>
      <Button
        disabled={busy}
        onClick={cancel}
        aria-label={t('admin.categories.cancelName', { name })}
      >
        {t('common.cancel')}
      </Button>
      <Stack gap={2} className={styles.notice}>
        <FormNotes what="category" form={edit} />
      </Stack>
    </form>
  );
}

/** Asks before a category is deleted. @param list takes the focus when the row is removed */
function useConfirmDelete(list: RefObject<HTMLElement | null>): (category: Category) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndo();
  return ({ id, name }) =>
    confirm({
      title: t('admin.rows.confirmDelete', { name }),
      text: <DeletionText id={id} />,
      confirmLabel: t('admin.categories.confirmDelete.confirm'),
      onConfirm: async () => {
        await deleteCategory(id);
        offerUndo(t('admin.categories.deleted'), {
          action: 'category_deleted',
          matches: ({ category_id }) => category_id === id,
        });
      },
      errorText: (error) => t('admin.categories.deleteFailed', { reason: errorText(error) }),
      focusAfter: list,
    });
}

/** Says where the respawns go; their number is live. */
function DeletionText({ id }: { id: number }): ReactNode {
  const { t } = useTranslation();
  const category = useBoard((board) => board.byKind.category.get(DEFAULT_CATEGORY_ID)?.name ?? '');
  const respawns = useBoard((board) => board.byKind.respawn);
  const count = countByCategory(respawns.values()).get(id) ?? 0;
  return `${t('admin.categories.confirmDelete.spots', { count, category })} ${t('admin.categories.confirmDelete.restorable')}`;
}
