import type { StoredChangeSet } from '../db/change-set.ts';
import type { ChangeBus } from './bus.ts';
import { changesFor } from './change-log.ts';
import type { KeptBoard, TakenSnapshot } from './kept-board.ts';

/** Change sets that may come while a board is read; beyond them what was read is not followed. */
const MAX_MISSED = 1_000;

export interface Keeping {
  board: KeptBoard | null;
  reading: Promise<TakenSnapshot> | null;
  /** What was handed out since the reading began; null: too much of it, or none is under way. */
  missed: StoredChangeSet[] | null;
}

/** Whose boards are kept: what viewers see is a part of the admins'. */
const KEPT = ['members', 'admins'] as const;
export type KeptFor = (typeof KEPT)[number];

/** What a server keeps of the board in memory. */
export type KeptBoards = Readonly<Record<KeptFor, Keeping>>;

/** Nothing yet; what is kept follows the bus. */
export function createKeptBoards(bus: Pick<ChangeBus, 'listen' | 'onNewHistory'>): KeptBoards {
  const nothing = (): Keeping => ({ board: null, reading: null, missed: null });
  const boards = { members: nothing(), admins: nothing() };
  bus.listen((set) => {
    for (const role of KEPT) follow(boards[role], role, set);
  });
  bus.onNewHistory(() => {
    for (const role of KEPT) boards[role].board = null;
  });
  return boards;
}

function follow(keeping: Keeping, role: KeptFor, set: StoredChangeSet): void {
  if (keeping.missed && keeping.missed.push(set) > MAX_MISSED) keeping.missed = null;
  const { board } = keeping;
  // Until it has taken the set there is none: one that failed over it would be half of two.
  keeping.board = null;
  if (board?.apply(changesFor(role, set))) keeping.board = board;
}
