import type { ReactNode } from 'react';
import { type Control, useController, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import {
  MAX_HOURS_PER_DAY,
  MAX_HOURS_PER_EVENT,
  type MemberType,
} from '../../../../shared/schemas/member-type.ts';
import { createMemberType, updateMemberType } from '../../../api/admin-calls.ts';
import { useErrorText, useFieldError } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { ColorInput, isHexColor } from '../../../ui/fields/color-input.tsx';
import { DateInput } from '../../../ui/fields/date-input.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { Cluster } from '../../../ui/layout.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useDraft } from '../forms/drafts.ts';
import { EditConflictNotice } from '../forms/edit-conflict.tsx';
import { useRowEdit } from '../forms/row-edit.tsx';
import { useRefusal, useSubmitForm } from '../forms/submit-form.ts';
import {
  changeOf,
  checkMemberType,
  differingFields,
  fieldOf,
  inputOf,
  type MemberTypeValues,
  proposedValues,
  useMemberTypeWords,
  valuesOf,
} from './member-type-values.ts';
import styles from './members.module.css';

export function CreateMemberType(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { date: today } = useServerSaveTime();
  const form = useForm<MemberTypeValues>({
    defaultValues: proposedValues(today),
    resolver: checkMemberType,
  });
  useDraft('member type', form);
  const create = async (values: MemberTypeValues): Promise<void> => {
    const { member_type: type_name } = await createMemberType(inputOf(values));
    showToast({ text: t('admin.members.created', { type_name }) });
    // The next type may have been typed meanwhile.
    if (form.getValues('member_type') === values.member_type) form.reset(proposedValues(today));
    form.setFocus('member_type');
  };
  const { submit, busy, isRefused, error } = useSubmitForm(form, create, (failure) => ({
    field: fieldOf(failure),
    text: errorText(failure),
  }));
  return (
    <Panel title={t('admin.members.newType')}>
      <form
        noValidate
        aria-label={t('admin.members.newType')}
        className={styles.form}
        onSubmit={submit}
      >
        <MemberTypeFields control={form.control} isNew />
        {isRefused ? (
          <Alert tone="bad" title={t('admin.members.createFailed')}>
            {error}
          </Alert>
        ) : null}
        <Button type="submit" variant="primary" busy={busy}>
          {t('admin.members.create')}
        </Button>
      </form>
    </Panel>
  );
}

/** Edits a type in its card. */
export function MemberTypeEditor({
  opened,
  onClose,
}: {
  opened: MemberType;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const types = useBoard((board) => board.byKind.member_type);
  const words = useMemberTypeWords();
  const { member_type: name } = opened;
  const { form, busy, conflict, notice, save, cancel, onKeyDown } = useRowEdit<
    MemberType,
    MemberTypeValues
  >({
    name: `member type ${name}`,
    form: useForm<MemberTypeValues>({ defaultValues: valuesOf(opened), resolver: checkMemberType }),
    initial: opened,
    liveOf: ({ member_type }) => types.get(member_type),
    valuesOf,
    differing: differingFields,
    save: (stored, values) => updateMemberType(name, changeOf(stored, values)),
    refusalOf: (failure) => ({ field: fieldOf(failure), text: errorText(failure) }),
    saved: t('admin.members.updated'),
    onClose,
  });
  const { isRefused, error } = useRefusal(form.control);
  return (
    <form
      noValidate
      aria-label={t('admin.members.editName', { name })}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDownCapture={onKeyDown}
    >
      <MemberTypeFields control={form.control} isNew={false} />
      <EditConflictNotice ref={notice} what="memberType" edit={conflict} {...words} />
      {isRefused ? (
        <Alert tone="bad" title={t('admin.members.updateFailed')}>
          {error}
        </Alert>
      ) : null}
      <Cluster>
        <Button
          small
          type="submit"
          variant="primary"
          busy={busy}
          disabled={conflict.outcome === 'deleted'}
          aria-label={t('admin.members.saveName', { name })}
        >
          {t('common.save')}
        </Button>
        <Button
          small
          disabled={busy}
          onClick={cancel}
          aria-label={t('admin.members.cancelName', { name })}
        >
          {t('common.cancel')}
        </Button>
      </Cluster>
    </form>
  );
}

const LAST_DATE = '9998-12-31';

interface FieldsProps {
  control: Control<MemberTypeValues>;
  /** Only a new type has a name field: keys and claims refer to a type by its name. */
  isNew: boolean;
}

function MemberTypeFields({ control, isNew }: FieldsProps): ReactNode {
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
        <Flag
          control={control}
          name="allow_secondary_claims"
          label={label('allow_secondary_claims')}
        />
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

/** Empty: no limit. */
function BudgetField({ control, name, max }: BudgetProps): ReactNode {
  const { t } = useTranslation();
  const errorOf = useFieldError();
  const { field, fieldState } = useController({ control, name });
  const label = t(`admin.members.fields.${name}`);
  return (
    <Field label={label} error={errorOf(fieldState.error, label)}>
      <TextInput
        {...field}
        type="number"
        inputMode="numeric"
        min={1}
        max={max}
        step={1}
        placeholder={t('admin.members.noLimit')}
      />
    </Field>
  );
}

/** The colour with a preview of the badge. */
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
        <MemberTypeBadge
          memberType={tidyName(name.field.value) || t('admin.members.unnamed')}
          color={color}
        />
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
  const { ref, value, onChange, onBlur } = field;
  // Without the field's name: several member types may be open, and checkboxes of one name belong together.
  return <Checkbox ref={ref} checked={value} onChange={onChange} onBlur={onBlur} label={label} />;
}
