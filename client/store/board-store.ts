import { create } from 'zustand';
import { applyChangeSet, type Board, boardFromSnapshot, type ChangeSet, emptyBoard, type Snapshot } from '../../shared/live.ts';
import type { ClaimOnRespawn } from '../../shared/schemas/claim.ts';
import type { LoadError } from '../api/load-error.ts';
import { claimsByRespawn, updatedClaims } from './claims-by-respawn.ts';
import { withEnd } from './live-log.ts';

/**
 * `connecting`: not yet. `live`: changes arrive by themselves. `polling`: the live connection is down and the
 * board is read every ten seconds. `offline`: the server cannot be reached at all.
 */
export type Connection = 'connecting' | 'live' | 'polling' | 'offline';

export interface BoardState extends Board {
  /** The history that the clock counts. */
  epoch: string;
  /** `empty` until the first snapshot. */
  status: 'empty' | 'ready';
  /** Whose board it is: an admin's holds more than a member's, or a visitor's. */
  role: 'admin' | 'member';
  connection: Connection;
  /** While offline: what could not be read. */
  failure: LoadError | null;
  /** Per respawn, by date and hour. The list of a respawn that a change does not touch stays the same list. */
  claimsByRespawn: ReadonlyMap<number, readonly ClaimOnRespawn[]>;
}

const nothing = (): BoardState => ({
  ...emptyBoard(),
  epoch: '',
  status: 'empty',
  role: 'member',
  connection: 'connecting',
  failure: null,
  claimsByRespawn: new Map(),
});

/** The board as the server last told it. Only snapshots and change sets write to it. */
export const useBoard = create<BoardState>(nothing);

export function applySnapshot(clock: number, snapshot: Snapshot, epoch = ''): void {
  const board = boardFromSnapshot(clock, snapshot);
  // The server names the keys to admins only, though there be none.
  const role = snapshot.access_key ? 'admin' : 'member';
  useBoard.setState({ ...board, epoch, status: 'ready', role, claimsByRespawn: claimsByRespawn(board.byKind.claim.values()) });
}

/** @returns false when a change set before it is missing, or it asks for a new snapshot */
export function applyChanges(set: ChangeSet): boolean {
  const before = useBoard.getState();
  const after = applyChangeSet(before, set);
  if (after === 'stale') return true;
  if (after === 'gap') return false;
  const byKind = { ...after.byKind, activity: withEnd(after.byKind.activity) };
  useBoard.setState({ clock: after.clock, byKind, claimsByRespawn: updatedClaims(before, set.changes) });
  return true;
}

export function setConnection(connection: Connection, failure: LoadError | null = null): void {
  const known = useBoard.getState();
  if (known.connection !== connection || known.failure !== failure) useBoard.setState({ connection, failure });
}

/** Forgets what only admins see: keys, codes, the log, spots that are switched off, events that are not on. */
export function narrowToMembers(): void {
  const { status, byKind } = useBoard.getState();
  if (status === 'empty') return;
  const { claim, category, member_type, config } = byKind;
  let { respawn, event } = byKind;
  for (const { id, is_enabled } of respawn.values()) if (!is_enabled) respawn = respawn.remove(id);
  for (const { id, is_active } of event.values()) if (!is_active) event = event.remove(id);
  useBoard.setState({ role: 'member', byKind: { ...emptyBoard().byKind, claim, category, member_type, config, respawn, event } });
}

/** Forgets everything: whoever comes next may see nothing. */
export function clearBoard(): void {
  useBoard.setState(nothing());
}
