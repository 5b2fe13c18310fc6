import type { RequestListener } from 'node:http';
import compression from 'compression';
import express, { type RequestHandler } from 'express';
import { BUILD_HEADER } from '../../shared/build.ts';
import { DomainError } from '../../shared/errors.ts';
import type { Env } from '../env.ts';
import { apiDocs } from './api-docs.ts';
import { answerErrors } from './errors.ts';
import { measureRequests, type ProbeContext, probes } from './probes.ts';
import { refuseNulInUrl } from './request-body.ts';
import type { HttpMetrics } from './request-log.ts';
import { mount, type Route, type RouterContext } from './router.ts';
import { hintAtProxy, isOwn, refuseOtherHosts, securityHeaders } from './security-headers.ts';
import { serveAssets, serveClient } from './static-files.ts';

const API = '/api';

interface HttpContext extends RouterContext, ProbeContext {
  env: Env;
  metrics: HttpMetrics;
  /** The build of the client that a browser would be given now; null where none is built. */
  build: () => string | null;
}

/** The part of all features that is served over HTTP. */
interface Application<C> {
  /** The routes under /api. */
  routes: readonly Route<C>[];
  /** Mounts what is served outside /api: files that are stored or made, not built. */
  mountDownloads: (router: express.Router, ctx: C) => void;
}

/** The order of middleware and routers, and nothing else. */
export function createExpressApp<C extends HttpContext>(
  ctx: C,
  { routes, mountDownloads }: Application<C>,
): RequestListener {
  const app = express();
  app.set('trust proxy', ctx.env.TRUST_PROXY === '1' ? 1 : false);
  app.set('etag', false);
  // In every NODE_ENV: Express' default error handler must not show a stack trace.
  app.set('env', 'production');
  app.disable('x-powered-by');
  app.use(securityHeaders(ctx.env));
  app.use(compressAnswers());
  app.use(measureRequests(ctx));
  app.use(hintAtProxy(ctx));
  app.use(API, refuseOtherHosts(ctx.env), api(ctx, routes));
  // Before the host is checked: probes come from the same machine or network, by any name.
  app.use(probes(ctx));
  app.use(refuseOtherHosts(ctx.env));
  // A live connection without its upgrade.
  app.use('/socket.io', (req) => {
    throw new DomainError(isOwn(req, ctx.env) ? 'request.notFound' : 'request.otherHost');
  });
  mountDownloads(app, ctx);
  app.use('/assets', (_req, res) => res.status(404).end());
  app.use('/static', serveAssets());
  app.use(serveClient());
  app.use(answerErrors(ctx));
  return app;
}

function api<C extends HttpContext>(ctx: C, routes: readonly Route<C>[]): express.Router {
  const router = express.Router();
  // Answers are personal or change by the minute; the few that may be kept set it themselves.
  router.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    const build = ctx.build();
    if (build) res.set(BUILD_HEADER, build);
    next();
  });
  router.use(refuseNulInUrl);
  mount(router, ctx, routes);
  router.use(apiDocs(routes));
  router.use(() => {
    throw new DomainError('request.notFound');
  });
  return router;
}

/** Answers that are compressed at the same time; others are sent uncompressed. Each holds about 340 kB until its answer is read. */
const MAX_COMPRESSORS = 100;

/**
 * Compresses answers. While `max` compressors are open, further answers go out uncompressed: otherwise thousands of unread
 * downloads would fill the memory until their connections time out.
 */
export function compressAnswers(max = MAX_COMPRESSORS): RequestHandler {
  let open = 0;
  return compression({
    filter: (req, res) => {
      if (res.hasHeader('Content-Encoding') || !compression.filter(req, res) || res.closed)
        return false;
      // Also where this answer goes out uncompressed: a cache must not keep that for everyone.
      res.vary('Accept-Encoding');
      if (open >= max) return false;
      open += 1;
      res.once('close', () => {
        open -= 1;
      });
      return true;
    },
  });
}
