import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { freePorts } from './free-ports.ts';
import { startPostgres } from './postgres-server.ts';

it('PostgreSQL starts at another port where somebody took the one that was free a moment ago', async () => {
  const somebody = createServer().listen(0);
  onTestFinished(() => void somebody.close());
  await once(somebody, 'listening');
  const address = somebody.address();
  if (!address || typeof address !== 'object') throw new Error('it listens at a port');
  const asked: number[] = [];
  const findPorts = async (count: number): Promise<number[]> => {
    const ports = asked.length === 0 ? [address.port] : await freePorts(count);
    asked.push(...ports);
    return ports;
  };
  const postgres = await startPostgres(undefined, findPorts);
  onTestFinished(postgres.stop);
  expect(asked.length).toBeGreaterThan(1);
  expect(postgres.url).toContain(`:${asked.at(-1)}`);
});
