import type { RequestHandler } from 'express';
import type { LogContext } from './request-log.ts';

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
