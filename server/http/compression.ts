import compression from 'compression';
import type { RequestHandler } from 'express';

/** Answers that are compressed at the same time; others are sent uncompressed. Each holds about 340 kB until its answer is read. */
const MAX_COMPRESSORS = 100;
/** The same for one connection, which may have 32 requests under way: no caller takes them all. */
const MAX_PER_CONNECTION = 4;

/**
 * Compresses answers. While `max` compressors are open, further answers go out uncompressed: otherwise thousands of downloads that
 * nobody reads would fill the memory until their connections time out.
 */
export function compressAnswers(max = MAX_COMPRESSORS): RequestHandler {
  let open = 0;
  const openOn = new WeakMap<object, number>();
  return compression({
    filter: (req, res) => {
      if (res.hasHeader('Content-Encoding') || !compression.filter(req, res) || res.closed) return false;
      // Also where this answer goes out uncompressed: a cache must not keep that for everyone.
      res.vary('Accept-Encoding');
      const { socket } = req;
      const here = openOn.get(socket) ?? 0;
      if (open >= max || here >= MAX_PER_CONNECTION) return false;
      open += 1;
      openOn.set(socket, here + 1);
      res.once('close', () => {
        open -= 1;
        openOn.set(socket, (openOn.get(socket) ?? 1) - 1);
      });
      return true;
    },
  });
}
