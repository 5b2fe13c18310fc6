import { create } from 'zustand';
import type { PushPreferences } from '../../../shared/schemas/push.ts';
import { putPushPreferences } from '../../api/calls.ts';
import { pushPreferences, queryClient, replaceAnswer } from '../../api/query.ts';
import type { Profile } from '../../state/saved-sessions.ts';

type Change = Partial<PushPreferences>;

/** A character's changes that the server has not stored yet. */
interface Unsaved {
  edits: Change;
  /** The changes in the request under way; null: none is. */
  sent: Change | null;
  /** Why the last request failed; null: it did not. */
  failure: unknown;
  saves: number;
}

const NONE: Unsaved = { edits: {}, sent: null, failure: null, saves: 0 };

/** By access key. Outside the page, which may be left while a change is saved, or after it failed. */
const useUnsavedByKey = create<Readonly<Record<string, Unsaved>>>(() => ({}));
const unsavedOf = (access_key: string): Unsaved => useUnsavedByKey.getState()[access_key] ?? NONE;
const update = (access_key: string, change: Partial<Unsaved>): void =>
  useUnsavedByKey.setState({ [access_key]: { ...unsavedOf(access_key), ...change } });

export const useUnsaved = (access_key: string): Unsaved =>
  useUnsavedByKey((all) => all[access_key] ?? NONE);

/** Quiet hours have both ends, at different times; a time that is being typed is empty. */
export const areWhole = ({
  quiet_from: from,
  quiet_until: until,
}: Pick<PushPreferences, 'quiet_from' | 'quiet_until'>): boolean =>
  from === null || (from !== '' && until !== '' && from !== until);

/** The changes without quiet hours that are being typed. */
function sendable({ quiet_from, quiet_until, ...others }: Change): Change {
  if (
    quiet_from === undefined ||
    quiet_until === undefined ||
    !areWhole({ quiet_from, quiet_until })
  )
    return others;
  return { ...others, quiet_from, quiet_until };
}

function without(edits: Change, saved: Change): Change {
  const same = new Map<string, unknown>(Object.entries(saved));
  return Object.fromEntries(
    Object.entries(edits).filter(([field, value]) => !same.has(field) || same.get(field) !== value),
  );
}

/** Changes preferences and saves them at once. Quiet hours are changed as a pair. */
export function choose(profile: Profile, change: Change): void {
  update(profile.accessKey, {
    edits: { ...unsavedOf(profile.accessKey).edits, ...change },
    failure: null,
  });
  void save(profile);
}

/** Saves the changes, one request at a time. The next request saves those made meanwhile. */
export async function save(profile: Profile): Promise<void> {
  const { accessKey } = profile;
  const { edits, sent } = unsavedOf(accessKey);
  const change = sendable(edits);
  if (sent || Object.keys(change).length === 0) return;
  update(accessKey, { sent: change, failure: null });
  try {
    await putPushPreferences(change, accessKey);
    await noteSaved(profile, change);
    const { edits: newest, saves } = unsavedOf(accessKey);
    update(accessKey, { edits: without(newest, change), sent: null, saves: saves + 1 });
  } catch (failure) {
    update(accessKey, { sent: null, failure });
    return;
  }
  return save(profile);
}

async function noteSaved(profile: Profile, change: Change): Promise<void> {
  const { queryKey } = pushPreferences(profile);
  // As sent, not as answered: the server has its own name for a time zone.
  await replaceAnswer<PushPreferences>(queryKey, (before) => before && { ...before, ...change });
  // The page was left and opened again.
  if (!queryClient.getQueryData(queryKey)) void queryClient.refetchQueries({ queryKey });
}

// A page that is closed can't wait for the request under way.
addEventListener('pagehide', () => {
  for (const [access_key, { edits, sent }] of Object.entries(useUnsavedByKey.getState())) {
    const rest = sent ? without(sendable(edits), sent) : {};
    if (Object.keys(rest).length > 0) putPushPreferences(rest, access_key).catch(() => {});
  }
});
