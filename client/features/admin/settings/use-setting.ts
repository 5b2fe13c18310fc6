import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../ui/toast.tsx';

export interface Setting {
  typed: string;
  /** Another than what is stored. */
  isChanged: boolean;
  /** Another admin stored something else since somebody began to type here. */
  changedMeanwhile: boolean;
  busy: boolean;
  refusal: unknown;
  type: (text: string) => void;
  submit: (event: FormEvent) => Promise<void>;
}

interface SettingOptions {
  /** What is typed as it will be stored. */
  tidy: (typed: string) => string;
  /** Whether it may be stored so. */
  isValid?: (typed: string) => boolean;
  store: (typed: string) => Promise<unknown>;
}

/**
 * A field of the guild's settings. It follows what is stored until somebody types into it; from then on it keeps what was typed,
 * and knows when another admin stored something else meanwhile.
 */
export function useSetting(stored: string, { tidy, isValid = () => true, store }: SettingOptions): Setting {
  const { t } = useTranslation();
  /** What was typed, and over which stored text; null: nothing. */
  const [draft, setDraft] = useState<{ text: string; over: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const typed = draft?.text ?? stored;
  const isChanged = tidy(typed) !== stored;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy || !isChanged || !isValid(typed)) return;
    setBusy(true);
    setRefusal(null);
    try {
      await store(typed);
      // What was typed meanwhile is not stored yet.
      setDraft((now) => (now?.text === typed ? null : now));
      showToast({ text: t('admin.settings.saved') });
    } catch (error) {
      setRefusal(error);
    }
    setBusy(false);
  };

  return {
    typed,
    isChanged,
    changedMeanwhile: draft !== null && draft.over !== stored && isChanged,
    busy,
    refusal,
    type: (text) => setDraft({ text, over: draft?.over ?? stored }),
    submit,
  };
}
