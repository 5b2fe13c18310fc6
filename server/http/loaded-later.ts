import type { RequestHandler } from 'express';

/** Loads a handler when it is first asked for. Where that fails, that request does, and the next one tries it again. */
export function loadedLater<P>(load: () => Promise<RequestHandler<P>>): RequestHandler<P> {
  let loading: Promise<RequestHandler<P>> | null = null;
  const loadOnce = (): Promise<RequestHandler<P>> => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  return async (req, res, next) => {
    const handle = await loadOnce();
    return handle(req, res, next);
  };
}
