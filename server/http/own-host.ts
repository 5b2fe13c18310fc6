import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { DomainError } from '../../shared/errors.ts';
import type { Env } from '../env.ts';

type PublicUrl = Pick<Env, 'PUBLIC_URL'>;

/** The host as the address bar would show it, without its scheme's usual port. */
function hostOf(protocol: string, host: string | undefined): string | null {
  const url = `${protocol}//${host}`;
  return URL.canParse(url) ? new URL(url).host : null;
}

/** Whether a request has one Host header, as HTTP/1.1 demands: of several, proxies and Node may each believe another one. */
export function hasOneHost({ rawHeaders, httpVersion }: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/** Whether a request names the board's own host, and comes from its own pages where it says from which. Any does without PUBLIC_URL. */
export function isOwn({ headers }: Pick<IncomingMessage, 'headers'>, { PUBLIC_URL }: PublicUrl): boolean {
  if (!PUBLIC_URL) return true;
  const { host, protocol, origin } = new URL(PUBLIC_URL);
  return hostOf(protocol, headers.host) === host && (headers.origin === undefined || headers.origin === origin);
}

/** A name that somebody else made point here would run their pages against this server. */
export function refuseOtherHosts({ PUBLIC_URL }: PublicUrl): RequestHandler {
  return ({ headers: { host } }, _res, next) => {
    if (!isOwn({ headers: { host } }, { PUBLIC_URL })) throw new DomainError('request.otherHost');
    next();
  };
}

const HOST = /^[a-z0-9.-]+(:\d+)?$|^\[[0-9a-f:]+\](:\d+)?$/i;

/** The page's own origin for WebSockets, which Safari 15 does not count as itself. */
export function socketOrigin({ headers: { host = '' } }: Pick<IncomingMessage, 'headers'>, { PUBLIC_URL }: PublicUrl): string {
  if (PUBLIC_URL) return new URL(PUBLIC_URL).origin.replace(/^http/, 'ws');
  return HOST.test(host) ? `ws://${host} wss://${host}` : "'self'";
}
