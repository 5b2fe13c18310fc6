import { ONLINE_LASTS_MS } from '../../shared/live.ts';
import { omit } from '../../shared/omit.ts';
import type { OnlineHunters } from '../../shared/schemas/online.ts';
import { inBatches, type Reading } from '../db/database.ts';
import { defineMemory } from '../db/memory.ts';
import { type FailureLog, type LiveServer, type LiveSocket, logFailure } from './live-server.ts';
import type { PresenceMessage, PresenceRelay } from './presence-relay.ts';

/** Hunters in one message between servers: with names of 30 characters it has 6 kB. */
const HUNTERS_A_PART = 60;

/** The newest reading of who is online in the game, of any server. */
export const newestOnline = defineMemory((): { hunters: OnlineHunters | null } => ({
  hunters: null,
}));

/** Sends a reading to the watchers of all servers. */
export function publishOnline(
  relay: PresenceRelay,
  { names, worlds, as_of, offline = [] }: OnlineHunters,
): void {
  const online = names.map((name, nth) => ({ name, world: worlds[nth] ?? '' }));
  const messages: OnlineHunters[] = [];
  for (const some of inBatches(online, HUNTERS_A_PART))
    messages.push({
      names: some.map(({ name }) => name),
      worlds: some.map(({ world }) => world),
      as_of,
    });
  for (const some of inBatches(offline, HUNTERS_A_PART))
    messages.push({ names: [], worlds: [], as_of, offline: [...some] });
  if (messages.length === 0) messages.push({ names: [], worlds: [], as_of });
  for (const [part, hunters] of messages.entries())
    relay.publish({ op: 'online', part, parts: messages.length, hunters });
}

type Part = PresenceMessage & { op: 'online' };

/** Puts the parts of a reading together; those of an incomplete one are dropped with the next reading. */
export function joinParts(): (part: Part) => OnlineHunters | null {
  let known: Part[] = [];
  return (part) => {
    if (known[0]?.hunters.as_of !== part.hunters.as_of) known = [];
    known.push(part);
    if (known.length < part.parts) return null;
    const all = known.map(({ hunters }) => hunters);
    return {
      names: all.flatMap(({ names }) => names),
      worlds: all.flatMap(({ worlds }) => worlds),
      as_of: part.hunters.as_of,
      offline: all.flatMap(({ offline = [] }) => offline),
    };
  };
}

interface OnlineContext extends FailureLog, Reading {
  presence: PresenceRelay;
}

/**
 * Sends readings to watchers; who is offline to admins alone.
 * @returns what sends one socket the newest, after a `sync`
 */
export function followOnline(ctx: OnlineContext, io: LiveServer): (socket: LiveSocket) => void {
  const newest = newestOnline(ctx);
  const join = joinParts();
  ctx.presence.listen((message) => {
    if (message.op !== 'online') return;
    const hunters = join(message);
    if (!hunters) return;
    newest.hunters = hunters;
    io.to('members').emit('online', omit(hunters, 'offline'));
    io.to(['viewers', 'admins']).emit('online', hunters);
  });
  const send = async (socket: LiveSocket): Promise<void> => {
    try {
      const hunters = await shownOnline(ctx);
      if (!hunters) return;
      const isAdmin = socket.data.caller.role === 'admin';
      socket.emit('online', isAdmin ? hunters : omit(hunters, 'offline'));
    } catch (error) {
      logFailure(ctx, error, 'who is online could not be sent');
    }
  };
  return (socket) => void send(socket);
}

/** The newest reading, while it is current and the guild shows it. */
export async function shownOnline(ctx: Reading): Promise<OnlineHunters | null> {
  const { hunters } = newestOnline(ctx);
  if (!hunters || !isCurrent(hunters, ctx.now())) return null;
  const { online_enabled } = await ctx.db
    .selectFrom('config')
    .select('online_enabled')
    .executeTakeFirstOrThrow();
  return online_enabled === 1 ? hunters : null;
}

export const isCurrent = ({ as_of }: Pick<OnlineHunters, 'as_of'>, now: Date): boolean =>
  Math.abs(now.getTime() - Date.parse(as_of)) <= ONLINE_LASTS_MS;
