import type { RequestHandler } from 'express';
import type { Context } from '../context.ts';

/** Tells the operator once that a proxy stands before the server which the settings do not know of. */
export function hintAtProxy({ env, log }: Pick<Context, 'env' | 'log'>): RequestHandler {
  let told = env.TRUST_PROXY === '1';
  return (req, _res, next) => {
    if (!told && req.headers['x-forwarded-for'] !== undefined) {
      told = true;
      log.warn('requests carry X-Forwarded-For, which counts nothing: behind a reverse proxy of your own set TRUST_PROXY=1');
    }
    next();
  };
}
