import type { Response } from 'express';
import type { PageQuery } from '../../shared/schemas/fields.ts';

/** How many records a list has, of which an answer may hold only the newest. */
export const TOTAL_COUNT = 'X-Total-Count';

/** An answer that is being made. */
export type Answer = Pick<Response, 'set'>;

/**
 * Says in a header how many records there are, in whatever page; where a page follows another one, that is known.
 * @param count is asked for only then
 */
export async function tellTotal(res: Answer, { before }: PageQuery, count: () => Promise<number>): Promise<void> {
  if (before === undefined) res.set(TOTAL_COUNT, String(await count()));
}
