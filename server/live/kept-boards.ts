import type { ChangeBus } from './bus.ts';
import { changesFor, type StoredChangeSet } from './change-log.ts';
import type { KeptBoard, TakenSnapshot } from './kept-board.ts';
import { ROLES, type Role } from './role.ts';

/** Change sets that may come while a board is read; beyond them what was read is not followed. */
const MAX_MISSED = 1_000;

export interface Keeping {
  board: KeptBoard | null;
  reading: Promise<TakenSnapshot> | null;
  /** What was handed out since the reading began; null: too much of it, or none is under way. */
  missed: StoredChangeSet[] | null;
}

/** What a server keeps of the board in memory, for members and for admins. */
export type KeptBoards = Readonly<Record<Role, Keeping>>;

/** Nothing yet; what is kept follows the bus. */
export function createKeptBoards(bus: Pick<ChangeBus, 'listen' | 'onNewHistory'>): KeptBoards {
  const nothing = (): Keeping => ({ board: null, reading: null, missed: null });
  const boards = { members: nothing(), admins: nothing() };
  bus.listen((set) => {
    for (const role of ROLES) follow(boards[role], role, set);
  });
  bus.onNewHistory(() => {
    for (const role of ROLES) boards[role].board = null;
  });
  return boards;
}

function follow(keeping: Keeping, role: Role, set: StoredChangeSet): void {
  if (keeping.missed && keeping.missed.push(set) > MAX_MISSED) keeping.missed = null;
  const { board } = keeping;
  // Until it has taken the set there is none: one that failed over it would be half of two.
  keeping.board = null;
  if (board?.apply(changesFor(role, set))) keeping.board = board;
}
