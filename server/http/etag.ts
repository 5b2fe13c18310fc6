import type { IncomingMessage, ServerResponse } from 'node:http';

/** Cacheable by the browser, but revalidate every time. */
export const REVALIDATE = 'private, no-cache';

const TAG = /(?:W\/)?("[^"]*")/g;
const opaque = (tag: string): string => tag.replace(/^W\//, '');

/** Whether `If-None-Match` is `*` or a list that contains the ETag, by the weak comparison (RFC 9110, 13.1.2). */
export function matchesEtag({ headers }: Pick<IncomingMessage, 'headers'>, etag: string): boolean {
  const tags = headers['if-none-match'];
  if (tags === undefined) return false;
  if (tags === etag || tags.trim() === '*') return true;
  const wanted = opaque(etag);
  return tags.matchAll(TAG).some(([, tag]) => tag === wanted);
}

/** Sends a 304 with the headers that a 200 would have, so that caches keep theirs up to date. */
export function sendNotModified(res: ServerResponse, etag: string, headers: readonly string[] = []): void {
  res.writeHead(304, [...headers, 'Cache-Control', REVALIDATE, 'ETag', etag, 'Vary', 'Accept-Encoding']).end();
}
