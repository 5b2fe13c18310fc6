import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import { ROOMS } from '../../shared/kinds.ts';
import { PING_EVERY_MS } from '../../shared/live.ts';
import type { Reading } from '../db/database.ts';
import { type Reader, roomOf } from '../http/caller.ts';
import { CONNECTION_LIMITS } from '../http/connection-limits.ts';
import { CHOOSERS, type Metrics, measure } from '../http/metrics.ts';
import {
  type Admitting,
  admission,
  admitAgain,
  disconnectRevoked,
  type Revoking,
} from './admission.ts';
import { type Broadcast, createBroadcast, EMPTY_SETS_DELAY_MS } from './broadcast.ts';
import { type ChangeBus, keepRecentChangeSets } from './bus.ts';
import { limitLiveConnections, SWEEP_MS } from './connection-limits.ts';
import {
  containFailures,
  type FailureLog,
  type LiveLog,
  type LiveServer,
  type LiveSocket,
  logFailure,
} from './live-server.ts';
import { followOnline } from './online.ts';
import { type OwnSources, sendOwnRecords } from './own-records.ts';
import { batchNews, createPresence, type Person } from './presence.ts';
import { choices, type PresenceRelay } from './presence-relay.ts';
import { answerSyncs, type SyncContext } from './sync.ts';

/** A connection that has not shown a valid credential by then is closed. */
const CONNECT_TIMEOUT_MS = 15_000;
/** Message from a client, in bytes; the hours that someone is choosing take a few hundred. */
const MAX_MESSAGE_BYTES = 10_000;
/** Clients told to reconnect per second when the history changes. */
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
  maxPerAddress: number;
}

interface LiveContext
  extends Omit<Admitting, 'metrics' | 'log' | 'bus'>,
    Omit<SyncContext, 'bus' | 'metrics'>,
    LiveLog,
    Omit<Revoking, 'bus' | 'log' | 'metrics'>,
    Reading {
  bus: ChangeBus;
  metrics: Metrics;
  presence: PresenceRelay;
  ownRecords: OwnSources;
}

/** Serves the live protocol: handshake, catching up, change sets for each room, presence. */
export function createLive(
  ctx: LiveContext,
  http: HttpServer,
  options: Partial<LiveOptions> = {},
): LiveServer {
  const {
    emptySetsDelay = EMPTY_SETS_DELAY_MS,
    maxPerAddress = CONNECTION_LIMITS.connections_per_address,
    ...timing
  } = options;
  const io: LiveServer = new Server(http, {
    // No polling transport: it would need sticky sessions behind a balancer. The 10 s refresh is the fallback.
    transports: ['websocket'],
    perMessageDeflate: false,
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_EVERY_MS,
    ...timing,
  });
  const limits = limitLiveConnections(ctx, io, maxPerAddress);
  const broadcast = createBroadcast(ctx, io, emptySetsDelay);
  const follow = followPresence(ctx, broadcast, http);
  const recent = keepRecentChangeSets(ctx.bus);
  const sendOwn = sendOwnRecords(ctx, io);
  const sendOnline = followOnline(ctx, io);
  io.use(admission(ctx));
  io.on('connection', (socket) => {
    const role = roomOf(socket.data.caller);
    ctx.metrics.watchers.inc({ role });
    socket.on('disconnect', () => ctx.metrics.watchers.dec({ role }));
    containFailures(ctx, socket, () => admitAgain(ctx, socket))();
    const sendPresence = follow(socket);
    const onAnswered = (): void => {
      sendPresence();
      sendOwn(socket);
      sendOnline(socket);
    };
    socket.on(
      'sync',
      containFailures<[unknown, unknown]>(
        ctx,
        socket,
        answerSyncs(ctx, socket, { recent, limits, onAnswered }),
      ),
    );
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
  for (const socket of sockets)
    setTimeout(() => socket.disconnect(true), Math.random() * spreadMs).unref();
}

/** Choices that one person may send in 5 s, over all connections; the rest is ignored. A form sends far fewer. */
export const MAX_CHOICES_TOLD = 20;
const WINDOW_MS = 5_000;

interface PresenceContext extends FailureLog {
  presence: PresenceRelay;
  now: () => Date;
  metrics: Metrics;
}

/** A member with three open pages is one person. */
function personOf(caller: Reader, socket_id: string): Person {
  switch (caller.role) {
    case 'member':
      return { id: `member:${caller.character_key}`, name: caller.character_name };
    case 'admin':
      return { id: `admin:${caller.admin_id}`, name: null };
    case 'visitor':
      return { id: `visitor:${socket_id}`, name: null };
  }
}

/**
 * Sends presence to watchers.
 * @returns a function that follows one socket, and returns one that sends it the whole state after a `sync`
 */
function followPresence(
  ctx: PresenceContext,
  broadcast: Pick<Broadcast, 'presence'>,
  http: HttpServer,
): (socket: LiveSocket) => () => void {
  const failed = (error: unknown): void => logFailure(ctx, error, 'presence could not be sent');
  const batch = batchNews(broadcast.presence, failed);
  const presence = createPresence({ relay: ctx.presence, now: ctx.now, tell: batch.add, failed });
  measure(
    ctx.metrics,
    { name: CHOOSERS, help: 'People who choose hours just now, on any server' },
    (gauge) => gauge.set(presence.choosing()),
  );
  http.once('close', () => {
    presence.stop();
    batch.stop();
  });
  const mayChoose = limitChoices(ctx.now);
  return (socket) => {
    const person = personOf(socket.data.caller, socket.id);
    let hasArrived = false;
    let hasChosen = false;
    const withdraw = (): void => {
      if (hasChosen) presence.withdraw(socket.id, person.id);
      hasChosen = false;
    };
    void socket.join(person.id);
    const choose = (message: unknown): void => {
      if (socket.data.caller.role === 'visitor') return;
      const chosen = choices.nullable().safeParse(message);
      if (!chosen.success) return;
      if (!chosen.data?.length) withdraw();
      else if (mayChoose(person.id)) {
        hasChosen = true;
        presence.choose(socket.id, person, chosen.data);
      }
    };
    const leave = (): void => {
      withdraw();
      if (hasArrived) presence.leave(person.id);
    };
    socket.on('choosing', containFailures(ctx, socket, choose));
    socket.on('disconnect', containFailures(ctx, socket, leave));
    return () => {
      if (!socket.connected) return;
      if (!hasArrived) presence.arrive(person.id);
      hasArrived = true;
      socket.emit('presence', presence.stateFor(person.id));
    };
  };
}

function limitChoices(now: () => Date): (person_id: string) => boolean {
  /** In the order of the windows' starts. */
  const windows = new Map<string, { began_at: number; choices: number }>();
  return (person_id) => {
    const at = now().getTime();
    for (const [id, { began_at }] of windows) {
      if (Math.abs(at - began_at) < WINDOW_MS) break;
      windows.delete(id);
    }
    const window = windows.get(person_id) ?? { began_at: at, choices: 0 };
    windows.set(person_id, window);
    window.choices += 1;
    return window.choices <= MAX_CHOICES_TOLD;
  };
}
