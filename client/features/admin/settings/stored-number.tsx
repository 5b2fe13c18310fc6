import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import styles from './settings.module.css';

interface StoredNumberProps<N extends number | null> {
  label: string;
  /** As it is stored now, live. */
  stored: number | N;
  min: number;
  max: number;
  /** The meaning of an empty field; without it the field needs a number. */
  empty?: { value: N; label: string };
  store: (value: number | N) => Promise<unknown>;
}

/** A typed text, and the number that was stored when the typing began. */
interface Edit {
  text: string;
  from: string;
}

/** A whole number that is stored when the field is left, or by Enter. After another admin's change only Enter stores it. */
export function StoredNumber<N extends number | null = number>({
  label,
  stored,
  min,
  max,
  empty,
  store,
}: StoredNumberProps<N>): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [edit, setEdit] = useState<Edit | null>(null);
  const save = useAction({
    work: store,
    done: () => {
      const undo = { label: t('board.quickClaim.undo'), onPress: () => save.run(stored) };
      showToast({ text: t('admin.settings.saved'), action: undo });
    },
  });
  const storedText = String(stored ?? '');
  if (edit?.text === storedText) setEdit(null);
  const text = edit?.text ?? storedText;
  const isEmpty = text === '' && empty !== undefined;
  const isValid = isEmpty || (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max);
  const isOverwriting = edit !== null && edit.from !== storedText && !save.isBusy;
  const problem = isValid
    ? save.failure
      ? t('admin.settings.failed', { reason: errorText(save.failure) })
      : isOverwriting
        ? t('admin.settings.rules.changedByOther', { value: storedText || empty?.label })
        : null
    : t('admin.settings.rules.range', { min, max });
  const send = (): void => {
    if (!edit || !isValid) return;
    setEdit({ text, from: storedText });
    save.run(isEmpty ? empty.value : Number(text));
  };
  return (
    <Field label={label} error={problem} className={styles.number}>
      <TextInput
        // Not of type number: for "4e" a browser reports an empty text, which would mean "no limit".
        inputMode="numeric"
        value={text}
        placeholder={empty?.label}
        aria-busy={save.isBusy || undefined}
        onChange={({ target }) => {
          save.forget();
          setEdit({ text: target.value, from: edit?.from ?? storedText });
        }}
        onBlur={() => {
          if (!isOverwriting && !save.failure) send();
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') send();
          if (key === 'Escape') setEdit(null);
        }}
      />
    </Field>
  );
}
