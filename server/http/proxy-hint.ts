import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { Context } from '../context.ts';

/** Whether a proxy passed this on that the settings do not know of. */
export const shouldHint = ({ headers }: Pick<IncomingMessage, 'headers'>, { TRUST_PROXY }: Context['env']): boolean =>
  TRUST_PROXY !== '1' && headers['x-forwarded-for'] !== undefined;

/** Tells the operator once that a proxy stands before the server which the settings do not know of. */
export function hintAtProxy({ env, log }: Pick<Context, 'env' | 'log'>): RequestHandler {
  let told = false;
  return (req, _res, next) => {
    if (!told && shouldHint(req, env)) {
      told = true;
      log.warn('requests carry X-Forwarded-For, which counts nothing: behind a reverse proxy of your own set TRUST_PROXY=1');
    }
    next();
  };
}
