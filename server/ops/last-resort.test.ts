import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../http/metrics.ts';
import { watchLastResort } from './last-resort.ts';

function watched() {
  const process = new EventEmitter();
  const metrics = createMetrics();
  const lines: string[] = [];
  let stops = 0;
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  watchLastResort(process, { log, metrics }, () => {
    stops += 1;
  });
  const counted = async (): Promise<number> => {
    const { values } = await metrics.failures.get();
    return values.find(({ labels }) => labels.where === 'process')?.value ?? 0;
  };
  return { process, lines, counted, stops: () => stops };
}

describe('uncaught errors', () => {
  it.each([
    ['unhandledRejection', new Error('nobody waited')],
    ['unhandledRejection', 'no error at all'],
    ['uncaughtException', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
  ])('%s of %s is logged and counted, and the process goes on', async (event, error) => {
    const { process, lines, counted, stops } = watched();
    process.emit(event, error);
    expect(lines).toHaveLength(1);
    expect(await counted()).toBe(1);
    expect(stops()).toBe(0);
  });

  it('an exception of anything else stops the process cleanly', async () => {
    const { process, lines, counted, stops } = watched();
    process.emit('uncaughtException', new RangeError('Invalid string length'));
    expect(lines).toHaveLength(1);
    expect(await counted()).toBe(1);
    expect(stops()).toBe(1);
  });
});
