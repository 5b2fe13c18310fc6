import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';
import { sendAsItIs } from './compress.ts';

/** Answers what never changes: encoded and packed once, whoever asks, and however often. */
export function readyMade(type: string, text: string): RequestHandler {
  const plain = Buffer.from(text);
  const packed = gzipSync(plain);
  return (req, res) => {
    const isPacked = req.acceptsEncodings('gzip', 'identity') === 'gzip';
    sendAsItIs(res);
    if (isPacked) res.set('Content-Encoding', 'gzip');
    res
      .type(type)
      .vary('Accept-Encoding')
      .send(isPacked ? packed : plain);
  };
}
