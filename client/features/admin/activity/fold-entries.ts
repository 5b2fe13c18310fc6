import type { ActivityAction } from '../../../../shared/activity-actions.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';

/** Actions that are logged after the entries of their own effects. */
const COMMANDS: ReadonlySet<string> = new Set<ActivityAction>([
  'claims_cleared',
  'event_copied',
  'claims_deleted',
  'standing_ended',
  'event_deleted',
  'respawn_deleted',
  'respawns_deleted',
  'access_key_revoked',
  'access_ended',
  'character_renamed',
  'access_key_deleted',
  'access_keys_revoked',
  'access_keys_deleted',
  'user_banned',
  'characters_banned',
  'claims_restored',
  'event_restored',
  'respawn_restored',
  'category_restored',
  'member_type_restored',
  'access_key_restored',
  'verification_restored',
  'change_undone',
]);

/** The server's consequences of an undo, whose entry follows theirs. */
const CAUSED_BY_UNDO: ReadonlySet<string> = new Set<ActivityAction>([
  'hold_withdrawn',
  'standing_resumed',
]);

const hasSameActor = (one: ActivityEntry, other: ActivityEntry): boolean =>
  one.actor_kind === other.actor_kind && one.actor_name === other.actor_name;

export interface FoldedEntries {
  /** One for each command. null: not loaded. */
  entries: readonly ActivityEntry[] | null;
  /** Entries that an action caused, in order. */
  causedBy: (entry: ActivityEntry) => readonly ActivityEntry[];
}

/**
 * A write is one command: folds its parts and consequences under its entry. The server's entries
 * before it belong to deadlines, which each write handles first.
 * @param listed newest first
 * @param others may share their writes
 */
export function foldEntries(
  listed: readonly ActivityEntry[] | null,
  others: readonly ActivityEntry[],
): FoldedEntries {
  const caused = new Map<number, ActivityEntry[]>();
  if (listed === null) return { entries: null, causedBy: () => [] };
  const clocks = new Set(listed.flatMap(({ clock }) => clock ?? []));
  const byWrite = new Map<number, Map<number, ActivityEntry>>();
  for (const entry of [...others, ...listed]) {
    if (entry.clock === null || !clocks.has(entry.clock)) continue;
    const ofWrite = byWrite.get(entry.clock) ?? new Map<number, ActivityEntry>();
    byWrite.set(entry.clock, ofWrite.set(entry.id, entry));
  }
  const ids = new Set(listed.map(({ id }) => id));
  const folded = new Set<number>();
  for (const ofWrite of byWrite.values()) {
    const inOrder = [...ofWrite.values()].sort((one, other) => one.id - other.id);
    const byActor = inOrder.filter(({ actor_kind }) => actor_kind !== 'server');
    const command = byActor.findLast(({ action }) => COMMANDS.has(action)) ?? byActor[0];
    if (!command || !ids.has(command.id)) continue;
    for (const entry of inOrder) {
      if (entry === command) continue;
      const isOwn =
        entry.id < command.id && !hasSameActor(entry, command) && !CAUSED_BY_UNDO.has(entry.action);
      if (isOwn) continue;
      const there = caused.get(command.id);
      if (there) there.push(entry);
      else caused.set(command.id, [entry]);
      folded.add(entry.id);
    }
  }
  return {
    entries: listed.filter(({ id }) => !folded.has(id)),
    causedBy: ({ id }) => caused.get(id) ?? [],
  };
}
