import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { encodeText } from './encoding.ts';
import type { BoardSnapshot } from './read-model.ts';
import { snapshotsInFlight } from './snapshots-in-flight.ts';

const compress = promisify(gzip);

interface Body {
  plain: Promise<Buffer>;
  /** Null until a caller accepts gzip. */
  gzip: Promise<Buffer> | null;
}

/**
 * Sends what `write` makes of a snapshot. A whole guild may load the board after one change, so its JSON is written and compressed
 * once, and kept until the records change.
 * @param write must not use the clock: it advances while the records stay the same
 */
export function sendOncePrepared(
  write: (snapshot: Omit<BoardSnapshot, 'clock'>) => Promise<string>,
): (req: Request, res: Response, snapshot: BoardSnapshot) => Promise<void> {
  const bodies = new WeakMap<BoardSnapshot['records'], Body>();
  return async (req, res, snapshot) => {
    const body = bodies.get(snapshot.records) ?? { plain: write(snapshot).then(encodeText), gzip: null };
    bodies.set(snapshot.records, body);
    res.vary('Accept-Encoding').type('json');
    const isCompressed = req.acceptsEncodings('gzip') === 'gzip';
    if (isCompressed) {
      body.gzip ??= body.plain.then((plain) => compress(plain));
      res.set('Content-Encoding', 'gzip');
    }
    const bytes = await (isCompressed && body.gzip ? body.gzip : body.plain);
    if (res.closed) return;
    res.once('close', snapshotsInFlight.add(bytes, req.socket));
    res.send(bytes);
  };
}
