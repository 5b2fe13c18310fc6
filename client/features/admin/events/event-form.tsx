import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { type Control, useController, useForm, useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { isErrorCode } from '../../../../shared/errors.ts';
import { eventDate, periodRefusal } from '../../../../shared/rules/event-period.ts';
import { datesBetween } from '../../../../shared/rules/server-save.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import { createEvent, updateEvent } from '../../../api/admin-calls.ts';
import { ApiError } from '../../../api/request.ts';
import { useEditConflict } from '../../../lib/use-edit-conflict.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { DateInput } from '../../../ui/fields/date-input.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextArea, TextInput } from '../../../ui/fields/inputs.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { showToast } from '../../../ui/toast.tsx';
import {
  ConflictingClaims,
  conflictingClaimsIn,
  countConflicts,
} from '../forms/conflicting-claims.tsx';
import { useInterruptedEdit, useKeepEdit } from '../forms/drafts.ts';
import { EditConflictNotice } from '../forms/edit-conflict.tsx';
import { useAskToActivate } from './event-row.tsx';
import {
  changeOf,
  checkEvent,
  differingFields,
  type EventValues,
  inputOf,
  proposedValues,
  useEventWords,
  valuesOf,
} from './event-values.ts';
import styles from './events.module.css';

/** Where a refusal of the server belongs, when it is about one field. */
const FIELD_OF: { [code: string]: keyof EventValues | undefined } = {
  'event.nameRequired': 'name',
  'event.nameExists': 'name',
  'event.timesRequired': 'start_time',
  'event.endBeforeStart': 'end_time',
  'event.tooLong': 'end_time',
};

const fieldOf = (error: unknown): keyof EventValues | undefined =>
  error instanceof ApiError ? FIELD_OF[error.code] : undefined;

/** Creates or edits an event. Input is kept if the server refuses it. */
function EventForm({ event, onDone }: { event: Event | null; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { date: today } = useServerSaveTime();
  const [refusal, setRefusal] = useState<unknown>(null);
  const notice = useRef<HTMLDivElement>(null);
  const draft = event ? `event ${event.id}` : 'event';
  const fresh = event ? valuesOf(event) : proposedValues(today);
  const { opened, values } = useInterruptedEdit<Event | null, EventValues>(draft) ?? {
    opened: event,
    values: fresh,
  };
  const form = useForm<EventValues>({ defaultValues: values, resolver: checkEvent });
  const { isSubmitting } = useFormState({ control: form.control });
  const live = useBoard((board) => (opened ? board.byKind.event.get(opened.id) : undefined));
  const typed = useWatch({ control: form.control, compute: (values) => values });
  const edit = useEditConflict({
    opened,
    live,
    valuesOf,
    differing: differingFields,
    typed,
    fill: form.reset,
    saving: isSubmitting,
  });
  const words = useEventWords();
  const askToActivate = useAskToActivate();
  const { stored } = edit;
  const isChanged = differingFields(stored ? valuesOf(stored) : fresh, typed).length > 0;
  useKeepEdit(draft, isChanged ? { opened: stored, values: typed } : null);

  const save = async (values: EventValues): Promise<void> => {
    setRefusal(null);
    try {
      if (!stored) {
        const created = await createEvent(inputOf(values));
        showToast({
          text: t('admin.events.created', { event_name: created.name }),
          actions: [{ label: t('admin.events.activate'), onPress: () => askToActivate(created) }],
        });
      } else {
        const change = changeOf(stored, values);
        if (Object.keys(change).length > 0) await updateEvent(stored.id, change);
        showToast({ text: t('admin.events.updated') });
      }
      onDone();
    } catch (error) {
      setRefusal(error);
      const field = fieldOf(error);
      if (field)
        form.setError(field, { type: 'refused', message: errorText(error) }, { shouldFocus: true });
    }
  };

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (edit.theirs) notice.current?.focus();
    else if (!isSubmitting) void form.handleSubmit(save)(event);
  };

  return (
    <form noValidate className={styles.form} onSubmit={submit}>
      <EventFields control={form.control} hasClaims={(stored?.claim_count ?? 0) > 0} />
      <EditConflictNotice ref={notice} what="event" edit={edit} {...words} />
      {refusal ? (
        <EventRefusal
          error={refusal}
          title={stored ? t('admin.events.updateFailed') : t('admin.events.createFailed')}
          atField={fieldOf(refusal) !== undefined}
        />
      ) : null}
      <DialogActions onCancel={onDone} busy={isSubmitting} isChanged={isChanged}>
        <Button
          type="submit"
          variant="primary"
          busy={isSubmitting}
          disabled={edit.outcome === 'deleted'}
        >
          {stored ? t('admin.events.form.save') : t('admin.events.form.create')}
        </Button>
      </DialogActions>
    </form>
  );
}

export function EventDialog({
  subject,
  onClose,
}: {
  subject: 'new' | Event | null;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const title =
    subject === 'new' ? t('admin.events.form.createTitle') : t('admin.events.form.editTitle');
  return (
    <Dialog open={subject !== null} onOpenChange={onClose} title={title} wide>
      {subject === null ? null : (
        <EventForm event={subject === 'new' ? null : subject} onDone={onClose} />
      )}
    </Dialog>
  );
}

/** Why the server refused an event. It takes the focus, unless a field does. */
function EventRefusal({
  error,
  title,
  atField,
}: {
  error: unknown;
  title: string;
  atField: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!atField && error) box.current?.focus();
  }, [error, atField]);
  const claims = conflictingClaimsIn(error);
  const taken = error instanceof ApiError && error.code === 'event.hoursTaken';
  return (
    <div ref={box} tabIndex={-1} className={styles.notice}>
      <Alert tone="bad" title={title}>
        {claims ? (
          <>
            <p>
              {t(taken ? 'admin.events.hoursTaken' : 'admin.events.claimsOutside', {
                count: countConflicts(error),
              })}
            </p>
            <ConflictingClaims claims={claims} count={countConflicts(error)} />
          </>
        ) : (
          errorText(error)
        )}
      </Alert>
    </div>
  );
}

const TYPES = ['multiple_claims', 'single_claim'] as const;
const LAST_DATE = '9999-12-31';

interface FieldsProps {
  control: Control<EventValues>;
  /** The type of an event that has claims cannot be changed. */
  hasClaims: boolean;
}

function EventFields({ control, hasClaims }: FieldsProps): ReactNode {
  const { t } = useTranslation();
  const errorOf = useFieldError();
  const name = useController({ control, name: 'name' });
  const type = useController({ control, name: 'type' });
  const template = useController({ control, name: 'single_claim_template' });
  return (
    <>
      <Field label={t('admin.events.form.name')} error={errorOf(name.fieldState.error?.message)}>
        <TextInput {...name.field} maxLength={60} autoComplete="off" />
      </Field>
      <Field
        label={t('admin.events.form.type')}
        hint={
          hasClaims
            ? t('errors.event.typeHasClaims')
            : t(`admin.events.typeHint.${type.field.value}`)
        }
      >
        <Select
          value={type.field.value}
          options={TYPES.map((value) => ({ value, label: t(`admin.events.type.${value}`) }))}
          onChange={type.field.onChange}
          disabled={hasClaims}
        />
      </Field>
      <PeriodFields control={control} />
      {type.field.value === 'single_claim' ? (
        <Field
          label={t('admin.events.form.template')}
          hint={t('admin.events.form.templateHint')}
          error={errorOf(template.fieldState.error?.message)}
        >
          <TextArea {...template.field} maxLength={2000} />
        </Field>
      ) : null}
    </>
  );
}

function PeriodFields({ control }: Pick<FieldsProps, 'control'>): ReactNode {
  const { t } = useTranslation();
  const errorOf = useFieldError();
  const start = useController({ control, name: 'start_time' });
  const end = useController({ control, name: 'end_time' });
  const [start_time, end_time] = useWatch({ control, name: ['start_time', 'end_time'] });
  const days =
    start_time && end_time && !periodRefusal({ start_time, end_time })
      ? datesBetween(eventDate(start_time), eventDate(end_time)).length
      : 0;
  return (
    <div className={styles.periodFields}>
      <div className={styles.times}>
        <Field
          label={t('admin.events.form.start')}
          error={errorOf(start.fieldState.error?.message)}
        >
          <DateInput {...start.field} max={LAST_DATE} />
        </Field>
        <Field label={t('admin.events.form.end')} error={errorOf(end.fieldState.error?.message)}>
          <DateInput {...end.field} max={LAST_DATE} />
        </Field>
      </div>
      <p className={styles.hint}>
        {days > 0 ? <strong>{t('admin.events.days', { count: days })}. </strong> : null}
        {t('admin.events.form.datesHint')}
      </p>
    </div>
  );
}

/** Our schema's messages are error codes; the server's are sentences. */
function useFieldError(): (message: string | undefined) => string | undefined {
  const { t } = useTranslation();
  return (message) => (message && isErrorCode(message) ? t(`errors.${message}`, {}) : message);
}
