import { useEffect, useEffectEvent, useState } from 'react';
import type { Statistics, StatisticsQuery } from '../../../shared/schemas/statistics.ts';
import { getStatistics } from '../../api/calls.ts';
import { useBoard } from '../../state/board-store.ts';

export interface ReadStatistics {
  /** `loading`: what was asked last is on its way; what was answered before stays. */
  status: 'loading' | 'ready' | 'failed';
  error: unknown;
  statistics: Statistics | null;
  askAgain: () => void;
}

/**
 * Reads the statistics, anew for another question and when the connection is back.
 * @param query null: nothing can be asked now, and what was answered stays
 */
export function useStatistics(query: StatisticsQuery | null): ReadStatistics {
  const [answer, setAnswer] = useState<Omit<ReadStatistics, 'askAgain'>>({ status: 'loading', error: null, statistics: null });
  const [tries, setTries] = useState(0);
  const isLive = useBoard((board) => board.connection === 'live');
  const question = query && JSON.stringify(query);

  const read = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    if (query === null) return;
    setAnswer((before) => ({ ...before, status: 'loading' }));
    try {
      const statistics = await getStatistics(query, signal);
      if (!signal.aborted) setAnswer({ status: 'ready', error: null, statistics });
    } catch (error) {
      if (!signal.aborted) setAnswer((before) => ({ ...before, status: 'failed', error }));
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are the reasons to read it anew
  useEffect(() => {
    const abort = new AbortController();
    void read(abort.signal);
    return () => abort.abort();
  }, [question, isLive, tries]);
  return { ...answer, askAgain: () => setTries((before) => before + 1) };
}
