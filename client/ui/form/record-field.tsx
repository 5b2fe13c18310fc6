import type { ReactNode } from 'react';
import { type ControllerRenderProps, type FieldValues, useController } from 'react-hook-form';
import { Field, type FieldProps } from '../fields/field.tsx';
import type { FieldName } from './fields.ts';
import type { RecordForm } from './record-form.ts';

interface RecordFieldProps<R, V extends FieldValues, I, N extends FieldName<V>>
  extends Pick<FieldProps, 'hint' | 'hideLabel' | 'className'> {
  form: RecordForm<R, V, I>;
  name: N;
  /** Instead of the table's. */
  label?: string;
  /** One input, with the attributes that it is given. */
  children: (field: ControllerRenderProps<V, N>) => ReactNode;
}

/** A field of a record's form, with its label and its problem in words. */
export function RecordField<R, V extends FieldValues, I, N extends FieldName<V>>({
  form,
  name,
  label = form.fields[name].label,
  children,
  ...rest
}: RecordFieldProps<R, V, I, N>): ReactNode {
  const { field } = useController({ control: form.form.control, name });
  return (
    <Field {...rest} label={label} error={form.problemOf(name, label)}>
      {children(field)}
    </Field>
  );
}
