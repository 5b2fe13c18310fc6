import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Env } from '../env.ts';
import { clientPolicy } from './content-security.ts';

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

export interface SecurityHeaders {
  /** Says them of every answer. */
  handler: RequestHandler;
  /** What it says to this host, as names and values in turn; null where that has to be worked out first. */
  known: (host: string | undefined) => readonly string[] | null;
}

/**
 * What helmet says of every answer. It depends on nothing but the host that was asked for, so helmet is asked once for
 * each host in a row, and not once for each of a guild's refreshes.
 */
export function securityHeaders(env: Env): SecurityHeaders {
  const ask = helmet({
    contentSecurityPolicy: { directives: clientPolicy(env) },
    strictTransportSecurity: env.PUBLIC_URL?.startsWith('https:') ? HSTS : false,
  });
  let known: { host: string | undefined; headers: [name: string, value: string][]; inTurn: string[] } | null = null;
  const handler: RequestHandler = (req, res, next) => {
    const { host } = req.headers;
    if (known === null || known.host !== host) {
      const others = new Set(res.getHeaderNames());
      res.setHeader('Permissions-Policy', PERMISSIONS);
      ask(req, res, (error) => {
        const headers = Object.entries(res.getHeaders())
          .filter(([name]) => !others.has(name))
          .map(([name, value]): [string, string] => [name, String(value)]);
        if (!error) known = { host, headers, inTurn: headers.flat() };
        next(error);
      });
      return;
    }
    for (const [name, value] of known.headers) res.setHeader(name, value);
    next();
  };
  return { handler, known: (host) => (known?.host === host ? (known?.inTurn ?? null) : null) };
}
