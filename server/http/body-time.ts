import type { IncomingMessage, RequestListener } from 'node:http';

const late = new WeakMap<IncomingMessage, NodeJS.Timeout>();

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  'transfer-encoding' in headers || (headers['content-length'] ?? '0') !== '0';

/** Ends the connection of a request whose body is not there in time, which is for small ones unless it is told otherwise. */
export function boundBodies(answer: RequestListener, { body_ms }: { body_ms: number }): RequestListener {
  return (req, res) => {
    if (hasBody(req)) {
      const timer = setTimeout(() => !req.complete && req.socket.destroy(), body_ms).unref();
      late.set(req, timer);
      req.once('close', () => clearTimeout(timer));
    }
    answer(req, res);
  };
}

/** For whoever is known and may send much: the body has the time of a whole request. */
export function allowTime(req: IncomingMessage): void {
  clearTimeout(late.get(req));
}
