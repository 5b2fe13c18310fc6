import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { DomainError } from '../../shared/errors.ts';
import type { Env } from '../env.ts';
import type { LogContext } from './request-log.ts';

/** Features that no page of ours uses, so that no injected script can either. */
const PERMISSIONS = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** Half a year, in seconds. Without subdomains: other sites of the guild may be served there over http. */
const HSTS = { maxAge: 15_552_000, includeSubDomains: false };

/** Files of the build that are no documents. */
const BUILT_FILE = /^\/(static\/[\w.-]+\.(js|css|json|woff2)|early\.js)$/;

/** Headers that browsers read of documents alone. On each file of a page they would add 1 kB, to some pages 60 kB. */
const OF_DOCUMENTS = {
  contentSecurityPolicy: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} as const;

export function securityHeaders(env: Env): RequestHandler {
  const strictTransportSecurity = env.PUBLIC_URL?.startsWith('https:') ? HSTS : false;
  const setHeaders = helmet({
    contentSecurityPolicy: { directives: clientPolicy(env) },
    strictTransportSecurity,
  });
  const setFileHeaders = helmet({ ...OF_DOCUMENTS, strictTransportSecurity });
  return (req, res, next) => {
    if (BUILT_FILE.test(req.path)) {
      setFileHeaders(req, res, next);
      return;
    }
    res.setHeader('Permissions-Policy', PERMISSIONS);
    setHeaders(req, res, next);
  };
}

/** html2canvas, which draws the board's pictures, adds this one style to its copy of the page. */
const STYLE_OF_HTML2CANVAS = "'sha256-UP0QZg7irvSMvOBz9mH2PIIE28+57UiavRfeVea0l3g='";

/** The client loads only its own files. No upgrade-insecure-requests: guilds serve it on plain http at home. */
const clientPolicy = (env: Env) => ({
  defaultSrc: ["'self'"],
  // A text with PUBLIC_URL: helmet then makes the header only once.
  connectSrc: [
    "'self'",
    env.PUBLIC_URL
      ? socketOrigin({ headers: {} }, env)
      : (req: IncomingMessage) => socketOrigin(req, env),
  ],
  fontSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  styleSrc: ["'self'", STYLE_OF_HTML2CANVAS],
  upgradeInsecureRequests: null,
});

/** Replaces the client's policy on the page that shows the API: Swagger UI's own files and pictures, and calls of this server. */
export const swaggerPolicy: RequestHandler = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'self'"],
  },
});

type PublicUrl = Pick<Env, 'PUBLIC_URL'>;

/** The host as the address bar would show it, without its scheme's usual port. */
function hostOf(protocol: string, host: string | undefined): string | null {
  const url = `${protocol}//${host}`;
  return URL.canParse(url) ? new URL(url).host : null;
}

/** Whether a request has one Host header, as HTTP/1.1 demands: of several, proxies and Node may each use another one. */
export function hasOneHost({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/** Whether a request names the host of PUBLIC_URL and, if it has an Origin, comes from there. True without PUBLIC_URL. */
export function isOwn(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { PUBLIC_URL }: PublicUrl,
): boolean {
  if (!PUBLIC_URL) return true;
  const { host, protocol, origin } = new URL(PUBLIC_URL);
  return (
    hostOf(protocol, headers.host) === host &&
    (headers.origin === undefined || headers.origin === origin)
  );
}

/** Against DNS rebinding: a foreign name that points here would let foreign pages call this server. */
export function refuseOtherHosts({ PUBLIC_URL }: PublicUrl): RequestHandler {
  return ({ headers: { host } }, _res, next) => {
    if (!isOwn({ headers: { host } }, { PUBLIC_URL })) throw new DomainError('request.otherHost');
    next();
  };
}

const HOST = /^[a-z0-9.-]+(:\d+)?$|^\[[0-9a-f:]+\](:\d+)?$/i;

/** The page's own origin for WebSockets: Safari 15 does not take it for 'self'. */
export function socketOrigin(
  { headers: { host = '' } }: Pick<IncomingMessage, 'headers'>,
  { PUBLIC_URL }: PublicUrl,
): string {
  if (PUBLIC_URL) return new URL(PUBLIC_URL).origin.replace(/^http/, 'ws');
  return HOST.test(host) ? `ws://${host} wss://${host}` : "'self'";
}

/** Logs once that requests come through a proxy which the settings don't name. */
export function hintAtProxy({ env, log }: LogContext): RequestHandler {
  let isLogged = false;
  return ({ headers }, _res, next) => {
    if (!isLogged && env.TRUST_PROXY !== '1' && headers['x-forwarded-for'] !== undefined) {
      isLogged = true;
      log.warn('ignoring X-Forwarded-For: behind a reverse proxy of your own, set TRUST_PROXY=1');
    }
    next();
  };
}
