import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { Context } from '../context.ts';

/** Whether a proxy forwarded this request although the settings name none. */
export const shouldHint = ({ headers }: Pick<IncomingMessage, 'headers'>, { TRUST_PROXY }: Context['env']): boolean =>
  TRUST_PROXY !== '1' && headers['x-forwarded-for'] !== undefined;

/** Logs once that a proxy seems to stand before the server although the settings name none. */
export function hintAtProxy({ env, log }: Pick<Context, 'env' | 'log'>): RequestHandler {
  let isLogged = false;
  return (req, _res, next) => {
    if (!isLogged && shouldHint(req, env)) {
      isLogged = true;
      log.warn('ignoring X-Forwarded-For: behind a reverse proxy of your own, set TRUST_PROXY=1');
    }
    next();
  };
}
