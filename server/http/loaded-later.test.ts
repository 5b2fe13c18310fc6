import express from 'express';
import supertest from 'supertest';
import { expect, it, vi } from 'vitest';
import { loadedLater } from './loaded-later.ts';

it('a handler that cannot be loaded fails the request that wanted it, and the next one loads it, once for all', async () => {
  const load = vi.fn(async () => (_req: express.Request, res: express.Response) => void res.send('here'));
  load.mockRejectedValueOnce(new Error('the disk is gone'));
  const app = express();
  app.use(loadedLater(load));
  app.use((_error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) => void res.status(500).end());
  await supertest(app).get('/').expect(500);
  await supertest(app).get('/').expect(200, 'here');
  await supertest(app).get('/').expect(200, 'here');
  expect(load).toHaveBeenCalledTimes(2);
});
