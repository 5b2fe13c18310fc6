import {
  ADMINS_KINDS_SEEN,
  type AdminsKind,
  type BoardKind,
  type Kind,
  MEMBER_KINDS,
  perKindInTurn,
  type RecordLists,
} from '../../shared/kinds.ts';
import type { ServerSaveSettings } from '../board/config/clock.ts';
import { breathe } from '../db/batches.ts';
import type { Db, Dialect } from '../db/open.ts';
import type { Env } from '../env.ts';
import type { ChangeBus } from './bus.ts';
import { changesFor } from './change-log.ts';
import { type BoardAt, KeptBoard, type TakenSnapshot } from './kept-board.ts';
import type { Keeping, KeptBoards, KeptFor } from './kept-boards.ts';
import { readKind } from './kinds.ts';
import type { Role } from './role.ts';

/** What the board is read from, and what is kept of it. */
export interface BoardReading extends ServerSaveSettings {
  env: Env;
  dialect: Dialect;
  inTurns: Db;
  bus: Pick<ChangeBus, 'epoch' | 'clock'>;
  boards: KeptBoards;
}

/** All that is seen in a room, and the clock it was taken at. */
export async function takeSnapshot(ctx: BoardReading, role: Role): Promise<TakenSnapshot> {
  return role === 'viewers' ? (await takeKept(ctx, 'admins')).forViewers() : takeKept(ctx, role);
}

/**
 * It is read whole once, and again after what change sets
 * do not name (a reset, another history, one that is missing): otherwise the board in memory follows them.
 */
async function takeKept(ctx: BoardReading, role: KeptFor): Promise<TakenSnapshot> {
  const keeping = ctx.boards[role];
  const wanted = ctx.bus.clock();
  const isOne = ({ epoch, clock }: BoardAt | KeptBoard): boolean => epoch === ctx.bus.epoch && clock >= wanted;
  // One that was under way already may be older than what was written since; any later one is the newest there is, also
  // where the clock has gone back: whoever waited for the old one would wait forever.
  for (let mayBeOld = keeping.reading !== null; ; mayBeOld = false) {
    if (keeping.board && isOne(keeping.board)) return keeping.board.taken();
    // However many ask at once, one reading is under way; whom it does not reach shares the next.
    keeping.reading ??= readAndFollow(ctx, role, keeping);
    const taken = await keeping.reading;
    if (isOne(taken) || (!mayBeOld && taken.epoch === ctx.bus.epoch)) return taken;
  }
}

async function readAndFollow(ctx: BoardReading, role: KeptFor, keeping: Keeping): Promise<TakenSnapshot> {
  keeping.missed = [];
  try {
    const read = await readSnapshot(ctx, role);
    // Of a large board this takes a while of its own; what comes meanwhile is missed, too.
    await breathe();
    const board = new KeptBoard(read);
    const taken = board.taken();
    const follows = board.epoch === ctx.bus.epoch && keeping.missed?.every((set) => board.apply(changesFor(role, set)));
    keeping.board = follows ? board : null;
    return follows ? board.taken() : taken;
  } finally {
    keeping.missed = null;
    keeping.reading = null;
  }
}

/** Reads all that is seen in a room from the database. */
export function readSnapshot(ctx: Omit<BoardReading, 'boards'>, role: Role): Promise<BoardAt> {
  // Before anything is read: rows of the history before must not pass for the next one's.
  const { epoch } = ctx.bus;
  const begin = ctx.inTurns.transaction();
  // A transaction of SQLite sees one state anyway; PostgreSQL has to be told, or the clock and the rows may differ.
  return (ctx.dialect === 'postgres' ? begin.setIsolationLevel('repeatable read') : begin).execute(async (tx) => {
    const { value: clock } = await tx.selectFrom('clock').select('value').executeTakeFirstOrThrow();
    const read = <K extends Kind>(kind: K): Promise<RecordLists[K]> => readKind(kind, { settings: ctx, tx, role });
    const forAll = await perKindInTurn<Pick<RecordLists, BoardKind>>(MEMBER_KINDS, read);
    const forSome: { -readonly [K in AdminsKind]?: RecordLists[K] } = {};
    const readMore = async <K extends AdminsKind>(kind: K): Promise<void> => {
      forSome[kind] = await read(kind);
    };
    for (const kind of ADMINS_KINDS_SEEN[role]) await readMore(kind);
    return { clock, epoch, snapshot: { ...forAll, ...forSome } };
  });
}
