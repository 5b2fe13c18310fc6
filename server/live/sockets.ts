import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import { ROOMS } from '../../shared/kinds.ts';
import { PING_EVERY_MS } from '../../shared/live.ts';
import { roomOf } from '../http/caller.ts';
import { CONNECTION_LIMITS } from '../http/connection-limits.ts';
import type { Metrics } from '../http/metrics.ts';
import { type Admitting, admission, admitAgain } from './admission.ts';
import { createBroadcast, EMPTY_SETS_DELAY_MS } from './broadcast.ts';
import type { ChangeBus } from './bus.ts';
import { keepRecentChangeSets } from './change-log.ts';
import { limitConnections, SWEEP_MS } from './connection-limits.ts';
import { containFailures, type LiveLog, type LiveServer } from './live-server.ts';
import type { PresenceRelay } from './presence-relay.ts';
import { followPresence } from './presence-sockets.ts';
import { disconnectRevoked, type Revoking } from './revocation.ts';
import { answerSyncs, type SyncContext } from './sync.ts';

/** A connection that has not shown a valid credential by then is closed. */
const CONNECT_TIMEOUT_MS = 15_000;
/** Size of a message from a client, in bytes; the hours that someone is choosing take a few hundred. */
const MAX_MESSAGE = 10_000;
/** When the history changes, so many clients a second are told to reconnect. */
const RECONNECTS_PER_SECOND = 500;

/** How long a client may be silent, in milliseconds. */
interface LiveTiming {
  pingInterval: number;
  pingTimeout: number;
  connectTimeout: number;
  /** How long change sets that are empty for a room wait for one that isn't. */
  emptySetsDelay: number;
}

export interface LiveOptions extends LiveTiming {
  /** Connections of one address. */
  maxPerAddress: number;
}

interface LiveContext
  extends Omit<Admitting, 'metrics' | 'log' | 'bus'>,
    Omit<SyncContext, 'bus' | 'metrics'>,
    LiveLog,
    Omit<Revoking, 'bus' | 'log' | 'metrics'> {
  bus: ChangeBus;
  metrics: Metrics;
  presence: PresenceRelay;
}

/** Serves the live protocol: handshake, catching up, change sets for each room, presence. */
export function createLive(ctx: LiveContext, http: HttpServer, options: Partial<LiveOptions> = {}): LiveServer {
  const { emptySetsDelay = EMPTY_SETS_DELAY_MS, maxPerAddress = CONNECTION_LIMITS.connections_per_address, ...timing } = options;
  const io: LiveServer = new Server(http, {
    // No polling transport: it would need sticky sessions behind a balancer. The 10 s refresh is the fallback.
    transports: ['websocket'],
    perMessageDeflate: false,
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE,
    connectTimeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_EVERY_MS,
    ...timing,
  });
  const limits = limitConnections(ctx, io, maxPerAddress);
  const broadcast = createBroadcast(ctx, io, emptySetsDelay);
  const follow = followPresence(ctx, broadcast, http);
  const recent = keepRecentChangeSets(ctx.bus);
  io.use(admission(ctx));
  io.on('connection', (socket) => {
    const role = roomOf(socket.data.caller);
    ctx.metrics.watchers.inc({ role });
    socket.on('disconnect', () => ctx.metrics.watchers.dec({ role }));
    containFailures(ctx, socket, () => admitAgain(ctx, socket))();
    const sendPresence = follow(socket);
    socket.on('sync', containFailures<[unknown, unknown]>(ctx, socket, answerSyncs(ctx, { recent, limits }, socket, sendPresence)));
  });
  ctx.bus.listen((set) => {
    ctx.metrics.changeSets.inc();
    broadcast.changes(set);
  });
  const recheck = disconnectRevoked(ctx, io);
  ctx.bus.onNewHistory(() => {
    // Change sets of the old history: a client would take them for changes of the new one.
    broadcast.forget();
    reconnectAll(io);
  });
  const sweeping = setInterval(() => {
    limits.sweep();
    // Read what other processes wrote, even if their notification was lost or the clock went back.
    ctx.bus.wake();
    recheck();
  }, SWEEP_MS).unref();
  http.once('close', () => clearInterval(sweeping));
  return io;
}

/**
 * The clock counts another history: every client must sync again. They leave their rooms at once, because the new history's change
 * sets mean nothing to them, and are disconnected over some time, so that a whole guild does not reconnect in the same second.
 */
function reconnectAll(io: LiveServer): void {
  const sockets = [...io.sockets.sockets.values()];
  const spreadMs = (sockets.length / RECONNECTS_PER_SECOND) * 1_000;
  io.socketsLeave([...ROOMS]);
  for (const socket of sockets) setTimeout(() => socket.disconnect(true), Math.random() * spreadMs).unref();
}
