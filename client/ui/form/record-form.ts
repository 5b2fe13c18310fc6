import { zodResolver } from '@hookform/resolvers/zod';
import {
  type RefObject,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import {
  type FieldValues,
  type UseFormReturn,
  useForm,
  useFormState,
  useWatch,
} from 'react-hook-form';
import { z } from 'zod';
import { useErrorText } from '../../lib/words/error-text.ts';
import { type EditConflict, useEditConflict } from './edit-conflict.ts';
import { SAID_BY_SERVER, useFieldError } from './field-error.ts';
import {
  differing,
  type FieldName,
  type FormFields,
  fieldOf,
  inputOf,
  namesOf,
  pick,
  valuesOf,
} from './fields.ts';

/** A changed form: the record it was opened with, and the typed values. */
interface Edit<R, V> {
  opened: R | null;
  values: V;
}

/** Keeps a changed form when its page is left. */
export interface Draft<R, V> {
  read: () => Edit<R, V> | undefined;
  /** @param edit null: nothing was changed */
  keep: (edit: Edit<R, V> | null) => void;
}

interface Refusal<V extends FieldValues> {
  /** Unless the table names it by the error's code; without one the refusal is about the whole. */
  field?: FieldName<V> | undefined;
  /** Instead of the reason alone. */
  text?: string | undefined;
  /** The title of a failure, above `text`. */
  failed?: string | undefined;
}

interface Refused<V extends FieldValues> extends Refusal<V> {
  error: unknown;
  storedFields: readonly FieldName<V>[];
}

interface Sent<R, V extends FieldValues, I> {
  values: V;
  /** The request for all values. */
  input: I;
  changed: readonly FieldName<V>[];
  /** These fields are stored: the form goes on with the others, also if the next call of the save fails. */
  savedPart: (record: R, fields: readonly FieldName<V>[]) => void;
}

export interface RecordFormOptions<R, V extends FieldValues, I extends FieldValues> {
  fields: FormFields<R, V>;
  /** Of the whole request. Its messages are error codes. */
  schema: z.ZodType<I, FieldValues>;
  /** The record to edit; null: a new one, or none yet. */
  record: R | null;
  /** The record as it is now; undefined: it was deleted. */
  live?: (opened: R) => R | undefined;
  /** The first values of a form without a record. */
  fresh?: V;
  /** Fields that are not edited follow the live record; a save overwrites the others without a question. */
  follows?: boolean;
  draft?: Draft<R, V>;
  create?: (input: I, values: V) => Promise<unknown>;
  /** Sends what differs from the stored record; not called if nothing does, unless `alwaysSends`. */
  update?: (stored: R, change: Partial<I>, sent: Sent<R, V, I>) => Promise<unknown>;
  alwaysSends?: boolean;
  done?: (stored: R | null, sent: Sent<R, V, I>) => unknown;
  /** After a new record is stored, these are emptied for the next one, unless it was typed already. */
  clears?: readonly FieldName<V>[];
  /** null: the conflict says why. @param reason the error in words @param unsaved the changed fields that are not stored */
  refusalOf?: (
    reason: string,
    error: unknown,
    unsaved: readonly FieldName<V>[],
  ) => Refusal<V> | null | Promise<Refusal<V> | null>;
  /** A problem disappears with the next change, and is looked for again at the next save. */
  checksAtSave?: boolean;
}

export interface RecordForm<R, V extends FieldValues, I = unknown> {
  fields: FormFields<R, V>;
  form: UseFormReturn<V, unknown, I>;
  typed: V;
  /** The record at the start of its edit; null for a new one, or while none is edited. */
  opened: R | null;
  open: (record: R | null) => void;
  conflict: EditConflict<R, V>;
  /** The conflict's notice: takes the focus if a save is tried before a version is chosen. */
  notice: RefObject<HTMLDivElement | null>;
  /** Something was typed that differs from the stored record. */
  isChanged: boolean;
  busy: boolean;
  submit: (event?: SubmitEvent) => void;
  /** The server's last refusal; null: there is none, or the refused field was changed since. */
  refusal: unknown;
  /** The sentence of a refusal that is about no single field. */
  error: string | undefined;
  /** A field's problem as a sentence. @param label instead of the table's */
  problemOf: (name: FieldName<V>, label?: string) => string | undefined;
  /** The first problem of the values or the save. */
  problem: string | null;
  /** The title of a failed save whose sentence is only the reason. */
  failed: string | undefined;
  storedFields: readonly FieldName<V>[];
}

/** A form for one record: its values, a conflict with another admin's change, the save, and its refusal. */
export function useRecordForm<R, V extends FieldValues, I extends FieldValues>(
  options: RecordFormOptions<R, V, I>,
): RecordForm<R, V, I> {
  const { fields, schema, draft, checksAtSave = false } = options;
  const errorText = useErrorText();
  const errorOf = useFieldError();
  const notice = useRef<HTMLDivElement>(null);
  const [kept] = useState(() => draft?.read());
  const [opened, setOpened] = useState<R | null>(kept ? kept.opened : options.record);
  const [fresh] = useState(options.fresh);
  const [first] = useState(kept?.values ?? (opened === null ? fresh : valuesOf(fields, opened)));
  const [refused, setRefused] = useState<Refused<V>>();
  const form = useForm<V, unknown, I>({
    ...(first && { values: first }),
    resolver: (...form) =>
      zodResolver(
        z
          .custom<V>()
          .transform((values) => inputOf(fields, values))
          .pipe(schema),
      )(...form),
    reValidateMode: checksAtSave ? 'onSubmit' : 'onChange',
  });
  useEffect(
    () =>
      checksAtSave
        ? form.subscribe({ formState: { values: true }, callback: () => form.clearErrors() })
        : undefined,
    [form, checksAtSave],
  );
  const state = useFormState({ control: form.control });
  const { isSubmitting: busy, errors } = state;
  const typed = useWatch({ control: form.control, compute: (values) => values });
  const conflict = useEditConflict<R, V>({
    fields,
    opened,
    live: opened === null ? undefined : options.live?.(opened),
    typed,
    fill: form.reset,
    saving: busy,
    follows: options.follows,
  });
  const { stored, theirs, outcome } = conflict;
  const before = stored === null ? fresh : valuesOf(fields, stored);
  const changedIn = (values: V): FieldName<V>[] =>
    before ? [...new Set([...differing(fields, before, values), ...conflict.contested])] : [];
  const isChanged = changedIn(typed).length > 0;

  const keep = useEffectEvent(() =>
    draft?.keep(isChanged ? { opened: stored, values: typed } : null),
  );
  useEffect(() => () => keep(), []);

  const send = async (input: I): Promise<void> => {
    const values = form.getValues();
    const changed = changedIn(values);
    const parts: { record: R; fields: readonly FieldName<V>[] }[] = [];
    const savedPart: Sent<R, V, I>['savedPart'] = (record, fields) =>
      void parts.push({ record, fields });
    const sent = { values, input, changed, savedPart };
    try {
      if (stored === null) await options.create?.(input, values);
      else if (changed.length > 0 || options.alwaysSends)
        await options.update?.(stored, pick(input, changed), sent);
      const record = parts.at(-1)?.record;
      if (record) conflict.savedPart(record);
      await options.done?.(stored, sent);
      if (stored === null && fresh && options.clears) {
        const now = form.getValues();
        const untouched = options.clears.filter((name) => Object.is(now[name], values[name]));
        form.reset({ ...now, ...pick(fresh, untouched) });
      }
    } catch (error) {
      const last = parts.at(-1);
      const storedFields = changed.filter((name) =>
        parts.some((part) => part.fields.includes(name)),
      );
      if (last) {
        conflict.savedPart(last.record);
        form.reset({ ...values, ...pick(valuesOf(fields, last.record), storedFields) });
      }
      const reason = errorText(error);
      const unsaved = changed.filter((name) => !storedFields.includes(name));
      const refusal = options.refusalOf ? await options.refusalOf(reason, error, unsaved) : {};
      if (!refusal) return;
      const { field = fieldOf(fields, error), text = reason } = refusal;
      setRefused({ error, storedFields, ...refusal });
      form.setError(
        field ?? 'root',
        { type: SAID_BY_SERVER, message: text },
        { shouldFocus: true },
      );
    }
  };
  const problemOf = (name: FieldName<V>, label = fields[name].label): string | undefined => {
    const { error } = form.getFieldState(name, state);
    return error && errorOf(error, label, fields[name].invalid?.(typed[name]));
  };
  const isRefused = Object.values(errors).some((error) => error?.type === SAID_BY_SERVER);
  return {
    fields,
    form,
    typed,
    opened,
    open: (record) => {
      setOpened(record);
      if (record !== null) form.reset(valuesOf(fields, record));
    },
    conflict,
    notice,
    isChanged,
    busy,
    submit: (event) => {
      event?.preventDefault();
      if (busy || outcome === 'deleted') return;
      if (theirs && !options.follows) notice.current?.focus();
      else void form.handleSubmit(send)();
    },
    refusal: isRefused ? refused?.error : null,
    error: errors.root?.message,
    problemOf,
    problem:
      namesOf(fields)
        .map((name) => problemOf(name))
        .find(Boolean) ??
      errors.root?.message ??
      null,
    failed: isRefused ? refused?.failed : undefined,
    storedFields: (isRefused && refused?.storedFields) || [],
  };
}
