import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';
import { sendAsItIs } from './compress.ts';

const BR_QUALITY = 5;
const packers = {
  br: (plain: Buffer) => promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BR_QUALITY } }),
  gzip: (plain: Buffer) => promisify(gzip)(plain),
};
const ENCODINGS = ['br', 'gzip'] as const;
/** What is worth packing: a font and a picture are packed in themselves. */
const PACKABLE = /^[\w.-]+\.(js|css)$/;

/** Each read and packed once in a process, whichever of its servers is asked, however often, and however many ask at once. */
const packed = new Map<string, Promise<Buffer>>();

/**
 * Serves scripts and styles whose names change with what is in them, as `/:name` of `folder`. A page begins with twenty of them, and a
 * whole guild opens it at the same hour: to read and pack each for everybody is most of what a server does for a page. What is asked for
 * in another way, and what is not there, is left to the next handler.
 */
export function packedFiles(folder: string, maxAgeMs: number): RequestHandler<{ name: string }> {
  const caching = `public, max-age=${Math.round(maxAgeMs / 1000)}, immutable`;
  return async (req, res, next) => {
    const { name } = req.params;
    const encoding = req.acceptsEncodings([...ENCODINGS, 'identity']);
    if ((encoding !== 'br' && encoding !== 'gzip') || !PACKABLE.test(name) || req.headers.range) return next();
    const file = path.join(folder, name);
    const key = `${encoding} ${file}`;
    const packing = packed.get(key) ?? readFile(file).then(packers[encoding]);
    packed.set(key, packing);
    const body = await packing.catch(() => null);
    if (!body) {
      // Names that somebody invents are not kept.
      packed.delete(key);
      return next();
    }
    sendAsItIs(res);
    res.set({ 'Cache-Control': caching, 'Content-Encoding': encoding }).type(path.extname(name)).vary('Accept-Encoding').send(body);
  };
}
