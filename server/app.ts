import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import express from 'express';
import { BUILD_HEADER } from '../shared/build.ts';
import { DomainError } from '../shared/errors.ts';
import { apiRoutes } from './api.ts';
import { CATALOGUE_DIR } from './board/catalogue/catalogue.ts';
import { servePictures } from './board/respawns/pictures.ts';
import type { Context } from './context.ts';
import { apiPage } from './http/api-page.ts';
import { CLIENT_DIR } from './http/build-name.ts';
import { compress } from './http/compress.ts';
import { answerErrors } from './http/errors.ts';
import { openApiDocument } from './http/openapi.ts';
import { isOwn, refuseOtherHosts } from './http/own-host.ts';
import { packedFiles } from './http/packed-files.ts';
import { measureRequests, probes } from './http/probes.ts';
import { hintAtProxy } from './http/proxy-hint.ts';
import { readyMade } from './http/ready-made.ts';
import { mount, type Route } from './http/route.ts';
import { securityHeaders } from './http/security-headers.ts';
import { refuseNulInUrl } from './http/storable-text.ts';
import { unchangedFirst } from './http/unchanged-first.ts';
import { serveCalendars } from './notifications/calendar/routes.ts';

const YEAR_MS = 365 * 86_400_000;
const API = '/api';

/** The order of middleware and routers, and nothing else. */
export function createApp(ctx: Context): RequestListener {
  const app = express();
  const routes = apiRoutes();
  app.set('trust proxy', ctx.env.TRUST_PROXY === '1' ? 1 : false);
  app.set('etag', false);
  // Whatever NODE_ENV says: Express' own last resort must not show a stack trace.
  app.set('env', 'production');
  app.disable('x-powered-by');
  const security = securityHeaders(ctx.env);
  app.use(security.handler);
  app.use(compress({ except: routes.filter(({ keptReady }) => keptReady).map(({ path }) => API + path) }));
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
  app.get('/calendar/:token.ics', serveCalendars(ctx));
  app.use('/calendar', () => {
    throw new DomainError('request.notFound');
  });
  app.get('/assets/respawns/:name', servePictures(ctx));
  app.use('/assets/respawns', express.static(path.join(CATALOGUE_DIR, 'images'), { maxAge: '7d', etag: true }));
  app.use('/assets', (_req, res) => res.status(404).end());
  app.get('/static/:name', packedFiles(path.join(CLIENT_DIR, 'static'), YEAR_MS));
  app.use('/static', express.static(path.join(CLIENT_DIR, 'static'), { maxAge: YEAR_MS, immutable: true, fallthrough: false }));
  app.use(express.static(CLIENT_DIR, { maxAge: 0, etag: true, index: false }));
  // By a pattern that takes nothing out of the address: one with a broken % in it is a page, too.
  app.get(/^/, (_req, res) => singlePageApp(res));
  app.use(answerErrors(ctx));
  const isUnchanged = unchangedFirst(ctx, API, routes, security);
  return (req, res) => {
    if (!isUnchanged(req, res)) app(req, res);
  };
}

function api(ctx: Context, routes: readonly Route[]): express.Router {
  const router = express.Router();
  // Everything here is somebody's own or changes by the minute; a call that may be kept says so itself.
  router.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    const build = ctx.build();
    if (build) res.set(BUILD_HEADER, build);
    next();
  });
  router.use(refuseNulInUrl);
  // For what a whole guild asks for at once, nobody looks through all the others first.
  mount(router, ctx, [...routes.filter(({ keptReady }) => keptReady), ...routes.filter(({ keptReady }) => !keptReady)]);
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
