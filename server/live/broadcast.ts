import type { ServerEvents } from '../../shared/live.ts';
import type { Context } from '../context.ts';
import { liveFailure } from './contain.ts';
import { frameOf } from './frame.ts';
import type { LiveServer } from './live-server.ts';

/** Connections that are told in one turn of the event loop: some five milliseconds. */
const TOLD_A_TURN = 500;
/** Messages that may wait for their turn. Of one more all are told at once: who makes them waits, and no heap of them grows. */
export const MAX_WAITING = 1_000;

/** What is told to every connection of some rooms, except to those of some others. */
type Message = { [E in 'changes' | 'presence']: { event: E; said: Parameters<ServerEvents[E]>[0] } }['changes' | 'presence'] & {
  to: readonly string[];
  except?: readonly string[];
};

/** Tells many the same, one message after another, to each connection in that order. */
export interface Broadcast {
  /**
   * Tells it in turns of its own: whoever caused it is answered first, and nobody waits until thousands are told. Who comes
   * into a room before its message's turn is told, too.
   */
  tell: (message: Message) => void;
  /** Nobody is told any more what waits. */
  forget: () => void;
}

interface UnderWay {
  /** Those who are still to be told. */
  ids: Iterator<string>;
  packet: string;
  /** Of Engine.IO: the frame is written once, whoever takes it. */
  options: { compress: boolean; wsPreEncodedFrame: Buffer[] };
}

export function createBroadcast(ctx: Pick<Context, 'log' | 'metrics'>, io: LiveServer): Broadcast {
  let waiting: Message[] = [];
  let underWay: UnderWay | null = null;
  let isScheduled = false;

  const idsIn = (rooms: readonly string[]): Set<string> =>
    new Set(rooms.flatMap((room) => [...(io.sockets.adapter.rooms.get(room) ?? [])]));
  /** @returns null where nobody is to be told: then it need not be written */
  const begin = ({ event, said, to, except = [] }: Message): UnderWay | null => {
    const ids = idsIn(to).difference(idsIn(except));
    if (ids.size === 0) return null;
    const packet = `2${JSON.stringify([event, said])}`;
    const options = { compress: false, wsPreEncodedFrame: [frameOf(packet)] };
    return { ids: ids.values(), packet, options };
  };
  /** Tells the next connection. @returns whether there was one */
  const tellOne = (): boolean => {
    for (;;) {
      if (!underWay) {
        const message = waiting.shift();
        if (!message) return false;
        underWay = begin(message);
        if (!underWay) continue;
      }
      const { ids, packet, options } = underWay;
      const id = ids.next();
      if (id.done) underWay = null;
      else {
        io.sockets.sockets.get(id.value)?.conn.write(packet, options);
        return true;
      }
    }
  };
  const tellSome = (most: number): void => {
    for (let told = 0; told < most; told += 1) {
      try {
        if (!tellOne()) return;
      } catch (error) {
        // One message that cannot be written, or one connection that cannot take it, keeps nothing from the others.
        liveFailure(ctx, error, 'a change could not be told');
      }
    }
    schedule();
  };
  const turn = (): void => {
    isScheduled = false;
    tellSome(TOLD_A_TURN);
  };
  const schedule = (): void => {
    if (!isScheduled) setImmediate(turn);
    isScheduled = true;
  };

  return {
    tell: (message) => {
      waiting.push(message);
      if (waiting.length > MAX_WAITING) tellSome(Number.POSITIVE_INFINITY);
      else schedule();
    },
    forget: () => {
      waiting = [];
      underWay = null;
    },
  };
}
