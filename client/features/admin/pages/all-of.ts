import { MAX_PAGE, type PageQuery } from '../../../../shared/schemas/fields.ts';
import type { OnProgress } from './download-table.tsx';

/**
 * Reads a list that nothing changes any more to its end, page by page, the newest first.
 * @throws ApiError; what the signal is aborted with
 */
export async function allOf<T extends { id: number }>(
  read: (page: PageQuery) => Promise<{ records: T[]; total: number | null }>,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<T[]> {
  const all: T[] = [];
  for (let known = 0; ; ) {
    const last = all.at(-1);
    const page = await read({ limit: MAX_PAGE, ...(last && { before: last.id }) });
    signal.throwIfAborted();
    all.push(...page.records);
    known = Math.max(known, page.total ?? 0, all.length);
    onProgress(all.length, known);
    if (page.records.length < MAX_PAGE) return all;
  }
}
