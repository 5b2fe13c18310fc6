import { isActivityAction } from '../../shared/activity-actions.ts';
import type { Json } from '../../shared/errors.ts';
import type { ActivityEntry } from '../../shared/schemas/activity.ts';
import { knownDetails } from '../../shared/schemas/activity-details.ts';

/** An entry as it is stored, whoever wrote it. */
export interface StoredEntry extends Omit<ActivityEntry, 'action' | 'admin_username' | 'details'> {
  action: string;
  details: Readonly<Record<string, Json | undefined>>;
}

/** What an entry's `details` call whoever works on the server by the command line. */
const COMMAND_LINE = 'command line';

/** An entry as it is shown: what of it is known here; null for an action of another version. */
export function shownEntry({ action, details, ...entry }: StoredEntry): ActivityEntry | null {
  if (!isActivityAction(action)) return null;
  const { actor_kind, actor_name } = entry;
  const by = actor_kind === 'command_line' ? COMMAND_LINE : actor_kind === 'member' ? actor_name : null;
  return {
    ...entry,
    action,
    admin_username: actor_kind === 'admin' ? actor_name : null,
    details: { ...(by === null ? {} : { by }), ...knownDetails(action, details) },
  };
}
