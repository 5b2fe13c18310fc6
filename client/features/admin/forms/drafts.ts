import { type Dispatch, type SetStateAction, useEffect, useEffectEvent, useState } from 'react';
import { type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form';
import { queryClient } from '../../../api/query.ts';
import { useSession } from '../../../state/session-store.ts';

/**
 * Half-filled forms of the dashboard's pages, by admin and form. They keep their input while another page is open. A form in a dialog asks
 * instead: see `DialogActions`. Drafts are deleted when the page reloads and when the admin signs out.
 */
const DRAFTS = 'drafts';
queryClient.setQueryDefaults([DRAFTS], { gcTime: Number.POSITIVE_INFINITY });

type DraftKey = readonly [typeof DRAFTS, string, string];
const useDraftKey = (name: string): DraftKey => [
  DRAFTS,
  useSession(({ admin }) => admin?.username ?? ''),
  name,
];

function keepDraft(queryKey: DraftKey, draft: unknown): void {
  if (draft === null) queryClient.removeQueries({ queryKey });
  else queryClient.setQueryData(queryKey, draft);
}

/** Keeps a form's input while another page is open. */
export function useDraft<V extends FieldValues>(name: string, form: UseFormReturn<V>): void {
  const { isDirty } = useFormState({ control: form.control });
  const key = useDraftKey(name);
  const restore = useEffectEvent(() => {
    const draft = queryClient.getQueryData<V>(key);
    if (draft) form.reset(draft, { keepDefaultValues: true });
  });
  const keep = useEffectEvent(() => keepDraft(key, isDirty ? form.getValues() : null));
  useEffect(() => {
    restore();
    return () => keep();
  }, []);
}

/** `useState` for a form's input, kept while another page is open. @param none the value of an empty form */
export function useDraftState<T>(name: string, none: T): [T, Dispatch<SetStateAction<T>>] {
  const key = useDraftKey(name);
  const [draft, setDraft] = useState(() => queryClient.getQueryData<T>(key) ?? none);
  const keep = useEffectEvent(() => keepDraft(key, draft === none ? null : draft));
  useEffect(() => () => keep(), []);
  return [draft, setDraft];
}
