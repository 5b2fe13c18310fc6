import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { inTurn } from '../../../../lib/in-turn.ts';
import { type EarlierClaims, NO_CLAIMS, readEarlier } from './earlier-claims.ts';

export type Loaded = { status: 'loading' } | { status: 'ready' } | { status: 'failed'; error: unknown };

interface Wanted {
  /** False: nothing is read. */
  wanted: boolean;
  /** The last server-save date. */
  to: string;
  /** Moves with each change to these claims: they are read anew. */
  lastChange: number;
}

export interface KnownEarlier {
  earlier: EarlierClaims;
  loaded: Loaded;
  askAgain: () => void;
  /** Reads more of them. @throws ApiError; what the signal is aborted with */
  readMore: (signal: AbortSignal) => Promise<void>;
}

/** Several changes often come at once. */
const SETTLE_MS = 300;
/** As many claims are read unasked, and as many more on demand. */
const READ_AHEAD = 10_000;

/** The newest earlier claims, read anew with each change to them: one reading at a time, and one more for all that changed meanwhile. */
export function useEarlierClaims({ wanted, to, lastChange }: Wanted): KnownEarlier {
  const [earlier, setEarlier] = useState(NO_CLAIMS);
  const [loaded, setLoaded] = useState<Loaded>({ status: 'loading' });
  const [tries, setTries] = useState(0);
  const known = useRef(NO_CLAIMS);
  const [take] = useState(inTurn);
  const reread = useRef<(() => void) | null>(null);
  const keep = (claims: EarlierClaims): void => {
    known.current = claims;
    setEarlier(claims);
  };
  const load = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    try {
      // As many as one has before one, so that a change takes nothing off the screen.
      keep(await readEarlier(NO_CLAIMS, { to, most: Math.max(READ_AHEAD, known.current.count), signal }));
      setLoaded({ status: 'ready' });
    } catch (error) {
      if (!signal.aborted) setLoaded({ status: 'failed', error });
    }
  });

  useEffect(() => {
    if (!wanted) return;
    const abort = new AbortController();
    let isWaiting = false;
    reread.current = () => {
      if (isWaiting) return;
      isWaiting = true;
      void take(async () => {
        await new Promise((settled) => setTimeout(settled, SETTLE_MS));
        isWaiting = false;
        if (!abort.signal.aborted) await load(abort.signal);
      });
    };
    return () => {
      reread.current = null;
      abort.abort();
    };
  }, [wanted, take]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new day, a change and another try are reasons to ask anew
  useEffect(() => reread.current?.(), [wanted, to, lastChange, tries]);

  return {
    earlier,
    loaded,
    askAgain: () => {
      setLoaded({ status: 'loading' });
      setTries((count) => count + 1);
    },
    // In its turn: what it reads on from is not read anew meanwhile.
    readMore: (signal) => take(async () => keep(await readEarlier(known.current, { to, most: known.current.count + READ_AHEAD, signal }))),
  };
}
