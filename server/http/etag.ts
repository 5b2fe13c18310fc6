import type { IncomingMessage, ServerResponse } from 'node:http';

/** Of what may be kept, but is asked about again each time. */
export const ASKED_AGAIN = 'private, no-cache';

/** Whether the one who asks holds this very answer. */
export const holds = ({ headers }: Pick<IncomingMessage, 'headers'>, etag: string): boolean => headers['if-none-match'] === etag;

/** Answers that nothing has changed, with what a 200 would say, or a cache in between takes the headers it holds for outdated. */
export function sayUnchanged(res: ServerResponse, etag: string, also: readonly string[] = []): void {
  res.writeHead(304, [...also, 'Cache-Control', ASKED_AGAIN, 'ETag', etag, 'Vary', 'Accept-Encoding']).end();
}
