import { type FormEvent, type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import styles from './name-field.module.css';

interface NameForm<T> {
  field: RefObject<HTMLInputElement | null>;
  name: string;
  setName: (name: string) => void;
  /** Nothing is typed yet: the button is disabled. */
  isEmpty: boolean;
  /** It was to be sent without a name. */
  missing: boolean;
  busy: boolean;
  refusal: unknown;
  /** What came of the last one, until it is dismissed. */
  made: T | null;
  /** Something else of the form was changed: the refusal is about what was sent. */
  forget: () => void;
  dismiss: () => void;
  submit: (event: FormEvent) => Promise<void>;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** A form around a character's name that makes something of it. What was typed stays until it worked. */
export function useNameForm<T>(make: (characterName: string) => Promise<T>): NameForm<T> {
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [made, setMade] = useState<T | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const characterName = tidyName(name);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    setMade(null);
    try {
      const result = await make(characterName);
      setMade(() => result);
      // What was typed meanwhile is the next one.
      setName((typed) => (typed === name ? '' : typed));
      setMissing(false);
    } catch (error) {
      setRefusal(error);
    }
    setBusy(false);
    field.current?.focus();
  };
  // The button is disabled then, and a form whose button is disabled does not send itself.
  // What was said is about the name that was sent.
  const change = (typed: string): void => {
    setName(typed);
    setRefusal(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !characterName) setMissing(true);
  };
  return {
    field,
    name,
    setName: change,
    isEmpty: !characterName,
    missing: missing && !characterName,
    busy,
    refusal,
    made,
    forget: () => setRefusal(null),
    dismiss: () => setMade(null),
    submit,
    onKeyDown,
  };
}

/** The longest name the server takes. */
const MAX_LENGTH = 60;

export function NameField<T>({ form, label }: { form: NameForm<T>; label: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Field hideLabel label={label} error={form.missing ? t('errors.character.nameRequired') : undefined} className={styles.field}>
      <TextInput
        ref={form.field}
        value={form.name}
        onChange={(event) => form.setName(event.target.value)}
        onKeyDown={form.onKeyDown}
        placeholder={label}
        maxLength={MAX_LENGTH}
        autoComplete="off"
        spellCheck={false}
      />
    </Field>
  );
}
