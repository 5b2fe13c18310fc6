import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import styles from './name-field.module.css';
import type { NameForm } from './use-name-form.ts';

/** The longest name the server takes. */
const MAX_LENGTH = 60;

export function NameField<T>({ form, label }: { form: NameForm<T>; label: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Field hideLabel label={label} error={form.missing ? t('errors.character.nameRequired') : undefined} className={styles.field}>
      <TextInput
        ref={form.field}
        value={form.name}
        onChange={(event) => form.setName(event.target.value)}
        onKeyDown={form.onKeyDown}
        placeholder={label}
        maxLength={MAX_LENGTH}
        autoComplete="off"
        spellCheck={false}
      />
    </Field>
  );
}
