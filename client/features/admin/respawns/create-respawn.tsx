import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import { DEFAULT_CATEGORY_ID } from '../../../../shared/schemas/category.ts';
import { createRespawn } from '../../../api/calls.ts';
import { ApiError } from '../../../api/request.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { PictureInput } from '../../../ui/fields/picture-input.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { CategorySelect } from './category-select.tsx';
import { IMAGE_TYPE, imageProblem, useImageProblem } from './respawn-values.ts';
import styles from './respawns.module.css';

/** Makes a respawn with its picture. What was typed and chosen stays until it worked. */
export function CreateRespawn(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [typed, setTyped] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const unfit = useImageProblem(file);
  const [category, setCategory] = useState<number | null>(DEFAULT_CATEGORY_ID);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const nameField = useRef<HTMLInputElement>(null);
  const name = tidyName(typed);
  const missing = tried && !file ? t('errors.respawn.imageRequired') : null;

  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setTried(true);
    setRefusal(null);
    if (!name) nameField.current?.focus();
    if (!name || !file) return;
    setBusy(true);
    if (await imageProblem(file)) {
      setBusy(false);
      return;
    }
    const form = new FormData();
    form.set('name', name);
    form.set('image', file);
    if (category !== null) form.set('category_id', String(category));
    try {
      await createRespawn(form);
      showToast({ text: t('admin.respawns.created') });
      setTyped('');
      setFile(null);
      setTried(false);
    } catch (error) {
      setRefusal(error);
    }
    setBusy(false);
    nameField.current?.focus();
  };

  return (
    <form noValidate aria-label={t('admin.respawns.newRespawn')} className={styles.create} onSubmit={(event) => void create(event)}>
      <Field label={t('admin.respawns.fields.name')} error={tried && !name ? t('errors.respawn.nameRequired') : null}>
        <TextInput
          ref={nameField}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          maxLength={60}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Field label={t('admin.respawns.fields.image')} error={unfit ?? missing}>
        <PictureInput
          accept={IMAGE_TYPE}
          file={file}
          onFile={(chosen) => {
            setFile(chosen);
            setRefusal(null);
          }}
          name={name}
          prompt={t('admin.respawns.chooseImage')}
        />
      </Field>
      <Field label={t('admin.respawns.fields.category_id')}>
        <CategorySelect required value={category} onChange={setCategory} />
      </Field>
      <Button type="submit" variant="primary" busy={busy} className={styles.createButton}>
        {busy ? t('admin.respawns.sending') : t('admin.respawns.create')}
      </Button>
      {refusal ? (
        <div className={styles.refusal}>
          <Alert tone="bad">{t('admin.respawns.createFailed', { reason: withStatus(refusal, errorText(refusal)) })}</Alert>
        </div>
      ) : null}
    </form>
  );
}

/** Section 8 of the specification tells the status, too; a request that reached nobody has none. */
const withStatus = (error: unknown, reason: string): string =>
  error instanceof ApiError && error.status > 0 ? `${error.status} ${reason}` : reason;
