import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useForm, useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { MemberType } from '../../../../shared/schemas/member-type.ts';
import { updateMemberType } from '../../../api/calls.ts';
import { SAID_BY_SERVER, useErrorText } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { EditConflictNotice, useEditConflict } from '../forms/edit-conflict.tsx';
import { MemberTypeFields } from './member-type-fields.tsx';
import {
  changeOf,
  checkMemberType,
  differingFields,
  fieldOf,
  type MemberTypeValues,
  useMemberTypeWords,
  valuesOf,
} from './member-type-values.ts';
import styles from './members.module.css';

export interface MemberTypeEditorProps {
  opened: MemberType;
  /** As it is now; undefined when it is gone. */
  live: MemberType | undefined;
  onDone: () => void;
}

/** Edits a type in its card. Only what was changed is sent. */
export function MemberTypeEditor({ opened, live, onDone }: MemberTypeEditorProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [refusal, setRefusal] = useState<unknown>(null);
  const notice = useRef<HTMLDivElement>(null);
  const form = useForm<MemberTypeValues>({ defaultValues: valuesOf(opened), resolver: checkMemberType });
  const { isSubmitting } = useFormState({ control: form.control });
  const typed = useWatch({ control: form.control, compute: (values) => values });
  const edit = useEditConflict({ opened, live, valuesOf, differing: differingFields, typed, fill: form.reset, saving: isSubmitting });
  const words = useMemberTypeWords();
  const { member_type: name } = opened;

  const save = async (values: MemberTypeValues): Promise<void> => {
    setRefusal(null);
    try {
      const change = changeOf(edit.stored ?? opened, values);
      if (Object.keys(change).length > 0) await updateMemberType(name, change);
      showToast({ text: t('admin.members.updated') });
      onDone();
    } catch (error) {
      setRefusal(error);
      const field = fieldOf(error);
      if (field) form.setError(field, { type: SAID_BY_SERVER, message: errorText(error) }, { shouldFocus: true });
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (edit.theirs) notice.current?.focus();
    else void form.handleSubmit(save)(event);
  };
  const cancelByKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !isSubmitting) onDone();
  };

  return (
    <form noValidate aria-label={t('admin.members.editName', { name })} className={styles.form} onSubmit={submit} onKeyDown={cancelByKey}>
      <MemberTypeFields control={form.control} isNew={false} />
      <EditConflictNotice ref={notice} what="memberType" edit={edit} {...words} />
      {refusal ? (
        <Alert tone="bad" title={t('admin.members.updateFailed')}>
          {fieldOf(refusal) ? null : errorText(refusal)}
        </Alert>
      ) : null}
      <div className={styles.actions}>
        <Button
          small
          type="submit"
          variant="primary"
          busy={isSubmitting}
          disabled={edit.outcome === 'deleted'}
          aria-label={t('admin.members.saveName', { name })}
        >
          {t('common.save')}
        </Button>
        <Button small disabled={isSubmitting} onClick={onDone} aria-label={t('admin.members.cancelName', { name })}>
          {t('common.cancel')}
        </Button>
      </div>
    </form>
  );
}
