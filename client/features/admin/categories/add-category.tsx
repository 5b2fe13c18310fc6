import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import { MAX_NAME_LENGTH } from '../../../../shared/schemas/fields.ts';
import { createCategory } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from './categories.module.css';

/** Makes a category. What was typed stays until it worked. */
export function AddCategory(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const name = tidyName(typed);
    field.current?.focus();
    setProblem(name ? null : t('errors.category.nameRequired'));
    if (!name) return;
    setBusy(true);
    try {
      await createCategory({ name });
      showToast({ text: t('admin.categories.added') });
      setTyped('');
    } catch (error) {
      setProblem(t('admin.categories.addFailed', { reason: errorText(error) }));
    }
    setBusy(false);
  };

  return (
    <form noValidate aria-label={t('admin.categories.newCategory')} className={styles.add} onSubmit={(event) => void add(event)}>
      <Field hideLabel label={t('admin.categories.name')} error={problem} className={styles.nameField}>
        <TextInput
          ref={field}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem(null);
          }}
          placeholder={t('admin.categories.name')}
          maxLength={MAX_NAME_LENGTH}
          autoComplete="off"
        />
      </Field>
      <Button type="submit" variant="primary" busy={busy}>
        {t('admin.categories.add')}
      </Button>
    </form>
  );
}
