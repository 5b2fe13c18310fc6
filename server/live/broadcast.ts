import type { ChangeSet, PresenceNews, ServerEvents } from '../../shared/live.ts';
import type { Context } from '../context.ts';
import type { StoredChangeSet } from '../db/change-set.ts';
import { changesFor } from './change-log.ts';
import { liveFailure } from './contain.ts';
import { frameOf } from './frame.ts';
import type { LiveServer } from './live-server.ts';
import { newsKey, tellings } from './presence-gathering.ts';
import { MAX_CATCH_UP, MAX_CATCH_UP_LENGTH } from './recent-sets.ts';
import { ROLES, type Role } from './role.ts';

/** A flush gives the event loop back after this long, in milliseconds, and goes on in the next turn. */
const SLICE_MS = 3;
/** Packets written between two looks at the clock; less than 1 ms, also of long frames. */
export const PACKETS_PER_CHECK = 16;
/** Change sets without anything that a room may see wait this long for one with something, in milliseconds. */
export const EMPTY_SETS_DELAY_MS = 5_000;
/** More of them are sent without waiting: as JSON they are 3 kB. */
export const MAX_EMPTY_SETS = 100;

/** Sends change sets and presence to everyone in the rooms they concern. */
export interface Broadcast {
  /** Queues a committed change set. Whoever caused it is answered before it is sent. */
  changes: (set: StoredChangeSet) => void;
  /** Queues what happened; of each person only the newest is sent. */
  presence: (news: readonly PresenceNews[]) => void;
  /** Drops everything that has not been sent. */
  forget: () => void;
}

/**
 * At most one flush is under way. What is queued meanwhile goes into the next one together, so that load makes frames
 * larger and fewer. A frame is encoded once, and written to its sockets in slices of a few milliseconds.
 *
 * A socket that enters a room during a flush is not sent that flush: the answer to its `sync` holds all that was queued
 * before it entered.
 */
export function createBroadcast(ctx: Pick<Context, 'log' | 'metrics'>, io: LiveServer, emptySetsDelayMs: number): Broadcast {
  const queues: Record<Role, ChangeQueue> = { members: new ChangeQueue(), viewers: new ChangeQueue(), admins: new ChangeQueue() };
  const pendingNews = new Map<string | null, PresenceNews>();
  let flush: Iterator<void, void> | null = null;
  let isScheduled = false;
  let hasEmptySetsTimer = false;

  const idsIn = (rooms: readonly string[]): Set<string> =>
    new Set(rooms.flatMap((room) => [...(io.sockets.adapter.rooms.get(room) ?? [])]));

  /** Yields after each socket. */
  function* send(event: keyof ServerEvents, json: string, ids: ReadonlySet<string>): Generator<void, void> {
    if (ids.size === 0) return;
    const packet = `2["${event}",${json}]`;
    // Engine.IO writes an encoded frame as it is.
    const options = { compress: false, wsPreEncodedFrame: [frameOf(packet)] };
    for (const id of ids) {
      try {
        io.sockets.sockets.get(id)?.conn.write(packet, options);
      } catch (error) {
        // One socket's failure must not keep the frame from the others.
        liveFailure(ctx, error, 'a live message could not be sent');
      }
      yield;
    }
  }

  function* sendPending(): Generator<void, void> {
    for (const role of ROLES) {
      if (queues[role].isUrgent) yield* send('changes', queues[role].take(), idsIn([role]));
    }
    const news = [...pendingNews.values()];
    pendingNews.clear();
    for (const { said, to, except = [] } of tellings(news, ROLES))
      yield* send('presence', JSON.stringify(said), idsIn(to).difference(idsIn(except)));
  }

  /** Goes on with the flush until it ends or its slice is over. */
  const runSlice = (): void => {
    isScheduled = false;
    const until = performance.now() + SLICE_MS;
    flush ??= sendPending();
    try {
      do {
        for (let packets = 0; packets < PACKETS_PER_CHECK; packets += 1) {
          if (!flush.next().done) continue;
          flush = null;
          if (hasUrgent()) schedule();
          return;
        }
      } while (performance.now() < until);
    } catch (error) {
      // What cannot be encoded is lost, and whoever misses it asks for it.
      flush = null;
      liveFailure(ctx, error, 'live messages could not be sent');
    }
    schedule();
  };
  const hasUrgent = (): boolean => pendingNews.size > 0 || ROLES.some((role) => queues[role].isUrgent);
  const schedule = (): void => {
    if (!isScheduled) setImmediate(runSlice);
    isScheduled = true;
  };
  const sendEmptySets = (): void => {
    hasEmptySetsTimer = false;
    for (const role of ROLES) queues[role].waitNoLonger();
    if (hasUrgent()) schedule();
  };

  return {
    changes: (set) => {
      for (const role of ROLES) {
        // A socket that enters an empty room later is told of this set by the answer to its `sync`.
        if (io.sockets.adapter.rooms.has(role)) queues[role].add(changesFor(role, set));
      }
      if (emptySetsDelayMs === 0) sendEmptySets();
      else if (hasUrgent()) schedule();
      if (hasEmptySetsTimer || !ROLES.some((role) => queues[role].isWaiting)) return;
      setTimeout(sendEmptySets, emptySetsDelayMs).unref();
      hasEmptySetsTimer = true;
    },
    presence: (news) => {
      for (const one of news) pendingNews.set(newsKey(one), one);
      if (hasUrgent()) schedule();
    },
    forget: () => {
      for (const role of ROLES) queues[role].clear();
      pendingNews.clear();
      flush = null;
    },
  };
}

/**
 * The change sets that one room has not been sent, as JSON. Past as many, or as long, as are sent to a watcher that
 * catches up, they become one `reset`: a snapshot is the smaller answer then.
 */
class ChangeQueue {
  #sets: string[] = [];
  #length = 0;
  #isUrgent = false;

  add(set: ChangeSet): void {
    // The snapshot that a reset asks for holds whatever came before it.
    if (set.changes.some(({ op }) => op === 'reset')) this.clear();
    this.#push(set);
    const isTooMuch = this.#sets.length > MAX_CATCH_UP || (this.#length > MAX_CATCH_UP_LENGTH && this.#sets.length > 1);
    if (!isTooMuch) return;
    this.clear();
    this.#push({ clock: set.clock, changes: [{ op: 'reset' }] });
  }

  /** Whether it goes out with the next flush. */
  get isUrgent(): boolean {
    return this.#isUrgent;
  }

  /** Whether it holds nothing but empty change sets that may still wait. */
  get isWaiting(): boolean {
    return this.#sets.length > 0 && !this.#isUrgent;
  }

  waitNoLonger(): void {
    this.#isUrgent = this.#sets.length > 0;
  }

  /** @returns one change set, or several in order as an array, as JSON */
  take(): string {
    const json = this.#sets.join(',');
    const taken = this.#sets.length === 1 ? json : `[${json}]`;
    this.clear();
    return taken;
  }

  clear(): void {
    this.#sets = [];
    this.#length = 0;
    this.#isUrgent = false;
  }

  #push(set: ChangeSet): void {
    const json = JSON.stringify(set);
    this.#sets.push(json);
    this.#length += json.length;
    this.#isUrgent ||= set.changes.length > 0 || this.#sets.length > MAX_EMPTY_SETS;
  }
}
