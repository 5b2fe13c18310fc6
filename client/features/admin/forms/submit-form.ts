import type { FormEvent } from 'react';
import {
  type Control,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
  useFormState,
} from 'react-hook-form';
import { SAID_BY_SERVER } from '../../../lib/words/error-text.ts';

export interface FormRefusal {
  /** The server refused what was sent last. */
  isRefused: boolean;
  /** Why, if the refusal is about no single field. */
  error: string | undefined;
}

export function useRefusal<V extends FieldValues>(control: Control<V>): FormRefusal {
  const { errors } = useFormState({ control });
  return {
    isRefused: Object.values(errors).some((error) => error?.type === SAID_BY_SERVER),
    error: errors.root?.message,
  };
}

export interface SubmitForm extends FormRefusal {
  submit: (event: FormEvent) => void;
  busy: boolean;
}

/**
 * Sends a valid form. What was typed stays; a refusal appears at its field, or in `error`.
 * @param refusalOf where a rejection of `send` belongs, and its sentence
 */
export function useSubmitForm<V extends FieldValues>(
  form: UseFormReturn<V>,
  send: (values: V) => Promise<void>,
  refusalOf: (error: unknown) => { field?: FieldPath<V> | undefined; text: string },
): SubmitForm {
  const { isSubmitting: busy } = useFormState({ control: form.control });
  const refusal = useRefusal(form.control);
  const run = async (values: V): Promise<void> => {
    try {
      await send(values);
    } catch (error) {
      const { field, text } = refusalOf(error);
      form.setError(
        field ?? 'root',
        { type: SAID_BY_SERVER, message: text },
        { shouldFocus: true },
      );
    }
  };
  return {
    ...refusal,
    busy,
    submit: (event) => {
      event.preventDefault();
      if (!busy) void form.handleSubmit(run)();
    },
  };
}
