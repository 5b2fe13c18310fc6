import type { ActivityAction } from '../../../../shared/activity-actions.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';

/** These are consequences if another action comes first in the same write, also when an admin is their actor. */
const CAUSED: ReadonlySet<string> = new Set<ActivityAction>([
  'wait_voided',
  'waits_voided',
  'waits_reopened',
  'hold_offered',
  'transfer_ended',
]);

/** Actions that are logged after the entries of their own effects. */
const COMMANDS: ReadonlySet<string> = new Set<ActivityAction>([
  'claims_cleared',
  'event_copied',
  'standing_ended',
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

/** Whether an entry is a part of a command, as each claim of one that claims several dates. */
const isPart = (entry: ActivityEntry, cause: ActivityEntry): boolean =>
  entry.action === 'claim_created' && cause.action === entry.action && hasSameActor(entry, cause);

export interface FoldedEntries {
  /** Those that no listed action caused. null: not loaded. */
  entries: readonly ActivityEntry[] | null;
  /** How many of the listed entries are shown as a consequence of another one. */
  folded: number;
  /** What an action caused, in order. */
  causedBy: (entry: ActivityEntry) => readonly ActivityEntry[];
}

/**
 * Puts the entries that an action caused, and the parts of a command, under it. In a write, the
 * entries of the server and of `CAUSED` follow what caused them; the server's other entries before it
 * belong to deadlines, which each write handles first.
 * @param listed newest first
 * @param others may share their writes
 */
export function foldEntries(
  listed: readonly ActivityEntry[] | null,
  others: readonly ActivityEntry[],
): FoldedEntries {
  const caused = new Map<number, ActivityEntry[]>();
  if (listed === null) return { entries: null, folded: 0, causedBy: () => [] };
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
    const command = inOrder.find(
      ({ action, actor_kind }) => COMMANDS.has(action) && actor_kind !== 'server',
    );
    let cause: ActivityEntry | null = null;
    for (const entry of inOrder) {
      const isOfCommand =
        command !== undefined &&
        entry.id < command.id &&
        (hasSameActor(entry, command) || CAUSED_BY_UNDO.has(entry.action));
      if (isOfCommand) cause = command;
      else if (
        cause === null ||
        entry === command ||
        !(entry.actor_kind === 'server' || CAUSED.has(entry.action) || isPart(entry, cause))
      ) {
        cause = entry.actor_kind === 'server' ? null : entry;
        continue;
      }
      if (!ids.has(cause.id)) continue;
      const there = caused.get(cause.id);
      if (there) there.push(entry);
      else caused.set(cause.id, [entry]);
      folded.add(entry.id);
    }
  }
  const entries = listed.filter(({ id }) => !folded.has(id));
  return {
    entries,
    folded: listed.length - entries.length,
    causedBy: ({ id }) => caused.get(id) ?? [],
  };
}
