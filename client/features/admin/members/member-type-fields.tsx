import type { ReactNode } from 'react';
import { type Control, useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import { MAX_HOURS_PER_DAY, MAX_HOURS_PER_EVENT } from '../../../../shared/schemas/member-type.ts';
import { useFieldError } from '../../../lib/words/error-text.ts';
import { ColorInput, isHexColor } from '../../../ui/fields/color-input.tsx';
import { DateInput } from '../../../ui/fields/date-input.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { Checkbox, TextInput } from '../../../ui/fields/inputs.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import type { MemberTypeValues } from './member-type-values.ts';
import styles from './members.module.css';

const LAST_DATE = '9998-12-31';

interface FieldsProps {
  control: Control<MemberTypeValues>;
  /** Keys and claims know a type by its name: only a new one is named. */
  isNew: boolean;
}

export function MemberTypeFields({ control, isNew }: FieldsProps): ReactNode {
  const { t } = useTranslation();
  const errorOf = useFieldError();
  const hours = useController({ control, name: 'voucher_duration_hours' });
  const date = useController({ control, name: 'earliest_submission_date' });
  const ranks = useController({ control, name: 'guild_ranks' });
  const label = (field: keyof MemberTypeValues): string => t(`admin.members.fields.${field}`);
  return (
    <div className={styles.fields}>
      {isNew ? <NameField control={control} /> : null}
      <ColorField control={control} />
      <Field
        label={label('voucher_duration_hours')}
        error={errorOf(hours.fieldState.error, label('voucher_duration_hours'))}
        className={styles.whole}
      >
        <TextInput {...hours.field} type="number" inputMode="numeric" min={1} max={24} step={1} />
      </Field>
      <Field
        label={label('earliest_submission_date')}
        error={errorOf(date.fieldState.error, label('earliest_submission_date'))}
        className={styles.whole}
      >
        <DateInput {...date.field} max={LAST_DATE} />
      </Field>
      <BudgetField control={control} name="max_hours_per_day" max={MAX_HOURS_PER_DAY} />
      <BudgetField control={control} name="max_hours_per_event" max={MAX_HOURS_PER_EVENT} />
      <Field
        label={label('guild_ranks')}
        hint={t('admin.members.ranksHint')}
        error={errorOf(ranks.fieldState.error, label('guild_ranks'))}
        className={styles.whole}
      >
        <TextInput {...ranks.field} autoComplete="off" />
      </Field>
      <div className={styles.flags}>
        <Flag control={control} name="can_submit" label={label('can_submit')} />
        <Flag control={control} name="allow_secondary_claims" label={label('allow_secondary_claims')} />
      </div>
    </div>
  );
}

function NameField({ control }: Pick<FieldsProps, 'control'>): ReactNode {
  const { t } = useTranslation();
  const errorOf = useFieldError();
  const { field, fieldState } = useController({ control, name: 'member_type' });
  const label = t('admin.members.fields.member_type');
  return (
    <Field label={label} error={errorOf(fieldState.error, label)} className={styles.whole}>
      <TextInput {...field} maxLength={60} autoComplete="off" spellCheck={false} />
    </Field>
  );
}

interface BudgetProps extends Pick<FieldsProps, 'control'> {
  name: 'max_hours_per_day' | 'max_hours_per_event';
  max: number;
}

/** Empty where members may have as many hours as they like. */
function BudgetField({ control, name, max }: BudgetProps): ReactNode {
  const { t } = useTranslation();
  const errorOf = useFieldError();
  const { field, fieldState } = useController({ control, name });
  const label = t(`admin.members.fields.${name}`);
  return (
    <Field label={label} error={errorOf(fieldState.error, label)}>
      <TextInput {...field} type="number" inputMode="numeric" min={1} max={max} step={1} placeholder={t('admin.members.noBudget')} />
    </Field>
  );
}

/** The colour, and the badge as it will look. */
function ColorField({ control }: Pick<FieldsProps, 'control'>): ReactNode {
  const { t } = useTranslation();
  const errorOf = useFieldError();
  const name = useController({ control, name: 'member_type' });
  const { field, fieldState } = useController({ control, name: 'background_color' });
  const label = t('admin.members.fields.background_color');
  const color = isHexColor(field.value) ? field.value : undefined;
  return (
    <div className={styles.colorRow}>
      <Field label={label} error={errorOf(fieldState.error, label)}>
        <ColorInput
          ref={field.ref}
          value={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
          pickLabel={t('admin.members.pickColor')}
        />
      </Field>
      <div className={styles.preview}>
        <span>{t('admin.members.preview')}</span>
        <MemberTypeBadge memberType={tidyName(name.field.value) || t('admin.members.unnamed')} color={color} />
      </div>
    </div>
  );
}

function Flag({
  control,
  name,
  label,
}: {
  control: Control<MemberTypeValues>;
  name: 'can_submit' | 'allow_secondary_claims';
  label: string;
}): ReactNode {
  const { field } = useController({ control, name });
  const { value, ...rest } = field;
  return <Checkbox {...rest} checked={value} label={label} />;
}
