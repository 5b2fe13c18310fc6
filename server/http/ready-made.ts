import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';
import { sendAsItIs } from './compress.ts';

/** Answers what never changes: made and packed once, when first asked for, whoever asks, and however often. */
export function readyMade(type: string, make: () => string | Promise<string>): RequestHandler {
  let made: { plain: Buffer; packed: Buffer } | null = null;
  return async (req, res) => {
    made ??= pack(await make());
    const { plain, packed } = made;
    const isPacked = req.acceptsEncodings('gzip', 'identity') === 'gzip';
    sendAsItIs(res);
    if (isPacked) res.set('Content-Encoding', 'gzip');
    res
      .type(type)
      .vary('Accept-Encoding')
      .send(isPacked ? packed : plain);
  };
}

function pack(text: string): { plain: Buffer; packed: Buffer } {
  const plain = Buffer.from(text);
  return { plain, packed: gzipSync(plain) };
}
