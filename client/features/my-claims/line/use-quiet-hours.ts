import { useEffect, useEffectEvent, useState } from 'react';
import type { QuietHours } from '../../../../shared/rules/quiet-hours.ts';
import { getPushPreferences } from '../../../api/calls.ts';
import { useBoard } from '../../../state/board-store.ts';

type ByKey = ReadonlyMap<string, QuietHours>;

/**
 * The quiet hours that characters have chosen, by their access keys: nobody else is told, so the board does not know them. Asked
 * anew when the connection is back; what cannot be had is left out.
 */
export function useQuietHours(access_keys: readonly string[]): ByKey {
  const [known, setKnown] = useState<ByKey>(new Map());
  const isOffline = useBoard((board) => board.connection === 'offline');
  const asked = [...new Set(access_keys)].sort().join(' ');
  const load = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    const all = await Promise.all(
      asked.split(' ').map(async (key): Promise<[string, QuietHours][]> => {
        const hours = await getPushPreferences(key, signal).catch(() => null);
        return hours ? [[key, hours]] : [];
      }),
    );
    if (!signal.aborted) setKnown(new Map(all.flat()));
  });
  useEffect(() => {
    if (asked === '' || isOffline) return;
    const abort = new AbortController();
    void load(abort.signal);
    return () => abort.abort();
  }, [asked, isOffline]);
  return known;
}
