import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import type { Category } from '../../../../shared/schemas/category.ts';
import { renameCategory } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { EditConflictNotice, useEditConflict } from '../forms/edit-conflict.tsx';
import styles from './categories.module.css';

export interface CategoryEditorProps {
  opened: Category;
  /** As it is now; undefined when it is gone. */
  live: Category | undefined;
  onDone: () => void;
}

interface CategoryValues {
  name: string;
}
const valuesOf = ({ name }: Category): CategoryValues => ({ name });
const differing = (before: CategoryValues, after: CategoryValues): 'name'[] =>
  tidyName(before.name) === tidyName(after.name) ? [] : ['name'];

/** Renames a category where it stands: Enter saves, Escape cancels. */
export function CategoryEditor({ opened, live, onDone }: CategoryEditorProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [typed, fill] = useState(() => valuesOf(opened));
  const [problem, setProblem] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const edit = useEditConflict({ opened, live, valuesOf, differing, typed, fill, saving });
  const deleted = edit.outcome === 'deleted';

  const save = async (): Promise<void> => {
    const name = tidyName(typed.name);
    setProblem(name ? null : t('errors.category.nameRequired'));
    if (!name) return;
    setSaving(true);
    try {
      if (edit.stored && differing(edit.stored, typed).length > 0) await renameCategory(opened.id, { name });
      showToast({ text: t('admin.categories.updated') });
      onDone();
    } catch (error) {
      setProblem(t('admin.categories.updateFailed', { reason: errorText(error) }));
      setSaving(false);
      field.current?.focus();
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (edit.theirs) notice.current?.focus();
    else if (!saving && !deleted) void save();
  };
  const cancelByKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !saving) onDone();
  };

  return (
    <form
      noValidate
      data-edit-fields
      aria-label={t('admin.categories.renameName', { name: opened.name })}
      className={styles.editor}
      onSubmit={submit}
      onKeyDown={cancelByKey}
    >
      <Field hideLabel label={t('admin.categories.nameOf', { name: opened.name })} error={problem} className={styles.nameField}>
        <TextInput
          ref={field}
          value={typed.name}
          onChange={(event) => {
            fill({ name: event.target.value });
            setProblem(null);
          }}
          maxLength={60}
          autoComplete="off"
        />
      </Field>
      <Button
        type="submit"
        variant="primary"
        busy={saving}
        disabled={deleted}
        aria-label={t('admin.categories.saveName', { name: opened.name })}
      >
        {t('common.save')}
      </Button>
      <Button disabled={saving} onClick={onDone} aria-label={t('admin.categories.cancelName', { name: opened.name })}>
        {t('common.cancel')}
      </Button>
      <div className={styles.notice}>
        <EditConflictNotice
          ref={notice}
          what="category"
          edit={edit}
          labelOf={() => t('admin.categories.name')}
          inWords={(_field, theirs) => theirs.name}
        />
      </div>
    </form>
  );
}
