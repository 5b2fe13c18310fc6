import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';
import { MAX_LIST, type PageQuery } from '../../shared/schemas/fields.ts';
import { PIECE } from '../db/queries.ts';
import { tellTotal } from './listed.ts';
import { SENT } from './router.ts';

/**
 * Answers a long list piece by piece, each read when the one before the last is on its way; a list of one piece is left to
 * the route, which answers it whole. What is gone when its piece is read is left out.
 */
export async function inPieces<T>(res: Response, pieces: AsyncIterable<T[]>): Promise<T[] | typeof SENT> {
  let held: T[] | null = null;
  let separator = '{"success":true,"data":[';
  const room = roomIn(res);
  for await (const piece of pieces) {
    if (res.closed) return SENT;
    if (piece.length === 0) continue;
    if (held) {
      if (!res.headersSent) res.status(200).type('json');
      if (!res.write(separator + written(held))) await room();
      separator = ',';
      await setImmediate();
    }
    held = piece;
  }
  if (!res.headersSent) return held ?? [];
  res.end(`${separator}${written(held ?? [])}]}`);
  return SENT;
}

/** The same for a page, whose header says how many records there are in all; where it follows another one, that is known. */
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
 * @returns what resolves when more may be written, or nobody reads any more. Its listeners stay for as long as the answer
 * does: what compresses it takes them for its own, and gives none back.
 */
function roomIn(res: Response): () => Promise<void> {
  let go: (() => void) | null = null;
  const wake = (): void => go?.();
  res.on('drain', wake);
  res.on('close', wake);
  return () =>
    new Promise((resolve) => {
      go = resolve;
      if (res.closed) resolve();
    });
}

/** The pages of a list whose newest come first, one after the other, until it holds what was asked for. */
export async function* pagesOf<T extends { id: number }>(
  { limit = MAX_LIST, before }: PageQuery,
  read: (page: PageQuery) => Promise<T[]>,
): AsyncGenerator<T[], void> {
  let [left, from] = [limit, before];
  while (left > 0) {
    const wanted = Math.min(PIECE, left);
    const page = await read({ limit: wanted, before: from });
    if (page.length > 0) yield page;
    if (page.length < wanted) return;
    left -= wanted;
    from = page.at(-1)?.id;
  }
}
