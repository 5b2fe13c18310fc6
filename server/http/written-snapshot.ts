import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import type { TakenSnapshot } from '../live/kept-board.ts';
import { bytesOf } from '../live/written-list.ts';
import { sendAsItIs } from './compress.ts';

const gzipped = promisify(gzip);

interface Written {
  plain: Promise<Buffer>;
  /** Made when first asked for. */
  gzip: Promise<Buffer> | null;
}

/** Sends what is made of a snapshot. */
export type SendSnapshot = (req: Request, res: Response, taken: TakenSnapshot) => Promise<void>;

/**
 * However many ask after a change: what `write` makes of the board, as JSON, is made and compressed once, and stays
 * until something changes that is seen in the room.
 * @param write may use the records and `changed_at`, but not the clock, which moves on without them
 */
export function writtenOnce(write: (taken: Omit<TakenSnapshot, 'clock'>) => Promise<string>): SendSnapshot {
  const kept = new WeakMap<TakenSnapshot['snapshot'], Written>();
  return async (req, res, taken) => {
    const written = kept.get(taken.snapshot) ?? { plain: write(taken).then(bytesOf), gzip: null };
    kept.set(taken.snapshot, written);
    sendAsItIs(res);
    res.vary('Accept-Encoding').type('json');
    if (req.acceptsEncodings('gzip') !== 'gzip') {
      res.send(await written.plain);
      return;
    }
    written.gzip ??= written.plain.then((plain) => gzipped(plain));
    const compressed = await written.gzip;
    res.set('Content-Encoding', 'gzip').send(compressed);
  };
}
