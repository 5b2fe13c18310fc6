import type { Logger } from 'pino';
import { createLogLimit } from '../http/log-limit.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { LiveSocket } from './live-server.ts';

/** Where failures are told. */
export interface FailureLog {
  log: Pick<Logger, 'error'>;
  metrics: Pick<Metrics, 'failures'>;
}

/** Logs and counts what failed in the live part of this server; nobody else is to notice. */
export function liveFailure({ log, metrics }: FailureLog, error: unknown, message: string): void {
  log.error({ err: error }, message);
  metrics.failures.inc({ where: 'live' });
}

/** What one connection can do, another can do again and again. */
const limitLog = createLogLimit();

/** A handler of a connection's event whose failure is counted, logged once a minute, and ends that one connection. */
export function contained<A extends unknown[]>(
  ctx: FailureLog,
  socket: LiveSocket,
  handle: (...all: A) => void | Promise<void>,
): (...all: A) => void {
  const failed = (error: unknown): void => {
    ctx.metrics.failures.inc({ where: 'live' });
    limitLog(String(error), (left_out) => ctx.log.error({ err: error, left_out }, 'a live connection could not be served'));
    socket.disconnect(true);
  };
  return (...all) => {
    try {
      handle(...all)?.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}
