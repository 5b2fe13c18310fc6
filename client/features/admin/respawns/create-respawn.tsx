import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import { DEFAULT_CATEGORY_ID } from '../../../../shared/schemas/category.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { createRespawn } from '../../../api/admin-calls.ts';
import { ApiError } from '../../../api/request.ts';
import { useBodyText } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { PictureInput } from '../../../ui/fields/file-input.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { RecordField } from '../../../ui/form/record-field.tsx';
import { useRecordForm } from '../../../ui/form/record-form.ts';
import { showToast } from '../../../ui/toast.tsx';
import { pageDraft } from '../forms/drafts.ts';
import {
  CategorySelect,
  IMAGE_TYPE,
  type NewRespawn,
  newRespawn,
  type RespawnValues,
  useRespawnFields,
} from './respawn-fields.tsx';
import styles from './respawns.module.css';

export function CreateRespawn(): ReactNode {
  const { t } = useTranslation();
  const bodyText = useBodyText();
  const form = useRecordForm<Respawn, RespawnValues, NewRespawn>({
    fields: useRespawnFields(),
    schema: newRespawn,
    record: null,
    fresh: { name: '', image: '', is_enabled: true, category_id: DEFAULT_CATEGORY_ID },
    draft: pageDraft('spot'),
    create: async (input) => {
      try {
        await createRespawn(formDataOf(input));
      } finally {
        form.form.setFocus('name');
      }
    },
    done: () => showToast({ text: t('admin.respawns.created') }),
    // The next spot is often of the same category.
    clears: ['name', 'image'],
    refusalOf: (_reason, error) => ({
      text: t('admin.respawns.createFailed', { reason: withStatus(error, bodyText(error)) }),
    }),
  });
  const { busy, error } = form;
  return (
    <form
      noValidate
      aria-label={t('admin.respawns.newRespawn')}
      className={styles.create}
      onSubmit={form.submit}
    >
      <RecordField form={form} name="name">
        {(field) => <TextInput {...field} maxLength={60} autoComplete="off" spellCheck={false} />}
      </RecordField>
      <RecordField form={form} name="image">
        {({ value, onChange }) => (
          <PictureInput
            accept={IMAGE_TYPE}
            file={value instanceof File ? value : null}
            onFile={(file) => {
              onChange(file ?? '');
              form.form.clearErrors('root');
              void form.form.trigger('image');
            }}
            name={tidyName(form.typed.name)}
            prompt={t('admin.respawns.chooseImage')}
          />
        )}
      </RecordField>
      <RecordField form={form} name="category_id">
        {({ value, onChange }) => <CategorySelect required value={value} onChange={onChange} />}
      </RecordField>
      <Button type="submit" variant="primary" busy={busy} className={styles.createButton}>
        {busy ? t('admin.respawns.sending') : t('admin.respawns.create')}
      </Button>
      {error ? (
        <div className={styles.refusal}>
          <Alert tone="bad">{error}</Alert>
        </div>
      ) : null}
    </form>
  );
}

function formDataOf({ name, image, category_id }: NewRespawn): FormData {
  const data = new FormData();
  data.set('name', name);
  data.set('image', image);
  if (category_id !== null) data.set('category_id', String(category_id));
  return data;
}

/** Section 8 of the specification adds the status; a request without an answer has none. */
const withStatus = (error: unknown, reason: string): string =>
  error instanceof ApiError && error.status > 0 ? `${error.status} ${reason}` : reason;
