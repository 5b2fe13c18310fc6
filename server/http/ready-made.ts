import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';
import { sendAsItIs } from './compress.ts';

/** Answers a text that never changes. It is made and compressed once, by the first request. */
export function readyMade(type: string, make: () => string): RequestHandler {
  let made: { plain: Buffer; packed: Buffer } | null = null;
  return (req, res) => {
    made ??= pack(make());
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
