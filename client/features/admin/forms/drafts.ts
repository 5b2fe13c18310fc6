import { QueryClient } from '@tanstack/react-query';
import { useSession } from '../../../state/session-store.ts';
import type { Draft } from '../../../ui/form/record-form.ts';

/**
 * Half-filled forms of the dashboard, by name. Forms of a page keep their input while another page is open. A form in a dialog or a row
 * asks before it is left, so it keeps its input only if the session ends. Drafts are deleted when the page reloads, when their admin
 * signs out, and when another admin signs in.
 */
// A cache of its own: answers are removed when the session ends.
const drafts = new QueryClient({
  defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY } },
});
/** Whose drafts these are, also after the session ended; null: the admin signed out. */
let owner = useSession.getState().admin?.username ?? null;

useSession.subscribe(({ admin, ended }, before) => {
  const isSignOut = before.admin && !admin && !ended.some(({ who }) => who === null);
  const next = admin?.username ?? (isSignOut ? null : owner);
  if (next !== owner) drafts.clear();
  owner = next;
});

const draftOf = <T>(name: string): T | undefined => drafts.getQueryData<T>([name]);

function keepDraft(name: string, draft: unknown): void {
  // The forms of an admin who signs out leave the page after that.
  if (draft === null || owner === null) drafts.removeQueries({ queryKey: [name] });
  else drafts.setQueryData([name], draft);
}

/** Keeps the form of a page while another page is open. */
export const pageDraft = <R, V>(name: string): Draft<R, V> => ({
  read: () => draftOf(name),
  keep: (edit) => keepDraft(name, edit),
});

/** Keeps a form in a dialog or a row if the session ends. */
export const dialogDraft = <R, V>(name: string): Draft<R, V> => ({
  read: () => draftOf(name),
  keep: (edit) => keepDraft(name, useSession.getState().admin ? null : edit),
});
