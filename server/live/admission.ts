import { z } from 'zod';
import type { ActivityAction } from '../../shared/activity-actions.ts';
import { DomainError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import { isDoctorPass } from '../auth/doctor-pass.ts';
import { keyStates, liveAdminSessions, revokedCode } from '../auth/sessions.ts';
import type { Db } from '../db/database.ts';
import type { StoredChangeSet } from '../db/unit-of-work.ts';
import type { Env } from '../env.ts';
import { type Authenticator, type Reader, roomOf } from '../http/caller.ts';
import { type AddressHash, addressOf } from '../http/client-address.ts';
import { refusalOf, toDomainError } from '../http/errors.ts';
import type { ChangeBus } from './bus.ts';
import { type FailureLog, type LiveServer, type LiveSocket, logFailure } from './live-server.ts';

/**
 * Connections of one key or one admin, on one server. One more is refused instead of replacing the oldest: with a shared or stolen key
 * the clients would replace each other forever. A refused client still has the board by its 10 s refresh.
 */
export const MAX_CONNECTIONS = 50;

const handshakeAuth = z.object({
  access_key: z.string().optional(),
  admin_token: z.string().optional(),
  doctor: z.string().optional(),
});

/** Rooms by credential and by character, to disconnect exactly those whose credential ends. */
const keyRoom = (access_key_id: number): string => `key:${access_key_id}`;
const characterRoom = (character_key: string): string => `character:${character_key}`;
const adminRoom = (admin_id: number): string => `admin:${admin_id}`;

export interface Admitting extends FailureLog {
  env: Env;
  now: () => Date;
  authenticator: Authenticator;
  hashAddress: AddressHash;
  bus: Pick<ChangeBus, 'epoch' | 'clock'>;
}

const momentOf = ({ bus }: Pick<Admitting, 'bus'>): string => `${bus.epoch}-${bus.clock()}`;

/** Authenticates a handshake, or refuses it with the reason. */
export function admission(
  ctx: Admitting,
): (socket: LiveSocket, next: (error?: Error) => void) => void {
  const tried = new WeakSet<LiveSocket['conn']>();
  return (socket, next) => {
    // One credential for each connection: a client with another credential opens another connection.
    if (tried.has(socket.conn)) {
      socket.conn.close();
      return next(new Error('already tried'));
    }
    tried.add(socket.conn);
    admit(ctx, socket).then(
      () => next(),
      (error: unknown) => next(handshakeError(error, ctx)),
    );
  };
}

async function admit(ctx: Omit<Admitting, keyof FailureLog>, socket: LiveSocket): Promise<void> {
  socket.data.admitted_at = momentOf(ctx);
  const given = handshakeAuth.safeParse(socket.handshake.auth);
  const { admin_token, access_key, doctor } = given.data ?? {};
  const caller = await ctx.authenticator.authenticate(
    { body_key: null, token: admin_token || null, key: access_key || null },
    addressOf(socket.request, ctx.env),
  );
  const isOpen =
    ctx.env.BOARD_VISIBILITY === 'public' ||
    (doctor !== undefined && (await isDoctorPass(doctor, ctx.hashAddress, ctx.now())));
  if (caller.role === 'visitor' && !isOpen) throw new DomainError('session.required');
  socket.data.caller = caller;
  // No await between counting and joining.
  const [own, ...others] = roomsOf(caller);
  const connected = own === undefined ? undefined : socket.nsp.adapter.rooms.get(own);
  if (connected && connected.size >= MAX_CONNECTIONS && !connected.has(socket.id)) {
    throw new DomainError('live.tooManyConnections', { max: MAX_CONNECTIONS });
  }
  if (own !== undefined) await socket.join([own, ...others]);
}

/** The first one holds all connections of the credential. */
function roomsOf(caller: Reader): string[] {
  if (caller.role === 'member')
    return [keyRoom(caller.access_key_id), characterRoom(caller.character_key)];
  return caller.role === 'admin' ? [adminRoom(caller.admin_id)] : [];
}

/** Authenticates again if something was written since the handshake: that write found no socket in a room to disconnect. */
export async function admitAgain(
  ctx: Omit<Admitting, keyof FailureLog>,
  socket: LiveSocket,
): Promise<void> {
  if (momentOf(ctx) === socket.data.admitted_at) return;
  const before = roomOf(socket.data.caller);
  try {
    await admit(ctx, socket);
    // The socket may already be in the old room, so let it reconnect.
    if (roomOf(socket.data.caller) !== before) socket.disconnect(true);
  } catch (error) {
    const { code, params } = toDomainError(error);
    if (code === 'server.failed') throw error;
    if (error instanceof DomainError) socket.emit('ended', refusalOf(code, params));
    socket.disconnect(true);
  }
}

function handshakeError(error: unknown, ctx: FailureLog): Error & { data: object } {
  const { code, params } = toDomainError(error);
  // An unreachable database is logged where it is noticed, not once more for each client of a guild.
  if (code === 'server.failed') logFailure(ctx, error, 'a live connection could not be opened');
  const refusal = refusalOf(code, params);
  return Object.assign(new Error(refusal.error), { data: refusal });
}

/** The sockets in a room, without those that are still connecting. */
const socketsIn = (io: LiveServer, room: string): LiveSocket[] =>
  [...(io.sockets.adapter.rooms.get(room) ?? [])].flatMap((id) => io.sockets.sockets.get(id) ?? []);

export interface Revoking extends FailureLog {
  bus: Pick<ChangeBus, 'listen'>;
  db: Db;
  now: () => Date;
}

/**
 * Disconnects sockets whose credential ends (revoked, deleted, banned, signed out), with the reason, and those whose member type or
 * role changed, without one: they reconnect as what they are now.
 * @returns a function that looks for expired sessions and repeats what failed; to be called every few seconds
 */
export function disconnectRevoked(ctx: Revoking, io: LiveServer): () => void {
  let mustCheckMembers = false;
  const checkMembers = (): void => {
    mustCheckMembers = false;
    disconnectFormerMembers(ctx, io).catch((error: unknown) => {
      mustCheckMembers = true;
      logFailure(ctx, error, 'members with revoked keys could not be disconnected');
    });
  };
  const checkAdmins = (): void => {
    disconnectFormerAdmins(ctx, io).catch((error: unknown) =>
      logFailure(ctx, error, 'signed-out admins could not be disconnected'),
    );
  };
  ctx.bus.listen((set) => {
    disconnectChangedKeys(io, set);
    disconnectChangedAccounts(io, set);
    if (mayEndKeys(set)) checkMembers();
    if (mayEndSessions(set)) checkAdmins();
  });
  return () => {
    checkAdmins();
    if (mustCheckMembers) checkMembers();
  };
}

function disconnectChangedKeys(io: LiveServer, set: StoredChangeSet): void {
  for (const { change } of set.changes) {
    if (change.op === 'put' && change.kind === 'access_key' && change.record.is_revoked) {
      end(io, keyRoom(change.record.id), revokedCode(change.record));
    }
    if (change.op === 'put' && change.kind === 'access_key') reconnectChanged(io, change.record);
    if (change.op === 'remove' && change.kind === 'access_key' && typeof change.id === 'number') {
      end(io, keyRoom(change.id), 'session.invalidKey');
    }
    if (change.op === 'put' && change.kind === 'verified_code' && change.record.banned) {
      end(io, characterRoom(nameKey(change.record.character_name)), 'session.banned');
    }
  }
}

/** The key's member type or name changed: its holders reconnect and authenticate again. */
function reconnectChanged(
  io: LiveServer,
  { id, member_type, character_name }: Pick<AccessKey, 'id' | 'member_type' | 'character_name'>,
): void {
  for (const socket of socketsIn(io, keyRoom(id))) {
    const { caller } = socket.data;
    if (caller.role !== 'member') continue;
    const isSame = caller.member_type === member_type && caller.character_name === character_name;
    if (!isSame) socket.disconnect(true);
  }
}

type EndReason = ReturnType<typeof revokedCode> | 'session.invalidKey' | 'session.banned';

function end(io: LiveServer, room: string, code: EndReason): void {
  io.to(room).emit('ended', refusalOf(code));
  io.in(room).disconnectSockets(true);
}

/** A reset does not name what changed, so keys may have ended. */
const mayEndKeys = (set: StoredChangeSet): boolean =>
  set.changes.some(({ change }) => change.op === 'reset');

async function disconnectFormerMembers(
  { db }: Pick<Revoking, 'db'>,
  io: LiveServer,
): Promise<void> {
  const members = [...io.sockets.sockets.values()].flatMap(({ data: { caller } }) =>
    caller.role === 'member' ? [caller] : [],
  );
  const known = new Map(members.map((member) => [member.access_key_id, member]));
  const states = new Map((await keyStates(db, [...known.keys()])).map((key) => [key.id, key]));
  for (const { access_key_id, character_key } of known.values()) {
    const key = states.get(access_key_id);
    if (!key) end(io, keyRoom(access_key_id), 'session.invalidKey');
    else if (key.banned_at !== null) end(io, characterRoom(character_key), 'session.banned');
    else if (key.is_revoked) end(io, keyRoom(access_key_id), revokedCode(key));
    else reconnectChanged(io, key);
  }
}

/** Admin accounts are not records; the activity log says what happened to them. */
function disconnectChangedAccounts(io: LiveServer, set: StoredChangeSet): void {
  for (const { change } of set.changes) {
    if (change.op !== 'put' || change.kind !== 'activity') continue;
    const { action, details } = change.record;
    if (action !== 'admin_removed' && action !== 'admin_role_changed') continue;
    for (const socket of adminsNamed(io, String(details.username))) {
      if (action === 'admin_removed') socket.emit('ended', refusalOf('session.expired'));
      socket.disconnect(true);
    }
  }
}

function adminsNamed(io: LiveServer, username: string): LiveSocket[] {
  const key = nameKey(username);
  return [...io.sockets.sockets.values()].filter(
    ({ data: { caller } }) => caller.role === 'admin' && nameKey(caller.username) === key,
  );
}

const ENDS_SESSIONS: ReadonlySet<string> = new Set<ActivityAction>([
  'admin_logout',
  'admin_removed',
  'admin_password_changed',
]);

const mayEndSessions = (set: StoredChangeSet): boolean =>
  set.changes.some(
    ({ change }) =>
      change.op === 'put' && change.kind === 'activity' && ENDS_SESSIONS.has(change.record.action),
  );

async function disconnectFormerAdmins(
  { db, now }: Pick<Revoking, 'db' | 'now'>,
  io: LiveServer,
): Promise<void> {
  const admins = [...io.sockets.sockets.values()].flatMap((socket) => {
    const { caller } = socket.data;
    return caller.role === 'admin' ? [{ socket, caller }] : [];
  });
  if (admins.length === 0) return;
  const tokens = [...new Set(admins.map(({ caller }) => caller.token_hash))];
  const live = await liveAdminSessions(db, tokens, now());
  for (const { socket, caller } of admins) {
    const role = live.get(caller.token_hash);
    if (role === caller.admin_role) continue;
    // Only the role changed: the session stays valid, and the client reconnects with it.
    if (role === undefined) socket.emit('ended', refusalOf('session.expired'));
    socket.disconnect(true);
  }
}
