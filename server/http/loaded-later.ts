import type { RequestHandler } from 'express';
import { once } from '../once.ts';

/** Loads a handler when it is first asked for. Where that fails, that request does, and the next one tries it again. */
export function loadedLater<P>(load: () => Promise<RequestHandler<P>>): RequestHandler<P> {
  const loaded = once(load);
  return async (req, res, next) => {
    const handle = await loaded();
    return handle(req, res, next);
  };
}
