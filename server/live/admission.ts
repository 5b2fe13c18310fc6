import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import type { Env } from '../env.ts';
import type { Authenticator, Caller } from '../http/caller.ts';
import { addressOf } from '../http/limits/address.ts';
import type { AddressHash } from '../http/limits/address-hash.ts';
import { refusalOf, toDomainError } from '../http/refusals.ts';
import { isDoctorPass } from '../ops/doctor/pass.ts';
import type { ChangeBus } from './bus.ts';
import { type FailureLog, liveFailure } from './contain.ts';
import type { LiveServer, LiveSocket } from './live-server.ts';
import { roleOf } from './role.ts';

/**
 * Connections of one key, or of one admin, on one server. One more is refused rather than put in the place of the oldest: where
 * a key is shared or stolen, two that keep throwing each other out would never rest, and whoever is refused still
 * has the board by its refresh.
 */
export const MAX_CONNECTIONS = 50;

const handshakeAuth = z.object({ access_key: z.string().optional(), admin_token: z.string().optional(), doctor: z.string().optional() });

/** Rooms of one credential and of one character, so that a write that ends it reaches its connections and no others. */
export const keyRoom = (access_key_id: number): string => `key:${access_key_id}`;
export const characterRoom = (character_key: string): string => `character:${character_key}`;
const adminRoom = (admin_id: number): string => `admin:${admin_id}`;

/** The history and the clock that a credential was looked up at. */
const moment = ({ bus }: Pick<Admitting, 'bus'>): string => `${bus.epoch}-${bus.clock()}`;

interface Admitting extends FailureLog {
  env: Env;
  now: () => Date;
  authenticator: Authenticator;
  hashAddress: AddressHash;
  bus: Pick<ChangeBus, 'epoch' | 'clock'>;
}

/** Lets a handshake in, or refuses it with the reason. */
export function admission(ctx: Admitting): (socket: LiveSocket, next: (error?: Error) => void) => void {
  const asked = new WeakSet<LiveSocket['conn']>();
  return (socket, next) => {
    // One credential a connection; an honest client opens another one for another.
    if (asked.has(socket.conn)) {
      socket.conn.close();
      return next(new Error('asked already'));
    }
    asked.add(socket.conn);
    admit(ctx, socket).then(
      () => next(),
      (error: unknown) => next(handshakeError(error, ctx)),
    );
  };
}

async function admit(ctx: Omit<Admitting, keyof FailureLog>, socket: LiveSocket): Promise<void> {
  socket.data.admitted_at = moment(ctx);
  const shown = handshakeAuth.safeParse(socket.handshake.auth);
  const { admin_token, access_key, doctor } = shown.data ?? {};
  const caller = await ctx.authenticator.authenticate(
    { body_key: null, token: admin_token || null, key: access_key || null },
    addressOf(socket.request, ctx.env),
  );
  const isOpen =
    ctx.env.BOARD_VISIBILITY === 'public' || (doctor !== undefined && (await isDoctorPass(doctor, ctx.hashAddress, ctx.now())));
  if (caller.role === 'visitor' && !isOpen) throw new DomainError('session.required');
  socket.data.caller = caller;
  // Nothing is awaited between counting and joining.
  const [own, ...others] = roomsOf(caller);
  const here = own === undefined ? undefined : socket.nsp.adapter.rooms.get(own);
  if (here && here.size >= MAX_CONNECTIONS && !here.has(socket.id)) {
    throw new DomainError('live.tooManyConnections', { max: MAX_CONNECTIONS });
  }
  if (own !== undefined) await socket.join([own, ...others]);
}

/** The first one holds all connections of the same credential. */
function roomsOf(caller: Caller): string[] {
  if (caller.role === 'member') return [keyRoom(caller.access_key_id), characterRoom(caller.character_key)];
  return caller.role === 'admin' ? [adminRoom(caller.admin_id)] : [];
}

/** What was written between looking the credential up and being connected found no connection to end. */
export async function admitAgain(ctx: Omit<Admitting, keyof FailureLog>, socket: LiveSocket): Promise<void> {
  if (moment(ctx) === socket.data.admitted_at) return;
  const before = roleOf(socket.data.caller);
  try {
    await admit(ctx, socket);
    // It may be in the room of the role before already: it connects anew.
    if (roleOf(socket.data.caller) !== before) socket.disconnect(true);
  } catch (error) {
    const { code, params } = toDomainError(error);
    if (code === 'server.failed') throw error;
    if (error instanceof DomainError) socket.emit('ended', refusalOf(code, params));
    socket.disconnect(true);
  }
}

function handshakeError(error: unknown, ctx: FailureLog): Error & { data: object } {
  const { code, params } = toDomainError(error);
  // A database that is away says so itself: not once more for each of a whole guild that knocks.
  if (code === 'server.failed') liveFailure(ctx, error, 'a live connection could not be opened');
  const refusal = refusalOf(code, params);
  return Object.assign(new Error(refusal.error), { data: refusal });
}

/** The connections in a room, without those that are still being opened. */
export const socketsIn = (io: LiveServer, room: string): LiveSocket[] =>
  [...(io.sockets.adapter.rooms.get(room) ?? [])].flatMap((id) => io.sockets.sockets.get(id) ?? []);
