/** Counts of wrong tries, each for a stretch of time from its first. */
export interface Tries {
  /** Counts one more; how many there were in this stretch with it, and the seconds until it is over. */
  count: (who: string) => { tries: number; seconds: number };
  /** How many are remembered. */
  size: () => number;
}

interface Counted {
  tries: number;
  until: number;
}

/** @param most how many are remembered; beyond it the one whose stretch began first is forgotten. */
export function createTries({ window_ms, most, now = Date.now }: { window_ms: number; most: number; now?: () => number }): Tries {
  // In the order in which the stretches end, since all are of one length.
  const remembered = new Map<string, Counted>();
  const forgetPast = (): void => {
    for (const [who, { until }] of remembered) {
      if (until > now()) return;
      remembered.delete(who);
    }
  };
  return {
    count: (who) => {
      forgetPast();
      const counted = remembered.get(who) ?? { tries: 0, until: now() + window_ms };
      counted.tries += 1;
      remembered.set(who, counted);
      const [oldest] = remembered.keys();
      if (remembered.size > most && oldest !== undefined) remembered.delete(oldest);
      return { tries: counted.tries, seconds: Math.max(1, Math.ceil((counted.until - now()) / 1_000)) };
    },
    size: () => remembered.size,
  };
}
