import { create } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import {
  OWN_KINDS,
  type OwnRecords,
  perKind,
  type RecordsByKind,
  type Room,
  tableFor,
  tableOf,
} from '../../shared/kinds.ts';
import {
  applyChangeSet,
  type Board,
  boardFromSnapshot,
  type Change,
  type ChangeSet,
  emptyBoard,
  isKnown,
  roomOfSnapshot,
  type Snapshot,
} from '../../shared/live.ts';
import { RecordTable } from '../../shared/record-table.ts';
import type { ClaimDates } from '../../shared/rules/board.ts';
import { claimOnRespawns } from '../../shared/rules/claim-parts.ts';
import { isHoldOver } from '../../shared/rules/holds.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { ActivityEntry } from '../../shared/schemas/activity.ts';
import type { Claim, ClaimOnRespawn, OwnClaim } from '../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../shared/schemas/event.ts';
import type { MemberType } from '../../shared/schemas/member-type.ts';
import type { MissedClaim } from '../../shared/schemas/missed-claim.ts';
import type { Occupancy, OccupiedHours } from '../../shared/schemas/occupancy.ts';
import type { Wait } from '../../shared/schemas/wait.ts';
import type { LoadError } from '../api/load-error.ts';
import { byHour } from '../lib/claims.ts';
import { announceReconnect } from '../lib/page-events.ts';
import { compareText, groupBy } from '../lib/words/order.ts';
import { resetBoardFreshness } from './board-freshness.ts';
import { serverNow, useServerSaveClock } from './clock.ts';

/**
 * `connecting`: not yet. `live`: changes arrive as they happen. `polling`: the live connection is down and the
 * board is read every ten seconds. `offline`: the server cannot be reached at all.
 */
type Connection = 'connecting' | 'live' | 'polling' | 'offline';

export interface OutsideClaim extends ClaimOnRespawn, ClaimDates {
  event_name: string | null;
}

export interface BoardState extends Board {
  /** The history that the clock counts. */
  epoch: string;
  /** `empty` until the first snapshot. */
  status: 'empty' | 'ready';
  /** Whose board it is: an admin's holds more than a viewer's, that more than a member's, or a visitor's. */
  room: Room;
  connection: Connection;
  /** While offline: what could not be read. */
  failure: LoadError | null;
  /** Per respawn, by date and hour. The list of a respawn that a change does not touch stays the same list. */
  claimsByRespawn: ReadonlyMap<number, readonly ClaimOnRespawn[]>;
  /** Hours that claims of other events occupy on a respawn; likewise. */
  occupiedByRespawn: OccupiedIndex;
  /** Waitlist entries of a respawn, by date and position; likewise. */
  waitsByRespawn: ReadonlyMap<number, readonly Wait[]>;
  /** The claims outside the active event of this browser's characters, by their names' keys. */
  outsideClaims: ReadonlyMap<string, readonly OutsideClaim[]>;
  /** The missed claims of the connected character (R9.29), by its name's key. */
  missed: ReadonlyMap<string, readonly MissedClaim[]>;
}

const emptyState = (): BoardState => ({
  ...emptyBoard(),
  epoch: '',
  status: 'empty',
  room: 'members',
  connection: 'connecting',
  failure: null,
  claimsByRespawn: new Map(),
  occupiedByRespawn: new Map(),
  waitsByRespawn: new Map(),
  outsideClaims: new Map(),
  missed: new Map(),
});

/** The server's board. Only snapshots and change sets write to it and, while it is not live, the calls of a page that opens. */
export const useBoard = create<BoardState>(emptyState);

export function applySnapshot(clock: number, snapshot: Snapshot, epoch = ''): void {
  const board = boardFromSnapshot(clock, snapshot);
  const room = roomOfSnapshot(snapshot);
  const now = serverNow();
  const before = useBoard.getState();
  // A member's snapshot doesn't contain them.
  const own =
    room === 'members'
      ? Object.fromEntries(OWN_KINDS.map((kind) => [kind, before.byKind[kind]]))
      : {};
  useBoard.setState({
    clock: board.clock,
    byKind: { ...board.byKind, ...own },
    epoch,
    status: 'ready',
    room,
    claimsByRespawn: claimsByRespawn(board.byKind.claim.values(), now),
    occupiedByRespawn: occupiedByRespawn(
      board.byKind.occupancy.values(),
      useBoard.getState().occupiedByRespawn,
    ),
    waitsByRespawn: waitsByRespawn(
      board.byKind.wait.values(),
      now,
      useBoard.getState().waitsByRespawn,
    ),
    // Without an active event, the board has all upcoming claims.
    outsideClaims: hasActiveEvent(board) ? before.outsideClaims : new Map(),
  });
  scheduleExpiry();
}

const hasActiveEvent = ({ byKind }: Board): boolean =>
  [...byKind.event.values()].some(({ is_active }) => is_active === 1);

/** @returns false when a change set before it is missing, or it asks for a new snapshot */
export function applyChanges(set: ChangeSet): boolean {
  const before = useBoard.getState();
  const after = applyChangeSet(before, set);
  if (after === 'stale') return true;
  if (after === 'gap') return false;
  const byKind = { ...after.byKind, activity: trimLog(after.byKind.activity) };
  const now = serverNow();
  const isAboutWaits = byKind.wait !== before.byKind.wait;
  useBoard.setState({
    clock: after.clock,
    byKind,
    claimsByRespawn: updatedClaims(before, set.changes, now),
    occupiedByRespawn:
      byKind.occupancy === before.byKind.occupancy
        ? before.occupiedByRespawn
        : occupiedByRespawn(byKind.occupancy.values(), before.occupiedByRespawn),
    waitsByRespawn: isAboutWaits
      ? waitsByRespawn(byKind.wait.values(), now, before.waitsByRespawn)
      : before.waitsByRespawn,
  });
  if (isAboutWaits) scheduleExpiry();
  return true;
}

/** A member's own records of kinds that change sets carry only for admins. They are sent whole, outside the clock. */
export function applyOwnRecords(records: OwnRecords): void {
  const { room, byKind } = useBoard.getState();
  if (room !== 'members') return;
  const own = Object.fromEntries(OWN_KINDS.map((kind) => [kind, tableOf(kind, records[kind])]));
  useBoard.setState({ byKind: { ...byKind, ...own } });
}

/** The member types as a call answers them. Where changes arrive live, the board already has these or newer ones. */
export function applyMemberTypes(types: readonly MemberType[]): void {
  const { status, connection, byKind } = useBoard.getState();
  if (status === 'empty' || connection === 'live') return;
  useBoard.setState({ byKind: { ...byKind, member_type: tableOf('member_type', types) } });
}

/** A character's claims that the board doesn't list. They are sent whole, outside the clock. */
export function applyOutsideClaims(character_name: string, claims: readonly OwnClaim[]): void {
  const rows = claims.flatMap(({ first_date, last_date, event_name, ...claim }) =>
    claimOnRespawns(claim).map(
      (row): OutsideClaim => ({ ...row, first_date, last_date, event_name }),
    ),
  );
  useBoard.setState((board) => {
    const known = board.outsideClaims.get(nameKey(character_name)) ?? [];
    if (JSON.stringify(known) === JSON.stringify(rows)) return board;
    return { outsideClaims: new Map(board.outsideClaims).set(nameKey(character_name), rows) };
  });
}

/** A character's missed claims. They are sent whole, outside the clock. */
export function applyMissedClaims(character_name: string, missed: readonly MissedClaim[]): void {
  const key = nameKey(character_name);
  useBoard.setState((board) =>
    JSON.stringify(board.missed.get(key) ?? []) === JSON.stringify(missed)
      ? board
      : { missed: new Map(board.missed).set(key, missed) },
  );
}

/** Moves the board to a later clock: the server says that nothing this caller sees has changed up to there. */
export function advanceClock(clock: number): void {
  if (clock > useBoard.getState().clock) useBoard.setState({ clock });
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Removes the next hold when it expires, without waiting for the server. */
function scheduleExpiry(): void {
  clearTimeout(timer);
  const now = serverNow();
  const next = nextExpiry(useBoard.getState().byKind.wait.values(), now);
  if (next !== null) timer = setTimeout(expireHolds, next - now.getTime());
}

// A corrected clock changes which holds have expired.
useServerSaveClock.subscribe(() => {
  const { byKind } = useBoard.getState();
  const now = serverNow();
  if ([...byKind.wait.values()].every((wait) => wait.held_until === null)) return;
  useBoard.setState({
    claimsByRespawn: claimsByRespawn(byKind.claim.values(), now),
    waitsByRespawn: waitsByRespawn(byKind.wait.values(), now),
  });
  scheduleExpiry();
});

function expireHolds(): void {
  const now = serverNow();
  useBoard.setState((board) => ({
    claimsByRespawn: withoutExpired(board.claimsByRespawn, now),
    waitsByRespawn: waitsByRespawn(board.byKind.wait.values(), now, board.waitsByRespawn),
  }));
  scheduleExpiry();
}

export function setConnection(connection: Connection, failure: LoadError | null = null): void {
  const known = useBoard.getState();
  if (known.connection !== connection || known.failure !== failure)
    useBoard.setState({ connection, failure });
  if (known.connection === 'offline' && (connection === 'live' || connection === 'polling'))
    announceReconnect();
}

/** Removes what a room may not see: for members keys, codes, the log, disabled spots and inactive events. */
export function narrowTo(room: Room): void {
  const { status, byKind } = useBoard.getState();
  if (status === 'empty') return;
  useBoard.setState({
    room,
    byKind: perKind<RecordsByKind>((kind) => tableFor(room, kind, byKind[kind])),
  });
}

/** Removes everything on sign-out. */
export function clearBoard(): void {
  clearTimeout(timer);
  useBoard.setState(emptyState());
  resetBoardFreshness();
}

/** The newest entries, which stay when the log is trimmed. */
export const KEPT_LOG_ENTRIES = 500;
/** Twice as many, so that it is trimmed seldom: each time sorts all entries. */
const MAX_LOG_ENTRIES = 2 * KEPT_LOG_ENTRIES;

/** Bounds the live log: a page may stay open for weeks. Its tab reads older entries. */
function trimLog(log: RecordTable<ActivityEntry>): RecordTable<ActivityEntry> {
  if (log.size <= MAX_LOG_ENTRIES) return log;
  const newest = [...log.values()].sort((a, b) => b.id - a.id).slice(0, KEPT_LOG_ENTRIES);
  return RecordTable.of(newest.map((entry) => [entry.id, entry] as const));
}

/** The active event, or null. Without its claim count, which changes with every claim and would re-render every user of this. */
export function useActiveEvent(): ActiveEvent | null {
  return useBoard(useShallow(activeEventIn));
}

/** The same at the moment of a press. */
export function activeEventIn(board: BoardState): ActiveEvent | null {
  for (const event of board.byKind.event.values()) {
    if (!event.is_active) continue;
    const { id, name, type, start_time, end_time, single_claim_template } = event;
    return { id, name, type, start_time, end_time, single_claim_template };
  }
  return null;
}

type ClaimIndex = ReadonlyMap<number, readonly ClaimOnRespawn[]>;

const byDateAndHour = (a: ClaimOnRespawn, b: ClaimOnRespawn): number =>
  compareText(a.date ?? '', b.date ?? '') || byHour(a, b);

/** The claims on each respawn, without holds that expired before `now`. */
export function claimsByRespawn(claims: Iterable<Claim>, now = serverNow()): ClaimIndex {
  const index = new Map<number, ClaimOnRespawn[]>();
  for (const claim of claims) {
    if (isHoldOver(claim, now)) continue;
    for (const row of claimOnRespawns(claim)) {
      const rows = index.get(row.respawn_id);
      if (rows) rows.push(row);
      else index.set(row.respawn_id, [row]);
    }
  }
  for (const rows of index.values()) rows.sort(byDateAndHour);
  return index;
}

/** The index after changes: only touched respawns get new lists, so only their cards render. */
function updatedClaims(
  before: Board & { claimsByRespawn: ClaimIndex },
  changes: readonly Change[],
  now = serverNow(),
): ClaimIndex {
  let index: Map<number, readonly ClaimOnRespawn[]> | null = null;
  const edit = (
    respawn_id: number,
    rows: (old: readonly ClaimOnRespawn[]) => ClaimOnRespawn[],
  ): void => {
    index ??= new Map(before.claimsByRespawn);
    const next = rows(index.get(respawn_id) ?? []);
    if (next.length > 0) index.set(respawn_id, next.sort(byDateAndHour));
    else index.delete(respawn_id);
  };
  for (const change of changes) {
    if (change.op === 'reset' || change.kind !== 'claim' || !isKnown(change)) continue;
    const id = change.op === 'put' ? change.record.id : change.id;
    const known = before.byKind.claim.get(id);
    for (const row of known ? claimOnRespawns(known) : [])
      edit(row.respawn_id, (old) => old.filter((other) => other.id !== id));
    for (const row of change.op === 'put' && !isHoldOver(change.record, now)
      ? claimOnRespawns(change.record)
      : []) {
      edit(row.respawn_id, (old) => [
        ...old.filter(
          (other) => other.id !== id || other.split_part_number !== row.split_part_number,
        ),
        row,
      ]);
    }
  }
  return index ?? before.claimsByRespawn;
}

/** The index without the hours whose hold is over by now; the same one where none is. */
function withoutExpired(before: ClaimIndex, now: Date): ClaimIndex {
  let index: Map<number, readonly ClaimOnRespawn[]> | null = null;
  for (const [id, claims] of before) {
    const left = claims.filter((claim) => !isHoldOver(claim, now));
    if (left.length === claims.length) continue;
    index ??= new Map(before);
    if (left.length > 0) index.set(id, left);
    else index.delete(id);
  }
  return index ?? before;
}

type OccupiedIndex = ReadonlyMap<number, readonly OccupiedHours[]>;

const isSameHours = (a: readonly OccupiedHours[], b: readonly OccupiedHours[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/**
 * Hours occupied by other events, by respawn. They change rarely, so all are indexed again; unchanged lists keep their identity, so their
 * cards don't render.
 */
function occupiedByRespawn(
  occupancies: Iterable<Occupancy>,
  before: OccupiedIndex = new Map(),
): OccupiedIndex {
  const rows = [...occupancies].flatMap(({ parts, ...of }) =>
    parts.map(({ respawn_id, hour_start, hour_end }) => ({
      respawn_id,
      hours: { ...of, hour_start, hour_end },
    })),
  );
  const index = new Map<number, readonly OccupiedHours[]>();
  for (const [id, list] of groupBy(rows, ({ respawn_id }) => respawn_id)) {
    const hours = list
      .map((row) => row.hours)
      .sort((a, b) =>
        a.first_date < b.first_date
          ? -1
          : a.first_date > b.first_date
            ? 1
            : a.hour_start - b.hour_start,
      );
    const known = before.get(id);
    index.set(id, known && isSameHours(known, hours) ? known : hours);
  }
  return index;
}

type WaitIndex = ReadonlyMap<number, readonly Wait[]>;

const byPosition = (a: Wait, b: Wait): number =>
  a.date === b.date ? a.position - b.position : a.date < b.date ? -1 : 1;
const isSameList = (a: readonly Wait[], b: readonly Wait[]): boolean =>
  a.length === b.length && a.every((wait, i) => wait === b[i]);

/**
 * Waitlist entries of each respawn, by date and position. There are few at a time, so all are scanned; the list of a respawn
 * whose entries are unchanged keeps its identity, and no other card renders.
 */
function waitsByRespawn(
  waits: Iterable<Wait>,
  now: Date,
  before: WaitIndex = new Map(),
): WaitIndex {
  const open = [...waits].filter((wait) => !isHoldOver(wait, now)).sort(byPosition);
  const index = new Map<number, readonly Wait[]>();
  for (const [id, list] of groupBy(open, (wait) => wait.respawn_id)) {
    const known = before.get(id);
    index.set(id, known && isSameList(known, list) ? known : list);
  }
  return index;
}

/** When the next hold is over, an instant in milliseconds; null: none is open. */
function nextExpiry(waits: Iterable<Wait>, now: Date): number | null {
  let next: number | null = null;
  for (const { held_until } of waits) {
    const at = held_until === null ? 0 : Date.parse(held_until);
    if (at > now.getTime() && (next === null || at < next)) next = at;
  }
  return next;
}
