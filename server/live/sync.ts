import { z } from 'zod';
import type { SyncAnswer } from '../../shared/live.ts';
import type { Context } from '../context.ts';
import { CHANGE_SETS_KEPT, type StoredChangeSet } from '../db/change-set.ts';
import type { Db } from '../db/open.ts';
import { allowance } from './allowance.ts';
import type { ChangeBus } from './bus.ts';
import { changeSetsSince, changesFor, lengthSince } from './change-log.ts';
import type { LiveSocket } from './live-server.ts';
import type { Outgoing } from './outgoing.ts';
import type { ReadModel } from './read-model.ts';
import { MAX_CATCH_UP, MAX_CATCH_UP_LENGTH, type RecentSets } from './recent-sets.ts';
import { type Role, roleOf } from './role.ts';
import { writtenSnapshot } from './shared-text.ts';

/** Questions of one connection, and how many may wait for those before. Whoever asks more is disconnected, and comes back after a pause. */
export const MAX_SYNCS = 10;
const SYNC_WINDOW_MS = 10_000;
/** Snapshots that one connection is sent in a minute, likewise. */
export const MAX_SNAPSHOTS = 10;
const SNAPSHOT_WINDOW_MS = 60_000;

const syncClock = z.number().int().min(0).nullable();

/** What syncs are answered from. */
type Syncing = Pick<Context, 'build' | 'bus' | 'db' | 'metrics' | 'readModel'>;

interface Question {
  clock: unknown;
  answer: (synced: unknown) => void;
}

/**
 * Answers what a connection asks, one question after another: the next one when it has taken the answer before.
 * @param onAnswered calls back after each answer
 */
export function answerSyncs(
  ctx: Syncing,
  recent: RecentSets,
  outgoing: Outgoing,
  socket: LiveSocket,
  onAnswered: () => void,
): (clock: unknown, answer: unknown) => Promise<void> {
  const syncs = allowance(MAX_SYNCS, SYNC_WINDOW_MS);
  const snapshots = allowance(MAX_SNAPSHOTS, SNAPSHOT_WINDOW_MS);
  const waiting: Question[] = [];
  let answering = false;

  const sendAway = (why: 'syncs' | 'snapshots'): void => {
    ctx.metrics.cutOff.inc({ why });
    socket.disconnect(true);
  };

  const answerOne = async ({ clock, answer }: Question): Promise<void> => {
    const role = roleOf(socket.data.caller);
    // It joins before anything is read: a claim committed in between would be lost otherwise.
    await socket.join(role);
    const caughtUp = await catchUp(ctx, recent, role, clock);
    if (caughtUp) {
      answer(caughtUp);
      onAnswered();
      return;
    }
    if (!snapshots.take()) return sendAway('snapshots');
    const text = await writtenSnapshot(await ctx.readModel.snapshot(role), ctx.build());
    const taken = outgoing.answerShared(socket, answer, text);
    onAnswered();
    await taken;
  };

  return async (clock, answer) => {
    if (!socket.connected) return;
    if (!syncs.take() || waiting.length >= MAX_SYNCS) return sendAway('syncs');
    if (typeof answer !== 'function') return;
    waiting.push({ clock, answer: (synced) => answer(synced) });
    if (answering) return;
    answering = true;
    try {
      for (let next = waiting.shift(); next && socket.connected; next = waiting.shift()) await answerOne(next);
    } finally {
      answering = false;
    }
  };
}

/**
 * The change sets that a watcher lacks; none, with the current clock, where its role sees no change since. Null where a snapshot
 * is needed: the change sets reach too far back, are too long, or contain a reset.
 */
async function catchUp(
  ctx: Pick<Syncing, 'readModel' | 'build' | 'bus' | 'db'>,
  recent: RecentSets,
  role: Role,
  asked: unknown,
): Promise<SyncAnswer | null> {
  const { epoch } = ctx.bus;
  const since = syncClock.safeParse(asked);
  const now = ctx.bus.clock();
  if (!since.success || since.data === null || since.data > now) return null;
  const name = ctx.build();
  const build = name === null ? {} : { build: name };
  if (since.data === now || isUnchangedSince(ctx, role, since.data)) return { clock: now, epoch, ...build, change_sets: [] };
  if (now - since.data > Math.min(MAX_CATCH_UP, CHANGE_SETS_KEPT)) return null;
  const sets = recent.since(since.data) ?? (await storedSince(ctx.db, since.data));
  const last = sets.at(-1);
  // What was read of another history than the epoch's is answered by a snapshot, too.
  if (!last || sets[0]?.clock !== since.data + 1 || epoch !== ctx.bus.epoch) return null;
  const seen = sets.map((set) => changesFor(role, set));
  if (seen.some((set) => set.changes.some(({ op }) => op === 'reset'))) return null;
  return { clock: last.clock, epoch, ...build, change_sets: seen };
}

/**
 * Whether the read model knows that a room sees no change after a clock. `GET /snapshot` names the clock of the last visible
 * change, which may be thousands of invisible writes ago.
 */
function isUnchangedSince({ readModel, bus }: { readModel: ReadModel; bus: Pick<ChangeBus, 'clock'> }, role: Role, clock: number): boolean {
  const version = readModel.version(role);
  return version !== null && version.clock === bus.clock() && version.changed_at <= clock;
}

/** Those in the table; none where they are too long. */
async function storedSince(db: Db, clock: number): Promise<StoredChangeSet[]> {
  return (await lengthSince(db, clock)) > MAX_CATCH_UP_LENGTH ? [] : changeSetsSince(db, clock);
}
