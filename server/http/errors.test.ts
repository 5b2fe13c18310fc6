import { createServer } from 'node:http';
import express from 'express';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DomainError } from '../../shared/errors.ts';
import { expectRefusal } from '../dev/test/expect-refusal.ts';
import { answerErrors, refusalOf } from './errors.ts';
import { createMetrics } from './metrics.ts';

/** The product's own translator behind handlers that fail as none of the product's should. */
async function failingServer() {
  const metrics = createMetrics();
  const app = express();
  app.get('/unencodable', (_req, res) => {
    res.json({ toJSON: () => 'x'.repeat(2 ** 30).concat('y'.repeat(2 ** 30)) });
  });
  app.get('/halfway', async (_req, res) => {
    await new Promise((written) => res.type('text').write('the first half', written));
    throw new Error('the second is missing');
  });
  app.get('/well', (_req, res) => {
    res.json('well');
  });
  const refusals = {
    '/busy': new DomainError('server.busy'),
    '/tries': new DomainError('request.tooManyTries', { seconds: 30 }),
    '/connections': new DomainError('live.tooManyConnections'),
    '/missing': new DomainError('request.notFound'),
  };
  for (const [path, refusal] of Object.entries(refusals))
    app.get(path, () => {
      throw refusal;
    });
  app.use(answerErrors({ metrics }));
  const server = createServer(app).listen(0);
  onTestFinished(() => void server.close());
  const failures = async (): Promise<string> =>
    metrics.registry.getSingleMetricAsString('claimboard_failures_total');
  return { get: (path: string) => supertest(server).get(path), failures };
}

describe('a sentence with the seconds to wait', () => {
  it('says one second and several in their own numbers', () => {
    expect(refusalOf('request.tooManyTries', { seconds: 1 }).error).toBe(
      'Too many attempts. Please wait 1 second.',
    );
    expect(refusalOf('server.busy', { seconds: 2 }).error).toMatch(/in 2 seconds\.$/);
  });
});

describe('a refusal that asks to wait', () => {
  it('says for how long, also without seconds of its own', async () => {
    const { get } = await failingServer();
    for (const [path, seconds] of [
      ['/busy', '2'],
      ['/tries', '30'],
      ['/connections', '2'],
      ['/missing', undefined],
    ] as const)
      expect([path, (await get(path)).headers['retry-after']]).toEqual([path, seconds]);
  });
});

describe('a handler that fails', () => {
  it('with an answer that cannot be encoded is a 500 in general terms, counted', async () => {
    const { get, failures } = await failingServer();
    expectRefusal(
      await get('/unencodable'),
      500,
      'server.failed',
      refusalOf('server.failed').error,
      {},
    );
    expect(await failures()).toContain('claimboard_failures_total{where="http"} 1');
  });

  it('after the answer has started cuts it short, is counted, and other requests are served', async () => {
    const { get, failures } = await failingServer();
    await expect(get('/halfway')).rejects.toThrow('aborted');
    expect(await failures()).toContain('claimboard_failures_total{where="http"} 1');
    expect((await get('/well').expect(200)).body).toBe('well');
  });
});
