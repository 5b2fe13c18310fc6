import { z } from 'zod';
import type { Room } from '../../shared/kinds.ts';
import type { SyncAnswer } from '../../shared/live.ts';
import type { Db } from '../db/database.ts';
import { CHANGE_SETS_KEPT, type StoredChangeSet } from '../db/unit-of-work.ts';
import { roomOf } from '../http/caller.ts';
import type { Metrics } from '../http/metrics.ts';
import {
  type ChangeBus,
  changeSetsSince,
  changesFor,
  lengthSince,
  MAX_CATCH_UP,
  MAX_CATCH_UP_LENGTH,
  type RecentChangeSets,
} from './bus.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { encodeSnapshotAnswer } from './encoding.ts';
import type { LiveSocket } from './live-server.ts';
import type { ReadModel } from './read-model.ts';

/** Calls of `sync` in 10 s on one socket, and the most that may wait. A client that exceeds it is disconnected and may come back. */
export const MAX_SYNCS = 10;
const SYNC_WINDOW_MS = 10_000;
/** Snapshots in a minute on one socket; a client that exceeds it is disconnected. */
export const MAX_SNAPSHOTS = 10;
const SNAPSHOT_WINDOW_MS = 60_000;

const syncClock = z.number().int().min(0).nullable();

export interface SyncContext {
  bus: Pick<ChangeBus, 'epoch' | 'clock'>;
  db: Db;
  readModel: ReadModel;
  /** The name of the client's build that a browser would load now. */
  build: () => string | null;
  metrics: Pick<Metrics, 'disconnects'>;
}

interface Request {
  clock: unknown;
  acknowledge: (answer: unknown) => void;
}

interface SyncParts {
  recent: RecentChangeSets;
  limits: ConnectionLimits;
  /** Called after each answer. */
  onAnswered: () => void;
}

/** Handles `sync` of one socket, one request at a time: the next one is read when the client has taken the answer before. */
export function answerSyncs(
  ctx: SyncContext,
  socket: LiveSocket,
  { recent, limits, onAnswered }: SyncParts,
): (clock: unknown, answer: unknown) => Promise<void> {
  const takeSync = createAllowance(MAX_SYNCS, SYNC_WINDOW_MS);
  const takeSnapshot = createAllowance(MAX_SNAPSHOTS, SNAPSHOT_WINDOW_MS);
  const waiting: Request[] = [];
  let isAnswering = false;

  const disconnect = (why: 'syncs' | 'snapshots'): void => {
    ctx.metrics.disconnects.inc({ why });
    socket.disconnect(true);
    // Engine.IO closes after its buffer is empty, which a client that doesn't read can delay.
    if (socket.conn.readyState === 'closing') socket.conn.request.socket.destroy();
  };

  const answerOne = async ({ clock, acknowledge }: Request): Promise<void> => {
    const room = roomOf(socket.data.caller);
    // Join before reading anything: a change set that is committed in between would be lost otherwise.
    await socket.join(room);
    const caughtUp = await catchUp(ctx, recent, { room, clock });
    if (caughtUp) {
      acknowledge(caughtUp);
      onAnswered();
      return;
    }
    if (!takeSnapshot()) return disconnect('snapshots');
    const answer = await encodeSnapshotAnswer(await ctx.readModel.snapshot(room), ctx.build());
    const taken = limits.answerWith(socket, acknowledge, answer);
    onAnswered();
    await taken;
  };

  return async (clock, acknowledge) => {
    if (!socket.connected) return;
    if (!takeSync() || waiting.length >= MAX_SYNCS) return disconnect('syncs');
    if (typeof acknowledge !== 'function') return;
    waiting.push({ clock, acknowledge: (answer) => acknowledge(answer) });
    if (isAnswering) return;
    isAnswering = true;
    try {
      for (let next = waiting.shift(); next && socket.connected; next = waiting.shift())
        await answerOne(next);
    } finally {
      isAnswering = false;
    }
  };
}

/** @returns a function that takes one of `max` in any window of `windowMs`, and says whether there was one left */
function createAllowance(max: number, windowMs: number): () => boolean {
  let used = 0;
  const giveBack = (): void => {
    used -= 1;
  };
  return () => {
    if (used >= max) return false;
    used += 1;
    setTimeout(giveBack, windowMs).unref();
    return true;
  };
}

/**
 * The change sets that a watcher lacks; none, with the current clock, if its room sees no change since. Null if it needs a snapshot:
 * the change sets reach too far back, are too long, or contain a reset.
 */
async function catchUp(
  ctx: SyncContext,
  recent: RecentChangeSets,
  { room, clock }: { room: Room; clock: unknown },
): Promise<SyncAnswer | null> {
  const { epoch } = ctx.bus;
  const since = syncClock.safeParse(clock);
  const now = ctx.bus.clock();
  if (!since.success || since.data === null || since.data > now) return null;
  const name = ctx.build();
  const build = name === null ? {} : { build: name };
  if (since.data === now || isUnchangedSince(ctx, room, since.data))
    return { clock: now, epoch, ...build, change_sets: [] };
  if (now - since.data > Math.min(MAX_CATCH_UP, CHANGE_SETS_KEPT)) return null;
  const sets = recent.since(since.data) ?? (await storedSince(ctx.db, since.data));
  const last = sets.at(-1);
  // If the history changed while reading, the change sets may be of another one than the epoch.
  if (!last || sets[0]?.clock !== since.data + 1 || epoch !== ctx.bus.epoch) return null;
  const visible = sets.map((set) => changesFor(room, set));
  if (visible.some((set) => set.changes.some(({ op }) => op === 'reset'))) return null;
  return { clock: last.clock, epoch, ...build, change_sets: visible };
}

/** `GET /snapshot` names the clock of the last visible change, which may be thousands of invisible writes ago. */
function isUnchangedSince(
  { readModel, bus }: Pick<SyncContext, 'readModel' | 'bus'>,
  room: Room,
  clock: number,
): boolean {
  const version = readModel.version(room);
  return version !== null && version.clock === bus.clock() && version.changed_at <= clock;
}

/** The change sets in the database; none if they are too long. */
async function storedSince(db: Db, clock: number): Promise<StoredChangeSet[]> {
  return (await lengthSince(db, clock)) > MAX_CATCH_UP_LENGTH ? [] : changeSetsSince(db, clock);
}
