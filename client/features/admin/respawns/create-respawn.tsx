import type { ReactNode } from 'react';
import { type FieldErrors, type Resolver, useController, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import { DEFAULT_CATEGORY_ID } from '../../../../shared/schemas/category.ts';
import { respawnInput } from '../../../../shared/schemas/respawn.ts';
import { createRespawn } from '../../../api/admin-calls.ts';
import { ApiError } from '../../../api/request.ts';
import { useBodyText, useFieldError } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { PictureInput } from '../../../ui/fields/file-input.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useDraft } from '../forms/drafts.ts';
import { useSubmitForm } from '../forms/submit-form.ts';
import {
  CategorySelect,
  IMAGE_TYPE,
  imageProblem,
  useImageProblemText,
} from './respawn-fields.tsx';
import styles from './respawns.module.css';

interface NewRespawnValues {
  name: string;
  image: File | null;
  category_id: number | null;
}

/** Creates a respawn with its picture. */
export function CreateRespawn(): ReactNode {
  const { t } = useTranslation();
  const bodyText = useBodyText();
  const errorOf = useFieldError();
  const form = useForm<NewRespawnValues>({
    defaultValues: { name: '', image: null, category_id: DEFAULT_CATEGORY_ID },
    resolver: useCheck(),
  });
  useDraft('spot', form);
  const name = useController({ control: form.control, name: 'name' });
  const image = useController({ control: form.control, name: 'image' });
  const category = useController({ control: form.control, name: 'category_id' });
  const send = async (values: NewRespawnValues): Promise<void> => {
    try {
      await createRespawn(formDataOf(values));
      showToast({ text: t('admin.respawns.created') });
      // The next name and picture may have been chosen during the upload.
      const now = form.getValues();
      form.reset({
        name: now.name === values.name ? '' : now.name,
        image: now.image === values.image ? null : now.image,
        category_id: now.category_id,
      });
    } finally {
      form.setFocus('name');
    }
  };
  const { submit, busy, error } = useSubmitForm(form, send, (failure) => ({
    text: withStatus(failure, bodyText(failure)),
  }));
  const label = (field: keyof NewRespawnValues): string => t(`admin.respawns.fields.${field}`);
  return (
    <form
      noValidate
      aria-label={t('admin.respawns.newRespawn')}
      className={styles.create}
      onSubmit={submit}
    >
      <Field label={label('name')} error={errorOf(name.fieldState.error, label('name'))}>
        <TextInput {...name.field} maxLength={60} autoComplete="off" spellCheck={false} />
      </Field>
      <Field label={label('image')} error={image.fieldState.error?.message}>
        <PictureInput
          accept={IMAGE_TYPE}
          file={image.field.value}
          onFile={(file) => {
            image.field.onChange(file);
            form.clearErrors('root');
            void form.trigger('image');
          }}
          name={tidyName(name.field.value)}
          prompt={t('admin.respawns.chooseImage')}
        />
      </Field>
      <Field label={label('category_id')}>
        <CategorySelect required value={category.field.value} onChange={category.field.onChange} />
      </Field>
      <Button type="submit" variant="primary" busy={busy} className={styles.createButton}>
        {busy ? t('admin.respawns.sending') : t('admin.respawns.create')}
      </Button>
      {error ? (
        <div className={styles.refusal}>
          <Alert tone="bad">{t('admin.respawns.createFailed', { reason: error })}</Alert>
        </div>
      ) : null}
    </form>
  );
}

function useCheck(): Resolver<NewRespawnValues> {
  const { t } = useTranslation();
  const imageProblemText = useImageProblemText();
  return async (values) => {
    const errors: FieldErrors<NewRespawnValues> = {};
    const issue = respawnInput.shape.name.safeParse(values.name).error?.issues[0];
    if (issue) errors.name = { type: 'check', message: issue.message };
    const { image } = values;
    const problem = image && (await imageProblem(image));
    if (!image) errors.image = { type: 'check', message: t('errors.respawn.imageRequired') };
    else if (problem) errors.image = { type: 'check', message: imageProblemText(problem, image) };
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
  };
}

function formDataOf({ name, image, category_id }: NewRespawnValues): FormData {
  const data = new FormData();
  data.set('name', tidyName(name));
  if (image) data.set('image', image);
  if (category_id !== null) data.set('category_id', String(category_id));
  return data;
}

/** Section 8 of the specification adds the status; a request without an answer has none. */
const withStatus = (error: unknown, reason: string): string =>
  error instanceof ApiError && error.status > 0 ? `${error.status} ${reason}` : reason;
