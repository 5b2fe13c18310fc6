import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildOf } from '../../shared/build.ts';

export const CLIENT_DIR = path.resolve(import.meta.dirname, '../../client/dist');
/** How long a build is known, in milliseconds: another one may be put in its place under a server that runs. */
const KNOWN_MS = 5_000;

/** Which build of the client a browser would be given now; null where none is built. */
export function createBuildName(page = path.join(CLIENT_DIR, 'index.html'), now: () => number = Date.now): () => string | null {
  let name: string | null = null;
  let until = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() < until) return name;
    name = nameOf(page);
    until = now() + KNOWN_MS;
    return name;
  };
}

function nameOf(page: string): string | null {
  try {
    return buildOf(readFileSync(page, 'utf8'));
  } catch {
    return null;
  }
}
