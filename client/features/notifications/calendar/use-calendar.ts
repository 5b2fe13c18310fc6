import { useEffect, useEffectEvent, useState } from 'react';
import type { CalendarState } from '../../../../shared/schemas/calendar.ts';
import { deleteCalendar, getCalendar, postCalendar } from '../../../api/calls.ts';
import type { Language } from '../../../i18n.ts';
import type { Profile } from '../../../state/saved-sessions.ts';

export interface Calendar {
  status: 'loading' | 'ready' | 'failed';
  error: unknown;
  /** null: none is made. */
  made_at: string | null;
  /** Where it is, as long as it is shown: the server tells it once. */
  url: string | null;
  tryAgain: () => void;
  /** @throws ApiError */
  make: (language: Language) => Promise<void>;
  /** @throws ApiError */
  revoke: () => Promise<void>;
}

type Known = Pick<Calendar, 'status' | 'error' | 'made_at' | 'url'>;

const nothing: Known = { status: 'loading', error: null, made_at: null, url: null };
const known = ({ made_at }: Pick<CalendarState, 'made_at'>, url: string | null): Known => ({
  ...nothing,
  status: 'ready',
  made_at,
  url,
});

/** A character's calendar, as the server has it. */
export function useCalendar({ accessKey }: Profile): Calendar {
  const [calendar, setCalendar] = useState<Known>(nothing);
  const [tries, setTries] = useState(0);
  const read = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    setCalendar(nothing);
    try {
      const state = await getCalendar(accessKey, signal);
      if (!signal.aborted) setCalendar(known(state, null));
    } catch (error) {
      if (!signal.aborted) setCalendar({ ...nothing, status: 'failed', error });
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are the reasons to read it anew
  useEffect(() => {
    const abort = new AbortController();
    void read(abort.signal);
    return () => abort.abort();
  }, [accessKey, tries]);
  return {
    ...calendar,
    tryAgain: () => setTries((before) => before + 1),
    make: async (language) => {
      const { url } = await postCalendar(language, accessKey);
      // A server that does not know its public address answers a path.
      setCalendar(known({ made_at: new Date().toISOString() }, new URL(url, location.origin).href));
    },
    revoke: async () => {
      await deleteCalendar(accessKey);
      setCalendar(known({ made_at: null }, null));
    },
  };
}
