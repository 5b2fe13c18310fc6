import { z } from 'zod';
import { CHOOSING_MS, MAX_CHOICES } from '../../shared/live.ts';
import { date, hourEnd, hourStart, id } from '../../shared/schemas/fields.ts';

export const PRESENCE_CHANNEL = 'claimboard_presence';

const chosenHours = z
  .object({ respawn_id: id, date: date.nullable(), hour_start: hourStart, hour_end: hourEnd })
  .refine(({ hour_start, hour_end }) => hour_start < hour_end);

/** What a client says it is about to claim. */
export const choices = z.array(chosenHours).max(MAX_CHOICES).readonly();

const count = z.number().int().min(0);
const chooser = z.object({ id: z.string(), name: z.string().nullable(), choices });

/** What servers tell each other of who is there. `owner` is the connection that chose. */
const presenceMessage = z.discriminatedUnion('op', [
  z.object({ op: z.literal('hello'), server: z.string() }),
  z.object({ op: z.literal('watching'), server: z.string(), people: count }),
  z.object({ op: z.literal('put'), server: z.string(), owner: z.string(), chooser, for_ms: count.max(CHOOSING_MS) }),
  z.object({ op: z.literal('remove'), owner: z.string(), id: z.string() }),
]);
export type PresenceMessage = z.infer<typeof presenceMessage>;

type Line = (text: string) => void;

/**
 * Carries presence between servers. Nothing is stored: what is lost on the way lapses by itself. With a line every
 * server, the sender included, hears a message when it comes back, so that all of them hear all in one order.
 */
export interface PresenceRelay {
  publish: (message: PresenceMessage) => void;
  listen: (listener: (message: PresenceMessage) => void) => void;
  /** Calls back whenever a line to other servers was connected: what they said before was missed. */
  onConnected: (listener: () => void) => void;
  isConnected: () => boolean;
  /** Sends over a line from now on; without one a message goes no further than this server. */
  connect: (line: Line | null) => void;
  /** A text came over the line; one that a server of another version sent may be none of ours. */
  receive: (text: string) => void;
}

export function createPresenceRelay(): PresenceRelay {
  const listeners: ((message: PresenceMessage) => void)[] = [];
  const greeters: (() => void)[] = [];
  let line: Line | null = null;
  const hear = (message: PresenceMessage): void => {
    for (const listener of listeners) listener(message);
  };
  return {
    publish: (message) => {
      if (line) line(JSON.stringify(message));
      else hear(message);
    },
    listen: (listener) => listeners.push(listener),
    onConnected: (listener) => {
      greeters.push(listener);
      if (line) listener();
    },
    isConnected: () => line !== null,
    connect: (next) => {
      line = next;
      if (line) for (const greet of greeters) greet();
    },
    receive: (text) => {
      const message = presenceMessage.safeParse(parsed(text));
      if (message.success) hear(message.data);
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
