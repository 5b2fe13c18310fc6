import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import express, { type RequestHandler } from 'express';
import { buildOf } from '../../shared/build.ts';
import { DomainError } from '../../shared/errors.ts';

const CLIENT_DIR = path.resolve(import.meta.dirname, '../../client/dist');
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

/** Addresses of files and of folders with a dot, such as /.well-known/: none of them is a page. */
const OF_FILES = /\/\.|\.\w+$/;
/** Pages whose address ends in a character's name, which may have a dot. */
const ENDS_IN_NAME = /^\/(verify|admin\/dashboard\/member)\/[^/]+$/;

/**
 * Serves the client: its files, and for all other addresses the page of the single-page application.
 * @throws DomainError request.notFound for a file that does not exist
 */
export function serveClient(folder = CLIENT_DIR): RequestHandler[] {
  const page = path.join(folder, 'index.html');
  return [
    express.static(folder, { maxAge: 0, etag: true, index: false }),
    ({ method, path }, res, next) => {
      if (method !== 'GET' && method !== 'HEAD') next();
      else if (OF_FILES.test(path) && !ENDS_IN_NAME.test(path))
        throw new DomainError('request.notFound');
      else if (existsSync(page)) res.set('Cache-Control', 'no-cache').sendFile(page);
      else res.status(404).type('text').send('The client is not built: npm run build.\n');
    },
  ];
}

/** @returns a function that names the build of the client that a browser would be given now; null if none is built */
export function createBuildName(
  page = path.join(CLIENT_DIR, 'index.html'),
  now: () => number = Date.now,
): () => string | null {
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
