import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import type { Metrics } from '../http/metrics.ts';

/** Errors of one closed connection, which affect nothing else. */
const CONNECTION_ERRORS: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

interface LastResort {
  log: Pick<Logger, 'error' | 'fatal'>;
  metrics: Pick<Metrics, 'failures'>;
}

/**
 * Logs and counts failures that nothing else caught. A rejected promise ended one chain of steps, and its transaction was rolled
 * back, so the process continues. After an uncaught exception the process's state is unknown: it stops, and its supervisor starts
 * a new one.
 */
export function watchLastResort(
  process: EventEmitter,
  { log, metrics }: LastResort,
  stop: () => void,
): void {
  process.on('unhandledRejection', (error: unknown) => {
    metrics.failures.inc({ where: 'process' });
    log.error({ err: error }, 'unhandled promise rejection');
  });
  process.on('uncaughtException', (error: unknown) => {
    metrics.failures.inc({ where: 'process' });
    if (CONNECTION_ERRORS.has(errorCode(error))) {
      log.error({ err: error }, 'unhandled connection error');
      return;
    }
    log.fatal(
      { err: error },
      'uncaught exception: stopping, since the state of this process is unknown',
    );
    stop();
  });
}
