import type { ReactNode } from 'react';
import { type Control, useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { isErrorCode } from '../../../../shared/errors.ts';
import { eventDate, periodRefusal } from '../../../../shared/rules/event-period.ts';
import { datesBetween } from '../../../../shared/rules/server-save.ts';
import { DateInput } from '../../../ui/fields/date-input.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextArea, TextInput } from '../../../ui/fields/inputs.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import type { EventValues } from './event-values.ts';
import styles from './events.module.css';

const TYPES = ['multiple_claims', 'single_claim'] as const;
const LAST_TIME = '9999-12-31T23:59';

interface FieldsProps {
  control: Control<EventValues>;
  /** The type of an event that has claims cannot be changed. */
  hasClaims: boolean;
}

export function EventFields({ control, hasClaims }: FieldsProps): ReactNode {
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
        hint={hasClaims ? t('errors.event.typeHasClaims') : t(`admin.events.typeHint.${type.field.value}`)}
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
        <Field label={t('admin.events.form.start')} error={errorOf(start.fieldState.error?.message)}>
          <DateInput {...start.field} withTime max={LAST_TIME} />
        </Field>
        <Field label={t('admin.events.form.end')} error={errorOf(end.fieldState.error?.message)}>
          <DateInput {...end.field} withTime max={LAST_TIME} />
        </Field>
      </div>
      <p className={styles.hint}>
        {days > 0 ? <strong>{t('admin.events.days', { count: days })}. </strong> : null}
        {t('admin.events.form.datesHint')}
      </p>
    </div>
  );
}

/** A message of our schema is an error code; the server's refusals come as sentences. */
function useFieldError(): (message: string | undefined) => string | undefined {
  const { t } = useTranslation();
  return (message) => (message && isErrorCode(message) ? t(`errors.${message}`, {}) : message);
}
