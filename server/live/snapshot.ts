import { allAccessKeys } from '../access-keys/queries.ts';
import { latestActivity } from '../activity/queries.ts';
import { allCategories } from '../categories/queries.ts';
import { verifiedCodes } from '../characters/queries.ts';
import { boardScope, loadClaimsInTurns } from '../claims/queries.ts';
import { readConfig } from '../config/queries.ts';
import type { Context } from '../context.ts';
import { breathe } from '../db/batches.ts';
import type { Tx } from '../db/open.ts';
import { activeEvent, allEvents } from '../events/queries.ts';
import { allMemberTypes } from '../member-types/queries.ts';
import { findRespawns } from '../respawns/queries.ts';
import type { Caller } from '../session/callers.ts';
import { changesFor, type StoredChangeSet } from './change-log.ts';
import { type BoardAt, KeptBoard, type TakenSnapshot } from './kept-board.ts';
import { ACTIVITY_KEPT } from './kept-list.ts';

export type Role = 'members' | 'admins';
const ROLES: readonly Role[] = ['members', 'admins'];
export const roleOf = (caller: Caller): Role => (caller.role === 'admin' ? 'admins' : 'members');

/** Change sets that may come while a board is read; beyond them what was read is not followed. */
const MAX_MISSED = 1_000;

interface Keeping {
  board: KeptBoard | null;
  reading: Promise<TakenSnapshot> | null;
  /** What was handed out since the reading began; null: too much of it, or none is under way. */
  missed: StoredChangeSet[] | null;
}

const kept = new WeakMap<Context, Record<Role, Keeping>>();

/**
 * All that members, or admins, see, and the clock it was taken at. It is read whole once, and again after what change sets
 * do not name (a reset, another history, one that is missing): otherwise the board in memory follows them.
 */
export async function takeSnapshot(ctx: Context, role: Role): Promise<TakenSnapshot> {
  const keeping = keepingOf(ctx)[role];
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

function keepingOf(ctx: Context): Record<Role, Keeping> {
  const known = kept.get(ctx);
  if (known) return known;
  const nothing = (): Keeping => ({ board: null, reading: null, missed: null });
  const keeping = { members: nothing(), admins: nothing() };
  kept.set(ctx, keeping);
  ctx.bus.listen((set) => {
    for (const role of ROLES) follow(keeping[role], role, set);
  });
  ctx.bus.onNewHistory(() => {
    for (const role of ROLES) keeping[role].board = null;
  });
  return keeping;
}

function follow(keeping: Keeping, role: Role, set: StoredChangeSet): void {
  if (keeping.missed && keeping.missed.push(set) > MAX_MISSED) keeping.missed = null;
  const { board } = keeping;
  // Until it has taken the set there is none: one that failed over it would be half of two.
  keeping.board = null;
  if (board?.apply(changesFor(role, set))) keeping.board = board;
}

async function readAndFollow(ctx: Context, role: Role, keeping: Keeping): Promise<TakenSnapshot> {
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

/** Reads all that members, or admins, see from the database. */
export function readSnapshot(ctx: Context, role: Role): Promise<BoardAt> {
  // Before anything is read: rows of the history before must not pass for the next one's.
  const { epoch } = ctx.bus;
  const begin = ctx.inTurns.transaction();
  // A transaction of SQLite sees one state anyway; PostgreSQL has to be told, or the clock and the rows may differ.
  return (ctx.dialect === 'postgres' ? begin.setIsolationLevel('repeatable read') : begin).execute(async (tx) => {
    const { value: clock } = await tx.selectFrom('clock').select('value').executeTakeFirstOrThrow();
    const forAll = {
      claim: await loadClaimsInTurns(tx, await boardScope(ctx, tx)),
      category: await allCategories(tx),
      member_type: await allMemberTypes(tx),
      config: [await readConfig(ctx, tx)],
    };
    const forRole = role === 'admins' ? await forAdmins(tx) : await forMembers(tx);
    return { clock, epoch, snapshot: { ...forAll, ...forRole } };
  });
}

async function forMembers(tx: Tx) {
  const event = await activeEvent(tx);
  return { respawn: await findRespawns(tx, { enabled: true }), event: event ? [event] : [] };
}

async function forAdmins(tx: Tx) {
  return {
    respawn: await findRespawns(tx),
    event: await allEvents(tx),
    access_key: await allAccessKeys(tx),
    verified_code: await verifiedCodes(tx, { of: 'start' }),
    activity: await latestActivity(tx, ACTIVITY_KEPT),
  };
}
