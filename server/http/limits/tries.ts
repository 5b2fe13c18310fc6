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
  /** One that would end later than a stretch that begins now was begun by a clock that has been set back since. */
  const isOver = ({ until }: Counted): boolean => until <= now() || until > now() + window_ms;
  const forgetPast = (): void => {
    for (const [who, counted] of remembered) {
      if (!isOver(counted)) return;
      remembered.delete(who);
    }
  };
  return {
    count: (who) => {
      forgetPast();
      const before = remembered.get(who);
      if (before && isOver(before)) remembered.delete(who);
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
