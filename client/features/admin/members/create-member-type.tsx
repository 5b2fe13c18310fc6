import { type ReactNode, useState } from 'react';
import { useForm, useFormState } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { createMemberType } from '../../../api/calls.ts';
import { SAID_BY_SERVER, useErrorText } from '../../../lib/words/error-text.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { MemberTypeFields } from './member-type-fields.tsx';
import { checkMemberType, fieldOf, inputOf, type MemberTypeValues, proposedValues } from './member-type-values.ts';
import styles from './members.module.css';

/** Makes a member type. What was typed stays until it worked. */
export function CreateMemberType(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { date: today } = useServerSaveTime();
  const [refusal, setRefusal] = useState<unknown>(null);
  const form = useForm<MemberTypeValues>({ defaultValues: proposedValues(today), resolver: checkMemberType });
  const { isSubmitting } = useFormState({ control: form.control });

  const create = async (values: MemberTypeValues): Promise<void> => {
    setRefusal(null);
    try {
      const { member_type: type_name } = await createMemberType(inputOf(values));
      showToast({ text: t('admin.members.created', { type_name }) });
      form.reset(proposedValues(today));
      form.setFocus('member_type');
    } catch (error) {
      setRefusal(error);
      const field = fieldOf(error);
      if (field) form.setError(field, { type: SAID_BY_SERVER, message: errorText(error) }, { shouldFocus: true });
    }
  };

  return (
    <Panel title={t('admin.members.newType')} className={styles.create}>
      <form noValidate aria-label={t('admin.members.newType')} className={styles.form} onSubmit={form.handleSubmit(create)}>
        <MemberTypeFields control={form.control} isNew />
        {refusal ? (
          <Alert tone="bad" title={t('admin.members.createFailed')}>
            {fieldOf(refusal) ? null : errorText(refusal)}
          </Alert>
        ) : null}
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {t('admin.members.create')}
        </Button>
      </form>
    </Panel>
  );
}
