import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { type Resolver, useController, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import {
  type Category,
  categoryInput,
  DEFAULT_CATEGORY_ID,
} from '../../../../shared/schemas/category.ts';
import { MAX_NAME_LENGTH } from '../../../../shared/schemas/fields.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { createCategory, deleteCategory, renameCategory } from '../../../api/admin-calls.ts';
import { useErrorText, useFieldError } from '../../../lib/words/error-text.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { confirm } from '../../../state/overlays.ts';
import { useMay } from '../../../state/permissions.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useDraftState } from '../forms/drafts.ts';
import { EditConflictNotice } from '../forms/edit-conflict.tsx';
import { useEditFocus, useOpenRows, useRowEdit } from '../forms/row-edit.tsx';
import { useOfferUndo } from '../forms/undo.ts';
import tab from '../tab.module.css';
import styles from './categories.module.css';

/** All categories, live, with the number of respawns in each. */
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
    <div className={styles.tab}>
      {mayChange ? (
        <Panel>
          <AddCategory />
        </Panel>
      ) : null}
      <section
        ref={list}
        tabIndex={-1}
        aria-label={t('admin.categories.list')}
        className={tab.list}
      >
        {rows.length === 0 ? (
          <EmptyState
            title={t('admin.categories.empty.title')}
            text={mayChange ? t('admin.categories.empty.text') : null}
          />
        ) : (
          <ul className={styles.rows}>
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
          <p className={styles.without}>
            {t('admin.categories.without', { count: uncategorised })}
          </p>
        ) : null}
      </section>
    </div>
  );
}

/** Disabled respawns count, too. */
function countByCategory(respawns: Iterable<Respawn>): ReadonlyMap<number | null, number> {
  const counts = new Map<number | null, number>();
  for (const { category_id } of respawns)
    counts.set(category_id, (counts.get(category_id) ?? 0) + 1);
  return counts;
}

/** The input stays until the category is created. */
function AddCategory(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [typed, setTyped] = useDraftState('category', '');
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);

  const add = useAction({
    work: (text: string) => createCategory({ name: tidyName(text) }),
    done: (_category, text) => {
      showToast({ text: t('admin.categories.added') });
      // The next name may have been typed meanwhile.
      setTyped((now) => (now === text ? '' : now));
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    field.current?.focus();
    const isEmpty = tidyName(typed) === '';
    setProblem(isEmpty ? t('errors.category.nameRequired') : null);
    if (!isEmpty) add.run(typed);
  };
  const reason = add.failure
    ? t('admin.categories.addFailed', { reason: errorText(add.failure) })
    : null;

  return (
    <form
      noValidate
      aria-label={t('admin.categories.newCategory')}
      className={styles.add}
      onSubmit={submit}
    >
      <Field
        hideLabel
        label={t('admin.categories.name')}
        error={problem ?? reason}
        className={styles.nameField}
      >
        <TextInput
          ref={field}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem(null);
            add.forget();
          }}
          placeholder={t('admin.categories.name')}
          maxLength={MAX_NAME_LENGTH}
          autoComplete="off"
        />
      </Field>
      <Button type="submit" variant="primary" busy={add.isBusy}>
        {t('admin.categories.add')}
      </Button>
    </form>
  );
}

interface CategoryRowProps {
  category: Category;
  /** How many respawns are in it. */
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
        <span className={styles.spots}>{t('admin.categories.spots', { count: respawns })}</span>
        {isDefault && mayChange ? (
          <span className={styles.why}>{t('errors.category.isDefault')}</span>
        ) : null}
      </div>
      {mayChange ? (
        <div className={styles.actions}>
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
              aria-label={t('admin.categories.deleteName', { name })}
            >
              {t('common.delete')}
            </Button>
          )}
        </div>
      ) : null}
    </li>
  );
}

interface CategoryValues {
  name: string;
}
const valuesOf = ({ name }: Category): CategoryValues => ({ name });
const differing = (before: CategoryValues, after: CategoryValues): 'name'[] =>
  tidyName(before.name) === tidyName(after.name) ? [] : ['name'];
const check: Resolver<CategoryValues> = (values) => {
  const issue = categoryInput.safeParse(values).error?.issues[0];
  return issue
    ? { values: {}, errors: { name: { type: 'check', message: issue.message } } }
    : { values, errors: {} };
};

function CategoryEditor({ opened, onClose }: { opened: Category; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const errorOf = useFieldError();
  const categories = useBoard((board) => board.byKind.category);
  const edit = useRowEdit<Category, CategoryValues>({
    name: `category ${opened.id}`,
    form: useForm<CategoryValues>({ defaultValues: valuesOf(opened), resolver: check }),
    initial: opened,
    liveOf: ({ id }) => categories.get(id),
    valuesOf,
    differing,
    save: ({ id }, { name }) => renameCategory(id, { name: tidyName(name) }),
    refusalOf: (error) => ({
      field: 'name',
      text: t('admin.categories.updateFailed', { reason: errorText(error) }),
    }),
    saved: t('admin.categories.updated'),
    onClose,
  });
  const { form, busy, conflict, notice, save, cancel, onKeyDown } = edit;
  const { field, fieldState } = useController({ control: form.control, name: 'name' });
  const { name } = opened;
  const label = t('admin.categories.nameOf', { name });
  return (
    <form
      noValidate
      data-edit-fields
      aria-label={t('admin.categories.renameName', { name })}
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDownCapture={onKeyDown}
    >
      <Field
        hideLabel
        label={label}
        error={errorOf(fieldState.error, label)}
        className={styles.nameField}
      >
        <TextInput {...field} maxLength={MAX_NAME_LENGTH} autoComplete="off" />
      </Field>
      <Button
        type="submit"
        variant="primary"
        busy={busy}
        disabled={conflict.outcome === 'deleted'}
        aria-label={t('admin.categories.saveName', { name })}
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
      <div className={styles.notice}>
        <EditConflictNotice
          ref={notice}
          what="category"
          edit={conflict}
          labelOf={() => t('admin.categories.name')}
          inWords={(_field, theirs) => theirs.name}
        />
      </div>
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
      title: t('admin.categories.confirmDelete.title', { name }),
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
