import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../../shared/rules/names.ts';
import type { Destination, DestinationKind, Language } from '../../../../../shared/schemas/destination.ts';
import { createDestination, updateDestination } from '../../../../api/calls.ts';
import { ApiError } from '../../../../api/request.ts';
import { LANGUAGES } from '../../../../i18n.ts';
import { useErrorText } from '../../../../lib/words/error-text.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { showToast } from '../../../../ui/toast.tsx';
import { type EditConflict, useEditConflict } from '../../forms/edit-conflict.tsx';
import type { Secret } from '../secret-dialog.tsx';
import { changeOf, type DestinationValues, differing, inputOf, proposedName, proposedValues, valuesOf } from './destination-values.ts';
import { kindOfUrl } from './kind-of-url.ts';

type Field = 'url' | 'name' | 'events';
type Problems = { readonly [F in Field]?: string };

/** Where a refusal of the server belongs, when it is about one field. */
const FIELD_OF: { [code: string]: Field | undefined } = {
  'destination.url': 'url',
  'destination.private': 'url',
  'destination.notDiscord': 'url',
  'destination.exists': 'name',
  'destination.nameRequired': 'name',
};

export interface DestinationForm {
  values: DestinationValues;
  /** What it is called where nobody types a name. */
  proposed: string;
  kind: DestinationKind;
  change: (change: Partial<DestinationValues>) => void;
  problems: Problems;
  /** What the server refused, where it is about no field. */
  refusal: unknown;
  busy: boolean;
  edit: EditConflict<Destination, DestinationValues>;
  notice: RefObject<HTMLDivElement | null>;
  submit: (event: FormEvent<HTMLFormElement>) => void;
}

interface FormOptions {
  /** null: a new one. */
  opened: Destination | null;
  /** All there are: a new one is proposed a name that none of them has. */
  taken: readonly Destination[];
  onDone: () => void;
  onSecret: (secret: Secret) => void;
}

/** Makes a destination, or edits the one it was opened with. What was typed stays, whatever the server says. */
export function useDestinationForm({ opened, taken, onDone, onSecret }: FormOptions): DestinationForm {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const [values, fill] = useState(() => (opened ? valuesOf(opened) : proposedValues(ownLanguage(i18n.language))));
  const [problems, setProblems] = useState<Problems>({});
  const [refusal, setRefusal] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const notice = useRef<HTMLDivElement>(null);
  const live = useBoard((board) => (opened ? board.byKind.destination.get(opened.id) : undefined));
  const edit = useEditConflict({ opened, live, valuesOf, differing, typed: values, fill, saving: busy });
  const proposed = opened ? '' : proposedName(values.url, taken);
  const { stored } = edit;

  const problemsNow = (): Problems => {
    const told = kindOfUrl(values.url);
    const needsUrl = !opened || values.url.trim() !== '';
    const found: { -readonly [F in Field]?: string } = {};
    if (needsUrl && !told) found.url = t('errors.destination.url');
    // A channel's address is pasted easily instead of its webhook's.
    else if (told && !told.isWhole) found.url = t('errors.destination.notDiscord');
    else if (told?.kind === 'discord' && opened?.kind === 'webhook') found.url = t('admin.notifications.form.isDiscord');
    if (!tidyName(values.name ?? proposed)) found.name = t('errors.destination.nameRequired');
    if (values.events.length === 0) found.events = t('admin.notifications.form.chooseOne');
    return found;
  };
  const store = async (): Promise<void> => {
    if (!stored) {
      const made = await createDestination(inputOf(values, proposed));
      showToast({ text: t('admin.notifications.added', { name: made.name }) });
      if (made.secret !== null) onSecret({ name: made.name, secret: made.secret, isRotated: false });
      return;
    }
    const change = changeOf(stored, values);
    if (Object.keys(change).length > 0) await updateDestination(stored.id, change);
    showToast({ text: t('admin.notifications.saved') });
  };
  const save = async (form: HTMLFormElement): Promise<void> => {
    setBusy(true);
    setRefusal(null);
    try {
      await store();
      onDone();
    } catch (error) {
      const field = error instanceof ApiError ? FIELD_OF[error.code] : undefined;
      if (field) setProblems({ [field]: errorText(error) });
      else setRefusal(error);
      setBusy(false);
      focusOn(form, field ?? 'url');
    }
  };
  return {
    values,
    proposed,
    kind: opened?.kind ?? kindOfUrl(values.url)?.kind ?? 'discord',
    change: (change) => {
      fill((before) => ({ ...before, ...change }));
      setProblems({});
    },
    problems,
    refusal,
    busy,
    edit,
    notice,
    submit: (event) => {
      event.preventDefault();
      if (busy) return;
      if (edit.theirs) return notice.current?.focus();
      const found = problemsNow();
      setProblems(found);
      const first = (['url', 'name', 'events'] as const).find((field) => found[field]);
      if (first) focusOn(event.currentTarget, first);
      else void save(event.currentTarget);
    },
  };
}

const ownLanguage = (tag: string): Language => LANGUAGES.find(({ code }) => code === tag)?.code ?? 'en';

/** Into the field that is wrong. */
const focusOn = (form: HTMLFormElement, field: Field): void =>
  form.querySelector<HTMLElement>(`[data-field="${field}"] input, input[data-field="${field}"]`)?.focus();
