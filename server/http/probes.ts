import express, { type RequestHandler, type Router } from 'express';
import { sql } from 'kysely';
import type { Context } from '../context.ts';

/** /healthz: the process is up. /readyz: the database answers. /metrics: Prometheus text. */
export function probes(ctx: Context): Router {
  const router = express.Router();
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'up' });
  });
  router.get('/readyz', async (_req, res) => {
    try {
      await sql`select 1`.execute(ctx.db);
      res.json({ status: 'ready' });
    } catch (error) {
      ctx.log.error({ err: error }, 'the database does not answer');
      res.status(503).json({ status: 'not ready' });
    }
  });
  router.get('/metrics', async (_req, res) => {
    res.type(ctx.metrics.registry.contentType).send(await ctx.metrics.registry.metrics());
  });
  return router;
}

/** Times every request by its route's pattern, so that ids do not make series of their own. */
export function measureRequests(ctx: Context): RequestHandler {
  return (req, res, next) => {
    const stop = ctx.metrics.requests.startTimer();
    res.on('finish', () => {
      const route: unknown = req.route?.path;
      // Of a refused request baseUrl is gone by now.
      const base = req.originalUrl.startsWith('/api/') ? '/api' : '';
      stop({ method: req.method, route: typeof route === 'string' ? base + route : 'other', status: String(res.statusCode) });
    });
    next();
  };
}
