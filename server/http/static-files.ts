import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import express, { type RequestHandler, type Response } from 'express';
import { buildOf } from '../../shared/build.ts';

export const CLIENT_DIR = path.resolve(import.meta.dirname, '../../client/dist');
const YEAR_MS = 365 * 86_400_000;
/** How long the build's name is kept, in milliseconds: a new build may replace the client's files while the server runs. */
const BUILD_NAME_KEPT_MS = 5_000;
/** The build stores compressed copies of these beside them; fonts and pictures are compressed in themselves. */
const PRECOMPRESSED = /^\/[\w.-]+\.(js|css|json)$/;
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

/** Serves scripts, styles and sentences, whose names change with their content, from the copies that the build compressed. */
export function serveAssets(folder = path.join(CLIENT_DIR, 'static')): RequestHandler {
  const serve = express.static(folder, { maxAge: YEAR_MS, immutable: true, fallthrough: false });
  return (req, res, next) => {
    if (PRECOMPRESSED.test(req.path)) {
      const encoding = req.acceptsEncodings('br', 'gzip', 'identity');
      const suffix = encoding === 'br' || encoding === 'gzip' ? SUFFIXES[encoding] : null;
      res.vary('Accept-Encoding');
      if (suffix && !req.headers.range && existsSync(folder + req.path + suffix)) {
        res.type(path.extname(req.path)).set('Content-Encoding', String(encoding));
        req.url = req.path + suffix;
      }
    }
    serve(req, res, next);
  };
}

/** Every address that is no file is a page of the single-page application. */
export function servePage(res: Response): void {
  const page = path.join(CLIENT_DIR, 'index.html');
  if (existsSync(page)) res.set('Cache-Control', 'no-cache').sendFile(page);
  else res.status(404).type('text').send('The client is not built: npm run build.\n');
}

/** @returns a function that names the build of the client that a browser would be given now; null if none is built */
export function createBuildName(page = path.join(CLIENT_DIR, 'index.html'), now: () => number = Date.now): () => string | null {
  let name: string | null = null;
  let until = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() < until) return name;
    name = readBuildName(page);
    until = now() + BUILD_NAME_KEPT_MS;
    return name;
  };
}

function readBuildName(page: string): string | null {
  try {
    return buildOf(readFileSync(page, 'utf8'));
  } catch {
    return null;
  }
}
