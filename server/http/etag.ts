import type { IncomingMessage, ServerResponse } from 'node:http';

/** Of what may be kept, but is asked about again each time. */
export const ASKED_AGAIN = 'private, no-cache';

const TAG = /(?:W\/)?("[^"]*")/g;
const opaque = (tag: string): string => tag.replace(/^W\//, '');

/** Whether `If-None-Match` names this answer: `*`, or a list with its tag, compared weakly (RFC 9110, 13.1.2). */
export function holds({ headers }: Pick<IncomingMessage, 'headers'>, etag: string): boolean {
  const tags = headers['if-none-match'];
  if (tags === undefined) return false;
  if (tags === etag || tags.trim() === '*') return true;
  const wanted = opaque(etag);
  return tags.matchAll(TAG).some(([, tag]) => tag === wanted);
}

/** Answers that nothing has changed, with what a 200 would say, or a cache in between takes the headers it holds for outdated. */
export function sayUnchanged(res: ServerResponse, etag: string, also: readonly string[] = []): void {
  res.writeHead(304, [...also, 'Cache-Control', ASKED_AGAIN, 'ETag', etag, 'Vary', 'Accept-Encoding']).end();
}
