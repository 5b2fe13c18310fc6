import { z } from 'zod';
import { CHOOSING_MS, MAX_CHOICES } from '../../shared/live.ts';
import { date, hourEnd, hourStart, id } from '../../shared/schemas/fields.ts';
import { onlineHunters } from '../../shared/schemas/online.ts';

export const PRESENCE_CHANNEL = 'claimboard_presence';

const chosenHours = z
  .object({ respawn_id: id, date: date.nullable(), hour_start: hourStart, hour_end: hourEnd })
  .refine(({ hour_start, hour_end }) => hour_start < hour_end);

/** The message of a client that is choosing hours. */
export const choices = z.array(chosenHours).max(MAX_CHOICES).readonly();

const count = z.number().int().min(0);
const chooser = z.object({ id: z.string(), name: z.string().nullable(), choices });

/** Between servers. `owner` is the connection that chose. */
const presenceMessage = z.discriminatedUnion('op', [
  z.object({ op: z.literal('hello'), server: z.string() }),
  z.object({ op: z.literal('watching'), server: z.string(), people: count }),
  z.object({
    op: z.literal('put'),
    server: z.string(),
    owner: z.string(),
    chooser,
    for_ms: count.max(CHOOSING_MS),
  }),
  z.object({ op: z.literal('remove'), owner: z.string(), id: z.string() }),
  // Who is online in the game: parts of one reading, as a message between servers has at most 8 kB.
  z.object({ op: z.literal('online'), part: count, parts: count, hunters: onlineHunters }),
]);
export type PresenceMessage = z.infer<typeof presenceMessage>;

type Line = (text: string) => void;

/**
 * Carries presence between servers. Nothing is stored; a lost message only means that its entry expires. With a line, every server
 * (the sender too) receives a message when it comes back, so all servers receive all messages in one order.
 */
export interface PresenceRelay {
  publish: (message: PresenceMessage) => void;
  listen: (listener: (message: PresenceMessage) => void) => void;
  /** Calls back when a line to other servers was connected: their earlier messages were missed. */
  onConnected: (listener: () => void) => void;
  isConnected: () => boolean;
  /** Sends over this line from now on; without one, messages stay in this process. */
  connect: (line: Line | null) => void;
  /** Handles a text from the line; ignores the messages of another version. */
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
