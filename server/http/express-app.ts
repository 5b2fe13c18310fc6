import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import express from 'express';
import { BUILD_HEADER } from '../../shared/build.ts';
import { DomainError } from '../../shared/errors.ts';
import type { Env } from '../env.ts';
import { apiPage } from './api-page.ts';
import { CLIENT_DIR } from './build-name.ts';
import { compress } from './compress.ts';
import { answerErrors } from './errors.ts';
import { openApiDocument } from './openapi.ts';
import { isOwn, refuseOtherHosts } from './own-host.ts';
import { packedFiles } from './packed-files.ts';
import { measureRequests, type ProbeContext, probes } from './probes.ts';
import { hintAtProxy } from './proxy-hint.ts';
import { readyMade } from './ready-made.ts';
import type { HttpMetrics } from './request-log.ts';
import { mount, type Route, type RouterContext } from './router.ts';
import { securityHeaders } from './security-headers.ts';
import { refuseNulInUrl } from './storable-text.ts';

const YEAR_MS = 365 * 86_400_000;
const API = '/api';

export interface HttpContext extends RouterContext, ProbeContext {
  env: Env;
  metrics: HttpMetrics;
  /** The build of the client that a browser would be given now; null where none is built. */
  build: () => string | null;
}

/** What features serve over HTTP. */
export interface Application<C> {
  /** The routes under /api. */
  routes: readonly Route<C>[];
  /** Mounts what is served outside /api: files that are stored or made, not built. */
  mountDownloads: (router: express.Router, ctx: C) => void;
}

/** The order of middleware and routers, and nothing else. */
export function createExpressApp<C extends HttpContext>(ctx: C, { routes, mountDownloads }: Application<C>): RequestListener {
  const app = express();
  app.set('trust proxy', ctx.env.TRUST_PROXY === '1' ? 1 : false);
  app.set('etag', false);
  // Whatever NODE_ENV says: Express' own last resort must not show a stack trace.
  app.set('env', 'production');
  app.disable('x-powered-by');
  const security = securityHeaders(ctx.env);
  app.use(security.handler);
  app.use(compress());
  app.use(measureRequests(ctx));
  app.use(hintAtProxy(ctx));
  app.use(API, refuseOtherHosts(ctx.env), api(ctx, routes));
  // Before the host is judged: they are asked from beside the server, by whatever name it has there.
  app.use(probes(ctx));
  app.use(refuseOtherHosts(ctx.env));
  // The live connection, asked for without the upgrade it consists of.
  app.use('/socket.io', (req) => {
    throw new DomainError(isOwn(req, ctx.env) ? 'request.notFound' : 'request.otherHost');
  });
  mountDownloads(app, ctx);
  app.use('/assets', (_req, res) => res.status(404).end());
  app.get('/static/:name', packedFiles(path.join(CLIENT_DIR, 'static'), YEAR_MS));
  app.use('/static', express.static(path.join(CLIENT_DIR, 'static'), { maxAge: YEAR_MS, immutable: true, fallthrough: false }));
  app.use(express.static(CLIENT_DIR, { maxAge: 0, etag: true, index: false }));
  // By a pattern that takes nothing out of the address: one with a broken % in it is a page, too.
  app.get(/^/, (_req, res) => singlePageApp(res));
  app.use(answerErrors(ctx));
  return app;
}

function api<C extends HttpContext>(ctx: C, routes: readonly Route<C>[]): express.Router {
  const router = express.Router();
  // Everything here is somebody's own or changes by the minute; a call that may be kept says so itself.
  router.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    const build = ctx.build();
    if (build) res.set(BUILD_HEADER, build);
    next();
  });
  router.use(refuseNulInUrl);
  mount(router, ctx, routes);
  router.get(
    '/openapi.json',
    readyMade('json', () => JSON.stringify(openApiDocument(routes))),
  );
  router.use('/docs', apiPage());
  router.use(() => {
    throw new DomainError('request.notFound');
  });
  return router;
}

function singlePageApp(res: express.Response): void {
  const page = path.join(CLIENT_DIR, 'index.html');
  if (existsSync(page)) res.set('Cache-Control', 'no-cache').sendFile(page);
  else res.status(404).type('text').send('The client is not built: npm run build.\n');
}
