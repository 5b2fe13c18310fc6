import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PageQuery } from '../../../../shared/schemas/fields.ts';

/** How many records a page has. */
const PAGE = 100;

export interface Pages<T> {
  status: 'loading' | 'ready' | 'failed';
  /** What the last page failed with. */
  error: unknown;
  /** What is here, in the order in which the pages came. */
  records: readonly T[];
  /** How many there are in all, as the first page said. */
  total: number;
  /** How many of them are here: records of one id, as a split claim's parts, are one. */
  count: number;
  /** Reads the next page; after a failure the same one again. */
  load: () => Promise<void>;
}

/** A list that nothing changes any more, read page by page, the newest first, as far as somebody wants it. */
export function usePages<T extends { id: number }>(
  read: (page: PageQuery, signal: AbortSignal) => Promise<{ records: T[]; total: number | null }>,
): Pages<T> {
  const [pages, setPages] = useState<Omit<Pages<T>, 'load' | 'count'>>({ status: 'loading', error: null, records: [], total: 0 });
  const running = useRef<AbortController | null>(null);
  const ids = new Set(pages.records.map(({ id }) => id));

  const load = async (): Promise<void> => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    setPages((before) => ({ ...before, status: 'loading', error: null }));
    try {
      const page = await read({ limit: PAGE, ...(ids.size > 0 && { before: Math.min(...ids) }) }, abort.signal);
      setPages(({ records, total }) => ({
        status: 'ready',
        error: null,
        records: [...records, ...page.records],
        total: page.total ?? total,
      }));
    } catch (error) {
      if (!abort.signal.aborted) setPages((before) => ({ ...before, status: 'failed', error }));
    }
  };

  const loadFirst = useEffectEvent(load);
  useEffect(() => {
    void loadFirst();
    return () => running.current?.abort();
  }, []);
  return { ...pages, count: ids.size, load };
}
