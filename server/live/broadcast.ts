import { ROOMS, type Room } from '../../shared/kinds.ts';
import type { ChangeSet, PresenceNews, ServerEvents } from '../../shared/live.ts';
import type { StoredChangeSet } from '../db/unit-of-work.ts';
import { changesFor, MAX_CATCH_UP, MAX_CATCH_UP_LENGTH } from './bus.ts';
import { encodeFrame } from './encoding.ts';
import { type FailureLog, logFailure } from './live-server.ts';
import { newsKey, presenceMessages } from './presence.ts';

/** A flush yields to the event loop after this long, in milliseconds. */
const SLICE_MS = 3;
/** Packets to write between two looks at the time; less than 1 ms even for long frames. */
export const PACKETS_PER_CHECK = 16;
/** Change sets that are empty for a room wait this long for one that isn't, in milliseconds. */
export const EMPTY_SETS_DELAY_MS = 5_000;
/** More empty change sets are sent without waiting; as JSON they are 3 kB. */
export const MAX_EMPTY_SETS = 100;

/** Sends change sets and presence to the sockets in the rooms that see them. */
export interface Broadcast {
  /** Queues a committed change set. Its caller is answered before it is sent. */
  changes: (set: StoredChangeSet) => void;
  /** Queues presence; of each person only the newest is sent. */
  presence: (news: readonly PresenceNews[]) => void;
  /** Drops what has not been sent. */
  forget: () => void;
}

/** The part of Socket.IO's server that a broadcast writes to. */
interface BroadcastTarget {
  sockets: {
    adapter: { rooms: ReadonlyMap<string, ReadonlySet<string>> };
    sockets: {
      get: (id: string) =>
        | {
            conn: {
              write: (
                packet: string,
                options: { compress: boolean; wsPreEncodedFrame: Buffer[] },
              ) => unknown;
            };
          }
        | undefined;
    };
  };
}

/**
 * At most one flush is under way. What is queued meanwhile goes into the next one together, so load makes frames larger and fewer. A
 * frame is encoded once for each room and written to its sockets in slices of a few milliseconds.
 *
 * A socket that joins a room during a flush does not receive it: the answer to its `sync` contains what was queued before it joined.
 */
export function createBroadcast(
  ctx: FailureLog,
  io: BroadcastTarget,
  emptySetsDelayMs: number,
): Broadcast {
  const queues: Record<Room, ChangeQueue> = {
    members: new ChangeQueue(),
    viewers: new ChangeQueue(),
    admins: new ChangeQueue(),
  };
  const pendingNews = new Map<string | null, PresenceNews>();
  let flush: Iterator<void, void> | null = null;
  let isScheduled = false;
  let hasEmptySetsTimer = false;

  const idsIn = (rooms: readonly string[]): Set<string> =>
    new Set(rooms.flatMap((room) => [...(io.sockets.adapter.rooms.get(room) ?? [])]));

  /** Yields after each socket. */
  function* send(
    event: keyof ServerEvents,
    json: string,
    ids: ReadonlySet<string>,
  ): Generator<void, void> {
    if (ids.size === 0) return;
    const packet = `2["${event}",${json}]`;
    const options = { compress: false, wsPreEncodedFrame: [encodeFrame(packet)] };
    for (const id of ids) {
      try {
        io.sockets.sockets.get(id)?.conn.write(packet, options);
      } catch (error) {
        // One socket's failure must not keep the frame from the others.
        logFailure(ctx, error, 'a live message could not be sent');
      }
      yield;
    }
  }

  function* sendPending(): Generator<void, void> {
    for (const room of ROOMS) {
      if (queues[room].isUrgent) yield* send('changes', queues[room].take(), idsIn([room]));
    }
    const news = [...pendingNews.values()];
    pendingNews.clear();
    for (const { message, to, except = [] } of presenceMessages(news, ROOMS))
      yield* send('presence', JSON.stringify(message), idsIn(to).difference(idsIn(except)));
  }

  /** Continues the flush until it ends or its slice is over. */
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
      // A change set that cannot be encoded is lost; a watcher notices the gap and syncs.
      flush = null;
      logFailure(ctx, error, 'live messages could not be sent');
    }
    schedule();
  };
  const hasUrgent = (): boolean =>
    pendingNews.size > 0 || ROOMS.some((room) => queues[room].isUrgent);
  const schedule = (): void => {
    if (!isScheduled) setImmediate(runSlice);
    isScheduled = true;
  };
  const sendEmptySets = (): void => {
    hasEmptySetsTimer = false;
    for (const room of ROOMS) queues[room].stopWaiting();
    if (hasUrgent()) schedule();
  };

  return {
    changes: (set) => {
      for (const room of ROOMS) {
        // A socket that joins an empty room later receives this set with the answer to its `sync`.
        if (io.sockets.adapter.rooms.has(room)) queues[room].add(changesFor(room, set));
      }
      if (emptySetsDelayMs === 0) sendEmptySets();
      else if (hasUrgent()) schedule();
      if (hasEmptySetsTimer || !ROOMS.some((room) => queues[room].isWaiting)) return;
      setTimeout(sendEmptySets, emptySetsDelayMs).unref();
      hasEmptySetsTimer = true;
    },
    presence: (news) => {
      for (const one of news) pendingNews.set(newsKey(one), one);
      if (hasUrgent()) schedule();
    },
    forget: () => {
      for (const room of ROOMS) queues[room].clear();
      pendingNews.clear();
      flush = null;
    },
  };
}

/**
 * The change sets that a room has not been sent, as JSON. If they become more, or longer, than what a watcher is sent to catch up,
 * one `reset` replaces them: a snapshot is the smaller answer then.
 */
class ChangeQueue {
  #sets: string[] = [];
  #length = 0;
  #isUrgent = false;

  add(set: ChangeSet): void {
    // The snapshot that a reset asks for contains everything before it.
    if (set.changes.some(({ op }) => op === 'reset')) this.clear();
    this.#push(set);
    const isTooMuch =
      this.#sets.length > MAX_CATCH_UP ||
      (this.#length > MAX_CATCH_UP_LENGTH && this.#sets.length > 1);
    if (!isTooMuch) return;
    this.clear();
    this.#push({ clock: set.clock, changes: [{ op: 'reset' }] });
  }

  /** Whether it goes out with the next flush. */
  get isUrgent(): boolean {
    return this.#isUrgent;
  }

  /** Whether it contains only empty change sets that may still wait. */
  get isWaiting(): boolean {
    return this.#sets.length > 0 && !this.#isUrgent;
  }

  stopWaiting(): void {
    this.#isUrgent = this.#sets.length > 0;
  }

  /** @returns one change set, or several in order as an array, as JSON */
  take(): string {
    const json = this.#sets.join(',');
    const message = this.#sets.length === 1 ? json : `[${json}]`;
    this.clear();
    return message;
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
