import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { HOURS_IN_DAY } from '../../../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../../../shared/schemas/claim.ts';
import { useServerSaveTime } from '../../../../state/clock.ts';
import { Field } from '../../../../ui/fields/field.tsx';
import { TextInput } from '../../../../ui/fields/inputs.tsx';
import { useLocalTime } from '../../../../ui/hours/hours-text.tsx';
import type { TimesTyped } from './times.ts';

const BOUNDS = { hour_start: { min: 0, max: HOURS_IN_DAY - 1 }, hour_end: { min: 1, max: HOURS_IN_DAY } } as const;

interface HourFieldProps {
  field: keyof TimesTyped;
  value: string;
  /** For the local time of its date. */
  claim: ClaimOnRespawn;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** An SS hour, and what time that is for the admin. */
export function HourField({ field, value, claim, error, onChange }: HourFieldProps): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const localTime = useLocalTime();
  const { min, max } = BOUNDS[field];
  const hour = Number(value);
  const isHour = value !== '' && Number.isInteger(hour) && hour >= min && hour <= max;
  return (
    <Field
      label={t(`admin.claims.form.${field}`)}
      hint={isHour ? t('time.yours', { time: localTime(claim.date ?? today, hour) }) : t('admin.claims.form.between', { min, max })}
      error={error}
    >
      <TextInput
        name={field}
        type="number"
        inputMode="numeric"
        min={min}
        max={max}
        step={1}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
