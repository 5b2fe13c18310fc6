import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import { PING_EVERY_MS } from '../../shared/live.ts';
import type { Context } from '../context.ts';
import { admission, admitAgain } from './admission.ts';
import { createBroadcast, EMPTY_SETS_DELAY_MS } from './broadcast.ts';
import { contained, liveFailure } from './contain.ts';
import type { LiveServer } from './live-server.ts';
import { endLostAccounts, endLostAdmins, endLostKeys, endLostMembers, mayEndAdmins, mayEndMembers } from './lost-credentials.ts';
import { SWEEP_MS, watchOutgoing } from './outgoing.ts';
import { followPresence } from './presence-socket.ts';
import { keepRecentSets } from './recent-sets.ts';
import { roleOf } from './role.ts';
import { startOver } from './start-over.ts';
import { answerSyncs } from './sync.ts';

/** A connection that has not shown a credential that holds after this long is closed, in milliseconds. */
const CONNECT_TIMEOUT_MS = 15_000;
/** Longest message that is read, in bytes: the hours that somebody is choosing are some hundred. */
const MAX_MESSAGE = 10_000;

/** How long a watcher may be silent, in milliseconds: pings, their answers, and the handshake after the upgrade. */
export interface LiveTiming {
  pingInterval: number;
  pingTimeout: number;
  connectTimeout: number;
  /** How long change sets that a watcher may see nothing of wait for one to go with, in milliseconds. */
  emptySetsDelay: number;
}

/** Serves the live protocol: authenticated handshake, catching up by clock, change sets to each room. */
export function createLive(ctx: Context, http: HttpServer, options: Partial<LiveTiming> = {}): LiveServer {
  const { emptySetsDelay = EMPTY_SETS_DELAY_MS, ...timing } = options;
  const io: LiveServer = new Server(http, {
    // No polling transport: it would need sticky sessions behind a balancer. The ten-second refresh is the fallback.
    transports: ['websocket'],
    perMessageDeflate: false,
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE,
    connectTimeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_EVERY_MS,
    ...timing,
  });
  const outgoing = watchOutgoing(ctx, io);
  io.use(admission(ctx));
  const recent = keepRecentSets(ctx.bus);
  const broadcast = createBroadcast(ctx, io, emptySetsDelay);
  const follow = followPresence(ctx, broadcast, http);
  io.on('connection', (socket) => {
    const role = roleOf(socket.data.caller);
    ctx.metrics.watchers.inc({ role });
    socket.on('disconnect', () => ctx.metrics.watchers.dec({ role }));
    contained(ctx, socket, () => admitAgain(ctx, socket))();
    const tellPresence = follow(socket);
    const answer = answerSyncs(ctx, recent, outgoing, socket, tellPresence);
    socket.on('sync', contained<[unknown, unknown]>(ctx, socket, answer));
  });
  const endAdmins = (): void => {
    endLostAdmins(ctx, io).catch((error: unknown) => liveFailure(ctx, error, 'signed-out admins could not be disconnected'));
  };
  ctx.bus.listen((set) => {
    ctx.metrics.changeSets.inc();
    broadcast.changes(set);
  });
  let isOwedMembers = false;
  const endMembers = (): void => {
    isOwedMembers = false;
    endLostMembers(ctx, io).catch((error: unknown) => {
      isOwedMembers = true;
      liveFailure(ctx, error, 'those who lost their keys could not be disconnected');
    });
  };
  ctx.bus.listen((set) => {
    endLostKeys(io, set);
    endLostAccounts(io, set);
    if (mayEndMembers(set)) endMembers();
    if (mayEndAdmins(set)) endAdmins();
  });
  ctx.bus.onNewHistory(() => {
    // Of the history before: whoever comes to the next one would take it for that one's.
    broadcast.forget();
    startOver(io);
  });
  const sweeping = setInterval(() => {
    outgoing.sweep();
    // Whatever another process wrote is heard at the latest now, also where its notification was lost or the clock went back.
    ctx.bus.wake();
    // A session also ends by its time, and where no change tells of it.
    endAdmins();
    // The database was away when it should have said who is no member any more, and no later change may ask it.
    if (isOwedMembers) endMembers();
  }, SWEEP_MS).unref();
  http.once('close', () => clearInterval(sweeping));
  return io;
}
