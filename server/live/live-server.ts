import type { Logger } from 'pino';
import type { Server, Socket } from 'socket.io';
import type { ClientEvents, ServerEvents } from '../../shared/live.ts';
import type { Reader } from '../http/caller.ts';
import { createLogLimit } from '../http/log-limit.ts';

type NoEvents = Record<string, never>;
interface SocketData {
  caller: Reader;
  /** The epoch and clock at which the credential was checked. */
  admitted_at: string;
}
export type LiveServer = Server<ClientEvents, ServerEvents, NoEvents, SocketData>;
export type LiveSocket = Socket<ClientEvents, ServerEvents, NoEvents, SocketData>;

export interface LiveLog {
  log: Pick<Logger, 'error' | 'info'>;
}
export interface FailureLog {
  log: Pick<Logger, 'error'>;
  metrics: { failures: { inc: (labels: { where: 'live' }) => void } };
}

/** Logs and counts a failure that has no caller to tell. */
export function logFailure({ log, metrics }: FailureLog, error: unknown, message: string): void {
  log.error({ err: error }, message);
  metrics.failures.inc({ where: 'live' });
}

/** Limits log lines: a client can provoke the same one again and again. */
const limitLog = createLogLimit();

/** Wraps a socket's event handler: a failure is counted, logged at most once a minute, and closes this socket only. */
export function containFailures<A extends unknown[]>(
  ctx: FailureLog,
  socket: LiveSocket,
  handle: (...all: A) => void | Promise<void>,
): (...all: A) => void {
  const fail = (error: unknown): void => {
    ctx.metrics.failures.inc({ where: 'live' });
    limitLog(String(error), (left_out) =>
      ctx.log.error({ err: error, left_out }, 'a live connection could not be served'),
    );
    socket.disconnect(true);
  };
  return (...all) => {
    try {
      handle(...all)?.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}
