import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';
import { MAX_LIST, type PageQuery } from '../../shared/schemas/fields.ts';

import { PIECE } from '../db/database.ts';

import { SENT } from './router.ts';

/**
 * Streams a long list in chunks, so that neither the server nor a slow reader needs all of it at once. Rows that are deleted before their
 * chunk is read are left out.
 * @returns a list of at most one chunk, for the route to answer; else `SENT`
 */
export async function inPieces<T>(
  res: Response,
  pieces: AsyncIterable<T[]>,
): Promise<T[] | typeof SENT> {
  let previous: T[] | null = null;
  let separator = '{"success":true,"data":[';
  const drained = waitForDrain(res);
  for await (const piece of pieces) {
    if (res.closed) return SENT;
    if (piece.length === 0) continue;
    if (previous) {
      if (!res.headersSent) res.status(200).type('json');
      if (!res.write(separator + written(previous))) await drained();
      separator = ',';
      await setImmediate();
    }
    previous = piece;
  }
  if (!res.headersSent) return previous ?? [];
  res.end(`${separator}${written(previous ?? [])}]}`);
  return SENT;
}

/** Streams a page, with the total count of the list in a header of the first page. */
export async function answerPage<T>(
  res: Response,
  query: PageQuery,
  { count, pieces }: { count: () => Promise<number>; pieces: AsyncIterable<T[]> },
): Promise<T[] | typeof SENT> {
  await tellTotal(res, query, count);
  return inPieces(res, pieces);
}

const written = (piece: readonly unknown[]): string => JSON.stringify(piece).slice(1, -1);

/**
 * @returns a function that waits until more may be written or the connection is closed. The listeners stay: `compression` moves listeners
 * to its own stream and cannot remove them.
 */
function waitForDrain(res: Response): () => Promise<void> {
  let resume: (() => void) | null = null;
  const wake = (): void => resume?.();
  res.on('drain', wake);
  res.on('close', wake);
  return () =>
    new Promise((resolve) => {
      resume = resolve;
      if (res.closed) resolve();
    });
}

/** Reads a list, newest first, in chunks of `PIECE` rows up to `limit`. */
export async function* pagesOf<T extends { id: number }>(
  { limit = MAX_LIST, before }: PageQuery,
  read: (page: PageQuery) => Promise<T[]>,
): AsyncGenerator<T[], void> {
  let left = limit;
  let from = before;
  while (left > 0) {
    const wanted = Math.min(PIECE, left);
    const page = await read({ limit: wanted, before: from });
    if (page.length > 0) yield page;
    if (page.length < wanted) return;
    left -= wanted;
    from = page.at(-1)?.id;
  }
}

export const TOTAL_COUNT = 'X-Total-Count';

/** Sets the total count of a list, on its first page only: further pages don't need it. */
export async function tellTotal(
  res: Pick<Response, 'set'>,
  { before }: PageQuery,
  count: () => Promise<number>,
): Promise<void> {
  if (before === undefined) res.set(TOTAL_COUNT, String(await count()));
}
