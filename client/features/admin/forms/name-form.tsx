import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import { MAX_NAME_LENGTH } from '../../../../shared/schemas/fields.ts';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { useAction } from '../../../ui/use-action.ts';
import tab from '../tab.module.css';
import { useDraftState } from './drafts.ts';

interface NameForm<T> {
  field: RefObject<HTMLInputElement | null>;
  typed: string;
  type: (text: string) => void;
  /** Nothing is typed yet: the button is disabled. */
  isEmpty: boolean;
  /** Enter was pressed without a name. */
  isMissing: boolean;
  busy: boolean;
  refusal: unknown;
  /** The last result, until it is dismissed. */
  created: T | null;
  /** Clears the refusal, after another field has changed. */
  clearRefusal: () => void;
  dismiss: () => void;
  submit: (event: FormEvent) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** A form that creates something for a character's name. The input stays until it succeeds. @param name of its draft */
export function useNameForm<T>(
  name: string,
  create: (characterName: string) => Promise<T>,
): NameForm<T> {
  const [typed, setTyped] = useDraftState(name, '');
  const [isMissing, setMissing] = useState(false);
  const [created, setCreated] = useState<T | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const characterName = tidyName(typed);

  const action = useAction({
    work: (name: string) => {
      setCreated(null);
      return create(tidyName(name));
    },
    done: (result, name) => {
      setCreated(() => result);
      // A name that was typed meanwhile is the next one.
      setTyped((now) => (now === name ? '' : now));
      setMissing(false);
    },
    atEnd: () => field.current?.focus(),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    action.run(typed);
  };
  return {
    field,
    typed,
    type: (text) => {
      setTyped(text);
      action.forget();
    },
    isEmpty: !characterName,
    isMissing: isMissing && !characterName,
    busy: action.isBusy,
    refusal: action.failure,
    created,
    clearRefusal: action.forget,
    dismiss: () => setCreated(null),
    submit,
    // A form whose button is disabled is not submitted by Enter.
    onKeyDown: (event) => {
      if (event.key === 'Enter' && !characterName) setMissing(true);
    },
  };
}

export function NameField<T>({ form, label }: { form: NameForm<T>; label: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Field
      hideLabel
      label={label}
      error={form.isMissing ? t('errors.character.nameRequired') : undefined}
      className={tab.nameField}
    >
      <TextInput
        ref={form.field}
        value={form.typed}
        onChange={(event) => form.type(event.target.value)}
        onKeyDown={form.onKeyDown}
        placeholder={label}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        spellCheck={false}
      />
    </Field>
  );
}
