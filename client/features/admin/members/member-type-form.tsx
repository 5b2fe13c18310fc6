import type { ComponentProps, ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import { canHaveSecondary } from '../../../../shared/rules/secondary.ts';
import {
  MAX_HOURS_PER_DAY,
  MAX_HOURS_PER_EVENT,
  type MemberType,
  type MemberTypeInput,
  memberTypeInput,
} from '../../../../shared/schemas/member-type.ts';
import { createMemberType, updateMemberType } from '../../../api/admin-calls.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { ColorInput, isHexColor } from '../../../ui/fields/color-input.tsx';
import { DateInput } from '../../../ui/fields/date-input.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { namesOf } from '../../../ui/form/fields.ts';
import { RecordField } from '../../../ui/form/record-field.tsx';
import { type RecordForm, useRecordForm } from '../../../ui/form/record-form.ts';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { pageDraft } from '../forms/drafts.ts';
import { FormNotes } from '../forms/form-notes.tsx';
import { useRowEdit } from '../forms/row-edit.tsx';
import {
  type MemberTypeValues,
  proposedValues,
  useMemberTypeFields,
} from './member-type-values.ts';
import styles from './members.module.css';

type MemberTypeForm = RecordForm<MemberType, MemberTypeValues, MemberTypeInput>;

export function CreateMemberType(): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const fields = useMemberTypeFields();
  const form = useRecordForm<MemberType, MemberTypeValues, MemberTypeInput>({
    fields,
    schema: memberTypeInput,
    record: null,
    fresh: proposedValues(today),
    draft: pageDraft('member type'),
    create: async (input) => {
      const { member_type: type_name } = await createMemberType(input);
      showToast({ text: t('admin.members.created', { type_name }) });
    },
    done: () => {
      form.form.setFocus('member_type');
    },
    clears: namesOf(fields),
  });
  return (
    <Panel title={t('admin.members.newType')}>
      <Stack
        noValidate
        aria-label={t('admin.members.newType')}
        gap={4}
        as="form"
        onSubmit={form.submit}
      >
        <MemberTypeFields form={form} isNew />
        {form.refusal ? (
          <Alert tone="bad" title={t('admin.members.createFailed')}>
            {form.error}
          </Alert>
        ) : null}
        <Button type="submit" variant="primary" busy={form.busy}>
          {t('admin.members.create')}
        </Button>
      </Stack>
    </Panel>
  );
}

export function MemberTypeEditor({
  opened,
  onClose,
}: {
  opened: MemberType;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const types = useBoard((board) => board.byKind.member_type);
  const { member_type: name } = opened;
  const edit = useRowEdit<MemberType, MemberTypeValues, MemberTypeInput>({
    name: `member type ${name}`,
    fields: useMemberTypeFields(),
    schema: memberTypeInput,
    initial: opened,
    live: ({ member_type }) => types.get(member_type),
    update: (_stored, change) => updateMemberType(name, change),
    saved: t('admin.members.updated'),
    onClose,
  });
  const { busy, conflict } = edit;
  return (
    <Stack
      noValidate
      aria-label={t('admin.rows.edit', { name })}
      gap={4}
      as="form"
      onSubmit={edit.submit}
      onKeyDownCapture={edit.onKeyDown}
    >
      <MemberTypeFields form={edit} isNew={false} />
      <FormNotes what="memberType" form={edit} />
      {edit.refusal ? (
        <Alert tone="bad" title={t('admin.members.updateFailed')}>
          {edit.error}
        </Alert>
      ) : null}
      <Cluster>
        <Button
          small
          type="submit"
          variant="primary"
          busy={busy}
          disabled={conflict.outcome === 'deleted'}
          aria-label={t('admin.rows.save', { name })}
        >
          {t('common.save')}
        </Button>
        <Button
          small
          disabled={busy}
          onClick={edit.cancel}
          aria-label={t('admin.rows.cancel', { name })}
        >
          {t('common.cancel')}
        </Button>
      </Cluster>
    </Stack>
  );
}

const LAST_DATE = '9998-12-31';

interface FieldsProps {
  form: MemberTypeForm;
  /** Only a new type has a name field: keys and claims refer to a type by its name. */
  isNew: boolean;
}

function MemberTypeFields({ form, isNew }: FieldsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.fields}>
      {isNew ? (
        <RecordField form={form} name="member_type" className={styles.whole}>
          {(field) => <TextInput {...field} maxLength={60} autoComplete="off" spellCheck={false} />}
        </RecordField>
      ) : null}
      <ColorField form={form} />
      <RecordField form={form} name="voucher_duration_hours" className={styles.whole}>
        {(field) => <HoursInput {...field} max={24} />}
      </RecordField>
      <RecordField form={form} name="earliest_submission_date" className={styles.whole}>
        {(field) => <DateInput {...field} max={LAST_DATE} />}
      </RecordField>
      {(['max_hours_per_day', 'max_hours_per_event'] as const).map((name) => (
        <RecordField key={name} form={form} name={name}>
          {(field) => (
            <HoursInput
              {...field}
              max={name === 'max_hours_per_day' ? MAX_HOURS_PER_DAY : MAX_HOURS_PER_EVENT}
              placeholder={t('admin.members.noLimit')}
            />
          )}
        </RecordField>
      ))}
      <RecordField
        form={form}
        name="guild_ranks"
        hint={t('admin.members.ranksHint')}
        className={styles.whole}
      >
        {(field) => <TextInput {...field} autoComplete="off" />}
      </RecordField>
      <div className={styles.flags}>
        <Flag form={form} name="can_submit" />
        {canHaveSecondary(form.typed.member_type) ? (
          <Flag form={form} name="allow_secondary_claims" />
        ) : null}
      </div>
    </div>
  );
}

const HoursInput = (props: ComponentProps<typeof TextInput>): ReactNode => (
  <TextInput {...props} type="number" inputMode="numeric" min={1} step={1} />
);

function ColorField({ form }: Pick<FieldsProps, 'form'>): ReactNode {
  const { t } = useTranslation();
  const { member_type, background_color } = form.typed;
  return (
    <div className={styles.colorRow}>
      <RecordField form={form} name="background_color">
        {({ ref, value, onChange, onBlur }) => (
          <ColorInput
            ref={ref}
            value={value}
            onChange={onChange}
            onBlur={onBlur}
            pickLabel={t('admin.members.pickColor')}
          />
        )}
      </RecordField>
      <div className={styles.preview}>
        <span>{t('admin.members.preview')}</span>
        <MemberTypeBadge
          memberType={tidyName(member_type) || t('admin.members.unnamed')}
          color={isHexColor(background_color) ? background_color : undefined}
        />
      </div>
    </div>
  );
}

interface FlagProps extends Pick<FieldsProps, 'form'> {
  name: 'can_submit' | 'allow_secondary_claims';
}

function Flag({ form: { form, fields }, name }: FlagProps): ReactNode {
  const { field } = useController({ control: form.control, name });
  const { ref, value, onChange, onBlur } = field;
  // Without the field's name: several member types may be open, and checkboxes of one name belong together.
  return (
    <Checkbox
      ref={ref}
      checked={value}
      onChange={onChange}
      onBlur={onBlur}
      label={fields[name].label}
    />
  );
}
