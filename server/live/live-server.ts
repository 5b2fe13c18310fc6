import type { Server, Socket } from 'socket.io';
import type { ClientEvents, ServerEvents } from '../../shared/live.ts';
import type { Caller } from '../http/caller.ts';

type NoEvents = Record<string, never>;
interface SocketData {
  caller: Caller;
  /** When the credential was looked up, by history and clock. */
  admitted_at: string;
}
export type LiveServer = Server<ClientEvents, ServerEvents, NoEvents, SocketData>;
export type LiveSocket = Socket<ClientEvents, ServerEvents, NoEvents, SocketData>;
