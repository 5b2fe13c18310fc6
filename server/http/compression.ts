import compression from 'compression';
import type { RequestHandler } from 'express';

/** A compressor holds about 340 kB until its answer is read or given up: 34 MB for all of them. */
const MAX_COMPRESSORS = 100;

/**
 * Compresses answers. While `max` compressors are open, further answers go out uncompressed: otherwise thousands of downloads that
 * nobody reads would fill the memory until their connections time out.
 */
export function compressAnswers(max = MAX_COMPRESSORS): RequestHandler {
  let open = 0;
  return compression({
    filter: (req, res) => {
      if (res.hasHeader('Content-Encoding') || !compression.filter(req, res) || res.closed) return false;
      // Also where this answer goes out uncompressed: a cache must not keep that for everyone.
      res.vary('Accept-Encoding');
      if (open >= max) return false;
      open += 1;
      res.once('close', () => {
        open -= 1;
      });
      return true;
    },
  });
}
