import compression from 'compression';
import type { RequestHandler } from 'express';

/** A packer holds about 340 KB until its answer is read to the end, or given up: 34 MB for all of them. */
const MAX_AT_ONCE = 100;

/** Compresses answers on their way out; while `atOnce` that may be are open, however slowly read, the next go out as they are. */
export function compress(atOnce = MAX_AT_ONCE): RequestHandler {
  let open = 0;
  return compression({
    filter: (req, res) => {
      // What is packed already costs nothing here.
      if (res.hasHeader('Content-Encoding') || !compression.filter(req, res) || res.closed) return false;
      // Or a cache on the way keeps the plain one for everybody.
      res.vary('Accept-Encoding');
      if (open >= atOnce) return false;
      open += 1;
      res.once('close', () => {
        open -= 1;
      });
      return true;
    },
  });
}
