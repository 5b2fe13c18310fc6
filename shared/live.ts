import type { ErrorCode, Params } from './errors.ts';
import {
  ALL_KINDS,
  type BoardLists,
  isBoardKind,
  isKnownRecord,
  KINDS,
  type Kind,
  type OwnData,
  perKind,
  type RecordByKind,
  type RecordLists,
  type RecordsByKind,
  type Room,
  recordId,
  tableOf,
} from './kinds.ts';
import type { RecordId } from './record-table.ts';
import type { OnlineHunters } from './schemas/online.ts';

/** A whole record put, or one removed: applying it twice is harmless. `reset` asks for a new snapshot. */
export type Change = Put | Remove | { op: 'reset' };
export type RecordOfKind = { [K in Kind]: { kind: K; record: RecordByKind[K] } }[Kind];
type Put = { op: 'put' } & RecordOfKind;
interface Remove {
  op: 'remove';
  kind: Kind;
  id: RecordId;
}

/** All that one write changed. Clocks rise by exactly one from write to write. */
export interface ChangeSet {
  clock: number;
  changes: readonly Change[];
}

/** Every record in the watcher's scope, as lists by kind. */
export type Snapshot = Partial<RecordLists>;

/** The board at one clock, as `GET /api/snapshot` answers it. */
export interface WholeBoard {
  clock: number;
  epoch: string;
  snapshot: BoardLists;
}

/**
 * `epoch` names the history that the clock counts: another database at the same address has another one. A
 * client with another epoch asks for a snapshot, regardless of the clocks. Without change sets, nothing that the
 * client sees has changed up to `clock`, however far that is from the clock it sent. `build` names the page that a
 * browser would get now, if there is one.
 */
export type SyncAnswer = { clock: number; epoch: string; build?: string } & (
  | { change_sets: readonly ChangeSet[] }
  | { snapshot: Snapshot }
);

/** Why the server ends a connection. */
export interface Refusal {
  error: string;
  code: ErrorCode;
  params: Params;
}

/** Hours that someone is about to claim. Advisory: they reserve nothing and block no claim. */
export interface ChosenHours {
  respawn_id: number;
  /** A server-save date; null: every date of a single_claim event. */
  date: string | null;
  /** SS hours, 0 to 23 and 1 to 24. */
  hour_start: number;
  hour_end: number;
}

/** A person who is choosing hours: one, even with several open pages. */
export interface Chooser {
  id: string;
  /** The character of the credential; null: an admin. */
  name: string | null;
  choices: readonly ChosenHours[];
}

/**
 * Presence. Not a record: it has no clock, is never stored, and is sent whole (`state`) after each `sync`.
 * A client gets the others' choices, never its own.
 */
export type PresenceChange =
  | { op: 'state'; watching: number; choosers: readonly Chooser[] }
  | PresenceNews
  /** News of a short interval; only the latest of each person. */
  | { op: 'several'; news: readonly PresenceNews[] };
export type PresenceNews =
  | { op: 'watching'; watching: number }
  | { op: 'put'; chooser: Chooser }
  | { op: 'remove'; id: string };

/** Who is online in the game is unknown when it was read longer ago than this, in milliseconds. */
export const ONLINE_LASTS_MS = 180_000;

/** How often the server sends a ping on each live connection, in milliseconds. */
export const PING_EVERY_MS = 8_000;
/** Treat a connection as dead if nothing arrived for this long, in milliseconds. */
export const SILENT_AFTER_MS = 14_000;

/** A choice is shown for so long after it was last changed, in milliseconds. */
export const CHOOSING_MS = 60_000;
/** Choices that one person is shown with at the same time: a date, or a part of a split claim, each. */
export const MAX_CHOICES = 10;

/** One change set, or several in order where the server sent them together. */
export type ChangesMessage = ChangeSet | readonly ChangeSet[];

function isChangeSet(value: unknown): value is ChangeSet {
  if (
    !(
      value instanceof Object &&
      'clock' in value &&
      typeof value.clock === 'number' &&
      'changes' in value
    )
  )
    return false;
  return (
    Array.isArray(value.changes) &&
    value.changes.every((change: unknown) => change instanceof Object && 'op' in change)
  );
}

/** The change sets of a message from a server that may be of another version; null where the message has an unknown shape. */
export function readChanges(message: unknown): readonly ChangeSet[] | null {
  const sets: readonly unknown[] = Array.isArray(message) ? message : [message];
  return sets.every(isChangeSet) ? sets : null;
}

export const changeSetsIn = (message: ChangesMessage): readonly ChangeSet[] =>
  'clock' in message ? [message] : message;

export interface ServerEvents {
  changes: (message: ChangesMessage) => void;
  presence: (change: PresenceChange) => void;
  /** A member's own records and stars, whole: after each `sync`, and when they changed. */
  own: (own: OwnData) => void;
  /** Who is online in the game: the newest after each `sync`, and after each reading. */
  online: (state: OnlineHunters) => void;
  /** The credential no longer holds; the connection is closed after it. */
  ended: (refusal: Refusal) => void;
}
export interface ClientEvents {
  sync: (clock: number | null, answer: (answer: SyncAnswer) => void) => void;
  /** The hours that a member, or an admin, is about to claim; null: no longer. */
  choosing: (choices: readonly ChosenHours[] | null) => void;
}
export interface HandshakeAuth {
  access_key?: string;
  admin_token?: string;
}

export interface Board {
  clock: number;
  byKind: RecordsByKind;
}

/** Kinds that the snapshot leaves out become empty tables. */
export function boardFromSnapshot(clock: number, snapshot: Snapshot): Board {
  return { clock, byKind: perKind<RecordsByKind>((kind) => tableOf(kind, snapshot[kind] ?? [])) };
}

/** The room that a snapshot was made for: it names every kind that the room sees, with an empty list where there are no records. */
export function roomOfSnapshot(snapshot: Snapshot): Room {
  const named = ALL_KINDS.filter((kind) => snapshot[kind] !== undefined);
  if (named.some((kind) => KINDS[kind].audience === 'admins')) return 'admins';
  return named.every(isBoardKind) ? 'members' : 'viewers';
}

export const emptyBoard = (): Board => boardFromSnapshot(0, {});

/** Whether a change is one that this version of the program knows; another one's are skipped. */
export function isKnown(change: Change): boolean {
  if (change.op === 'reset') return true;
  if ((change.op !== 'put' && change.op !== 'remove') || !ALL_KINDS.includes(change.kind))
    return false;
  return change.op === 'remove' || isKnownRecord(change.kind, change.record);
}

function put<K extends Kind>(
  tables: RecordsByKind,
  kind: K,
  record: RecordByKind[K],
): RecordsByKind {
  return { ...tables, [kind]: tables[kind].put(recordId(kind, record), record) };
}

/**
 * The board after a change set. `stale`: the board already holds it. `gap`: one before it is missing, or it
 * asks for a reset; either way the watcher has to ask for what it lacks.
 */
export function applyChangeSet(board: Board, set: ChangeSet): Board | 'stale' | 'gap' {
  if (set.clock <= board.clock) return 'stale';
  if (set.clock !== board.clock + 1) return 'gap';
  let byKind = board.byKind;
  for (const change of set.changes) {
    if (change.op === 'reset') return 'gap';
    if (!isKnown(change)) continue;
    byKind =
      change.op === 'put'
        ? put(byKind, change.kind, change.record)
        : { ...byKind, [change.kind]: byKind[change.kind].remove(change.id) };
  }
  return { clock: set.clock, byKind };
}
