import type { Server as HttpServer } from 'node:http';
import { Server, type Socket } from 'socket.io';
import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import type { ClientEvents, ServerEvents, SyncAnswer } from '../../shared/live.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import type { ActivityAction } from '../../shared/schemas/activity.ts';
import type { Context } from '../context.ts';
import { CHANGE_SETS_KEPT, changesFor, type StoredChangeSet } from '../db/write.ts';
import { type Caller, callerOfHandshake, isAdminSession } from '../http/credentials.ts';
import { refusalOf } from '../http/errors.ts';
import { changeSetsSince } from './bus.ts';
import { followPresence } from './presence-socket.ts';
import { roleOf, takeSnapshot } from './snapshot.ts';

type NoEvents = Record<string, never>;
interface SocketData {
  caller: Caller;
  /** The clock at which the credential was looked up. */
  admitted_at: number;
}
export type LiveServer = Server<ClientEvents, ServerEvents, NoEvents, SocketData>;
export type LiveSocket = Socket<ClientEvents, ServerEvents, NoEvents, SocketData>;

/** Change sets a watcher is sent to catch up; one that lacks more gets a snapshot, which is then the smaller answer. */
const MAX_CATCH_UP = 500;

const handshakeAuth = z.object({ access_key: z.string().optional(), admin_token: z.string().optional() });
const syncClock = z.number().int().min(0).nullable();

/** Rooms of one credential and of one character, so that a write that ends it reaches its connections and no others. */
const keyRoom = (access_key_id: number): string => `key:${access_key_id}`;
const characterRoom = (character_key: string): string => `character:${character_key}`;
/** What ends sessions of admins: which ones, the database knows. */
const ENDS_ADMINS: ReadonlySet<ActivityAction> = new Set(['admin_logout', 'admin_removed', 'admin_password_changed']);

/** Serves the live protocol: authenticated handshake, catching up by clock, change sets to members and admins. */
export function createLive(ctx: Context, http: HttpServer): LiveServer {
  const io: LiveServer = new Server(http, {
    // No polling transport: it would need sticky sessions behind a balancer. The ten-second refresh is the fallback.
    transports: ['websocket'],
    perMessageDeflate: false,
    serveClient: false,
    maxHttpBufferSize: 10_000,
  });
  io.use((socket, next) => {
    admit(ctx, socket).then(
      () => next(),
      (error: unknown) => next(handshakeError(error, ctx)),
    );
  });
  const follow = followPresence(ctx, io, http);
  io.on('connection', (socket) => {
    const role = roleOf(socket.data.caller);
    ctx.metrics.watchers.inc({ role });
    socket.on('disconnect', () => ctx.metrics.watchers.dec({ role }));
    // What was written between looking the credential up and now found no connection to end.
    if (ctx.bus.clock() !== socket.data.admitted_at) void admitAgain(ctx, socket);
    const tellPresence = follow(socket);
    socket.on('sync', (clock: unknown, answer: unknown) => {
      if (typeof answer !== 'function') return;
      sync(ctx, socket, clock).then(
        (synced) => {
          answer(synced);
          tellPresence();
        },
        (error: unknown) => {
          ctx.log.error({ err: error }, 'a watcher could not be synced');
          socket.disconnect(true);
        },
      );
    });
  });
  ctx.bus.listen((set) => {
    ctx.metrics.changeSets.inc();
    for (const role of ['members', 'admins'] as const) io.to(role).emit('changes', changesFor(role, set));
    endLostKeys(io, set);
    if (set.changes.some(({ change }) => change.op === 'put' && change.kind === 'activity' && ENDS_ADMINS.has(change.record.action))) {
      endLostAdmins(ctx, io).catch((error: unknown) => ctx.log.error({ err: error }, 'signed-out admins could not be disconnected'));
    }
  });
  return io;
}

async function admit(ctx: Context, socket: LiveSocket): Promise<void> {
  socket.data.admitted_at = ctx.bus.clock();
  const auth = handshakeAuth.safeParse(socket.handshake.auth);
  const caller = await callerOfHandshake(ctx, auth.success ? auth.data : {});
  // Also where the board is public: whoever came with a credential has to learn that it does not hold any more.
  if (caller.refused) throw caller.refused;
  if (caller.role === 'visitor' && ctx.env.BOARD_VISIBILITY !== 'public') throw new DomainError('session.required');
  socket.data.caller = caller;
  if (caller.role === 'member') await socket.join([keyRoom(caller.access_key_id), characterRoom(caller.character_key)]);
}

async function admitAgain(ctx: Context, socket: LiveSocket): Promise<void> {
  try {
    await admit(ctx, socket);
  } catch (error) {
    const { code, params } = error instanceof DomainError ? error : new DomainError('server.failed');
    socket.emit('ended', refusalOf(code, params));
    socket.disconnect(true);
  }
}

function handshakeError(error: unknown, ctx: Context): Error & { data: object } {
  if (!(error instanceof DomainError)) ctx.log.error({ err: error }, 'a live connection could not be opened');
  const { code, params } = error instanceof DomainError ? error : new DomainError('server.failed');
  const refusal = refusalOf(code, params);
  return Object.assign(new Error(refusal.error), { data: refusal });
}

/** What a watcher lacks. It joins before anything is read: a claim committed in between would be lost otherwise. */
async function sync(ctx: Context, socket: LiveSocket, asked: unknown): Promise<SyncAnswer> {
  const role = roleOf(socket.data.caller);
  const { epoch } = ctx.bus;
  await socket.join(role);
  const since = syncClock.safeParse(asked);
  const now = ctx.bus.clock();
  if (since.success && since.data !== null && since.data <= now && now - since.data <= Math.min(MAX_CATCH_UP, CHANGE_SETS_KEPT)) {
    const sets = since.data === now ? [] : await changeSetsSince(ctx.db, since.data);
    const seen = sets.map((set) => changesFor(role, set));
    const whole = sets.length === 0 ? since.data === now : sets[0]?.clock === since.data + 1;
    const reset = seen.some((set) => set.changes.some((change) => change.op === 'reset'));
    if (whole && !reset) return { clock: sets.at(-1)?.clock ?? now, epoch, change_sets: seen };
  }
  const { clock, snapshot } = await takeSnapshot(ctx, role);
  return { clock, epoch, snapshot };
}

/** Ends the connections of keys that were revoked or deleted and of characters that were banned, at once and with the reason. */
function endLostKeys(io: LiveServer, set: StoredChangeSet): void {
  for (const { change } of set.changes) {
    if (change.op === 'put' && change.kind === 'access_key' && change.record.is_revoked) {
      end(io, keyRoom(change.record.id), 'session.keyRevoked');
    }
    if (change.op === 'put' && change.kind === 'access_key') reconnectRetyped(io, change.record);
    if (change.op === 'remove' && change.kind === 'access_key' && typeof change.id === 'number') {
      end(io, keyRoom(change.id), 'session.invalidKey');
    }
    if (change.op === 'put' && change.kind === 'verified_code' && change.record.banned) {
      end(io, characterRoom(nameKey(change.record.character_name)), 'session.banned');
    }
  }
}

/** A key that stands for another member type now: its holders connect anew, and ask what it stands for. */
function reconnectRetyped(io: LiveServer, { id, member_type }: AccessKey): void {
  for (const socket_id of io.sockets.adapter.rooms.get(keyRoom(id)) ?? []) {
    const socket = io.sockets.sockets.get(socket_id);
    if (socket?.data.caller.role === 'member' && socket.data.caller.member_type !== member_type) socket.disconnect(true);
  }
}

/** Ends the connections of admins whose session is over: signed out, removed, or given another password. */
async function endLostAdmins(ctx: Context, io: LiveServer): Promise<void> {
  for (const socket of io.sockets.sockets.values()) {
    const { caller } = socket.data;
    if (caller.role !== 'admin' || (await isAdminSession(ctx.db, caller, ctx.now()))) continue;
    socket.emit('ended', refusalOf('session.expired'));
    socket.disconnect(true);
  }
}

function end(io: LiveServer, room: string, code: 'session.keyRevoked' | 'session.invalidKey' | 'session.banned'): void {
  io.to(room).emit('ended', refusalOf(code));
  io.in(room).disconnectSockets(true);
}
