import type { IncomingMessage, ServerResponse } from 'node:http';
import { BUILD_HEADER } from '../../shared/build.ts';
import { isKnownMember } from '../auth/who-asks.ts';
import type { Context } from '../context.ts';
import { hasBody } from './body-time.ts';
import { credentialsOf } from './credentials.ts';
import { matchesEtag, sendNotModified } from './etag.ts';
import { isOwn } from './own-host.ts';
import { shouldHint } from './proxy-hint.ts';
import { noteAnswer } from './request-log.ts';
import type { Route } from './route.ts';
import type { SecurityHeaders } from './security-headers.ts';

/** Answers a request, unless it returns false. */
export type Shortcut = (req: IncomingMessage, res: ServerResponse) => boolean;

/**
 * A guild's boards refresh all the time, and nothing has changed: those are answered before all middleware, with what it
 * would say and count. Whatever has to be looked up, noted or refused goes the usual way.
 */
export function unchangedFirst(ctx: Context, api: string, routes: readonly Route[], security: SecurityHeaders): Shortcut {
  const tags = new Map(routes.flatMap(({ path, method, etag }) => (etag && method === 'get' ? [[api + path, etag]] : [])));
  return (req, res) => {
    const { url: route = '', method = '', headers } = req;
    // Admins' credentials need a query, so this only answers members and visitors.
    const etag = tags.get(route)?.(ctx, 'members');
    if (etag === undefined || !matchesEtag(req, etag) || (method !== 'GET' && method !== 'HEAD') || hasBody(req)) return false;
    const said = security.known(headers.host);
    if (!said || !isOwn({ headers: { host: headers.host } }, ctx.env) || shouldHint(req, ctx.env) || !mayRead(ctx, req)) return false;
    noteAnswer(res, { route });
    const stop = ctx.metrics.requests.startTimer({ method, route, status: '304' });
    res.once('finish', () => stop());
    const build = ctx.build();
    sendNotModified(res, etag, build ? [...said, BUILD_HEADER, build] : said);
    return true;
  };
}

/** Whether it is known without a query that this caller may read the board. A credential always has to be right. */
function mayRead(ctx: Context, req: IncomingMessage): boolean {
  const shown = credentialsOf(req);
  const isVisitor = shown.token === null && shown.key === null;
  return isVisitor ? ctx.env.BOARD_VISIBILITY === 'public' : isKnownMember(ctx, shown);
}
