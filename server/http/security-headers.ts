import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Env } from '../env.ts';
import { clientPolicy } from './content-security.ts';

/**
 * What helmet says of every answer. It depends on nothing but the host that was asked for, so helmet is asked once for
 * each host in a row, and not once for each of a guild's refreshes.
 */
export function securityHeaders(env: Env): RequestHandler {
  const ask = helmet({ contentSecurityPolicy: { directives: clientPolicy(env) }, strictTransportSecurity: false });
  let known: { host: string | undefined; headers: [name: string, value: string][] } | null = null;
  return (req, res, next) => {
    const { host } = req.headers;
    if (known === null || known.host !== host) {
      ask(req, res, (error) => {
        if (!error) known = { host, headers: Object.entries(res.getHeaders()).map(([name, value]) => [name, String(value)]) };
        next(error);
      });
      return;
    }
    for (const [name, value] of known.headers) res.setHeader(name, value);
    next();
  };
}
