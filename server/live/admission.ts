import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { isDoctorPass } from '../auth/doctor-pass.ts';
import type { Env } from '../env.ts';
import { type Authenticator, type Caller, roomOf } from '../http/caller.ts';
import type { AddressHash } from '../http/client-address.ts';
import { addressOf } from '../http/client-address.ts';
import { refusalOf, toDomainError } from '../http/errors.ts';
import type { ChangeBus } from './bus.ts';
import { type FailureLog, type LiveServer, type LiveSocket, logFailure } from './live-server.ts';

/**
 * Connections of one key or one admin, on one server. One more is refused instead of replacing the oldest: with a shared or stolen key
 * the clients would replace each other forever. A refused client still has the board by its 10 s refresh.
 */
export const MAX_CONNECTIONS = 50;

const handshakeAuth = z.object({ access_key: z.string().optional(), admin_token: z.string().optional(), doctor: z.string().optional() });

/** Rooms by credential and by character, to disconnect exactly those whose credential ends. */
export const keyRoom = (access_key_id: number): string => `key:${access_key_id}`;
export const characterRoom = (character_key: string): string => `character:${character_key}`;
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
export function admission(ctx: Admitting): (socket: LiveSocket, next: (error?: Error) => void) => void {
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
    ctx.env.BOARD_VISIBILITY === 'public' || (doctor !== undefined && (await isDoctorPass(doctor, ctx.hashAddress, ctx.now())));
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
function roomsOf(caller: Caller): string[] {
  if (caller.role === 'member') return [keyRoom(caller.access_key_id), characterRoom(caller.character_key)];
  return caller.role === 'admin' ? [adminRoom(caller.admin_id)] : [];
}

/** Authenticates again if something was written since the handshake: that write found no socket in a room to disconnect. */
export async function admitAgain(ctx: Omit<Admitting, keyof FailureLog>, socket: LiveSocket): Promise<void> {
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
export const socketsIn = (io: LiveServer, room: string): LiveSocket[] =>
  [...(io.sockets.adapter.rooms.get(room) ?? [])].flatMap((id) => io.sockets.sockets.get(id) ?? []);
