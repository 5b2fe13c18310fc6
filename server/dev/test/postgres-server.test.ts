import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { freePorts } from './free-ports.ts';
import { startPostgres } from './postgres-server.ts';
import { isAll } from './scope.ts';

it.runIf(isAll)(
  'PostgreSQL starts at another port if the free one was taken meanwhile',
  async () => {
    const otherServer = createServer().listen(0);
    onTestFinished(() => void otherServer.close());
    await once(otherServer, 'listening');
    const address = otherServer.address();
    if (!address || typeof address !== 'object') throw new Error('it listens at a port');
    const tried: number[] = [];
    const findPorts = async (count: number): Promise<number[]> => {
      const ports = tried.length === 0 ? [address.port] : await freePorts(count);
      tried.push(...ports);
      return ports;
    };
    const postgres = await startPostgres(undefined, findPorts);
    onTestFinished(postgres.stop);
    expect(tried.length).toBeGreaterThan(1);
    expect(postgres.url).toContain(`:${tried.at(-1)}`);
  },
);
