import type { EventEmitter } from 'node:events';
import type { Context } from './context.ts';

/** Failures of one connection that reach nobody who knows which: the connection is gone already, and nothing else is touched. */
const OF_A_CONNECTION: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '');

/**
 * What catches failures that nothing else caught: each is logged and counted. A promise that failed with nobody waiting
 * ended one chain of steps, whose transaction is rolled back, and the process goes on. After any other exception nobody knows
 * what was left half done: the process is stopped, for its supervisor to start a whole one.
 */
export function watchLastResort(process: EventEmitter, { log, metrics }: Pick<Context, 'log' | 'metrics'>, stop: () => void): void {
  process.on('unhandledRejection', (error: unknown) => {
    metrics.failures.inc({ where: 'process' });
    log.error({ err: error }, 'a promise failed with nobody waiting for it');
  });
  process.on('uncaughtException', (error: unknown) => {
    metrics.failures.inc({ where: 'process' });
    if (OF_A_CONNECTION.has(codeOf(error))) {
      log.error({ err: error }, 'a connection failed with nobody listening');
      return;
    }
    log.fatal({ err: error }, 'stopping: nobody knows what this left half done');
    stop();
  });
}
