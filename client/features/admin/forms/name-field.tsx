import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { tidyName } from '../../../../shared/rules/names.ts';
import { MAX_NAME_LENGTH } from '../../../../shared/schemas/fields.ts';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import type { FieldName } from '../../../ui/form/fields.ts';
import { RecordField } from '../../../ui/form/record-field.tsx';
import type { RecordForm } from '../../../ui/form/record-form.ts';
import tab from '../tab.module.css';

interface NameFieldProps<R, V extends FieldValues, I> {
  form: RecordForm<R, V, I>;
  name: FieldName<V>;
}

/** The only text of a form that creates something for a character. Its button is disabled while the name is empty. */
export function NameField<R, V extends FieldValues, I>({
  form,
  name,
}: NameFieldProps<R, V, I>): ReactNode {
  return (
    <RecordField hideLabel form={form} name={name} className={tab.nameField}>
      {(field) => (
        <TextInput
          {...field}
          // Browsers don't submit a form with a disabled button on Enter; submit it to show the missing name's error.
          onKeyDown={({ key }) => {
            if (key === 'Enter' && !tidyName(String(field.value))) form.submit();
          }}
          placeholder={form.fields[name].label}
          maxLength={MAX_NAME_LENGTH}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </RecordField>
  );
}
