import { useEffect, useEffectEvent, useState } from 'react';
import type { Ending } from '../../../../shared/schemas/ending.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { getMyEndings } from '../../../api/calls.ts';
import type { Profile } from '../../../state/saved-profiles.ts';

export interface MyPast {
  /** `loading`: for the first time. What was read before stays while it is read anew. */
  status: 'loading' | 'ready' | 'failed';
  /** Why it could not be read for one of the characters; the others' are here. */
  error: unknown;
  endings: readonly Ending[];
  waits: readonly Wait[];
  askAgain: () => void;
}

/**
 * What became of the claims and waits of some characters, each asked for by its key.
 * @param seen changes when something of theirs has ended: it is read anew
 */
export function useMyEndings(profiles: readonly Profile[], days: number, seen: string): MyPast {
  const [past, setPast] = useState<Omit<MyPast, 'askAgain'>>({ status: 'loading', error: null, endings: [], waits: [] });
  const [tries, setTries] = useState(0);
  const keys = profiles.map((profile) => profile.accessKey).join(' ');

  const read = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    const answers = await Promise.allSettled(profiles.map(({ accessKey }) => getMyEndings(days, accessKey, signal)));
    if (signal.aborted) return;
    const come = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const failed = answers.find((answer) => answer.status === 'rejected');
    setPast((before) => ({
      status: failed ? 'failed' : 'ready',
      error: failed?.reason ?? null,
      // A network that fails takes nothing away that was here.
      endings: come.length > 0 ? come.flatMap(({ endings }) => endings) : before.endings,
      waits: come.length > 0 ? come.flatMap(({ waits }) => waits) : before.waits,
    }));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are the reasons to read it anew
  useEffect(() => {
    const abort = new AbortController();
    void read(abort.signal);
    return () => abort.abort();
  }, [keys, days, seen, tries]);
  return { ...past, askAgain: () => setTries((before) => before + 1) };
}
