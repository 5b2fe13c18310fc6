import type { LiveServer } from './live-server.ts';
import { ROLES } from './role.ts';

/** Connections that are told to come back in one second. */
const RETURNS_A_SECOND = 500;

/**
 * The clock counts another history now. Nobody is told of its changes until they have asked anew, which is when
 * they learn of it; a whole guild is sent away a few at a time.
 */
export function startOver(io: LiveServer): void {
  const sockets = [...io.sockets.sockets.values()];
  const spreadMs = (sockets.length / RETURNS_A_SECOND) * 1_000;
  io.socketsLeave([...ROLES]);
  for (const socket of sockets) setTimeout(() => socket.disconnect(true), Math.random() * spreadMs).unref();
}
