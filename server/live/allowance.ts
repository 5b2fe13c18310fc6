/** So many of something in any stretch of so many milliseconds. */
export interface Allowance {
  /** Whether there is one left; takes it. */
  take: () => boolean;
  /** Resolves when one has come back. */
  whenBack: () => Promise<void>;
}

export function allowance(most: number, forMs: number): Allowance {
  let taken = 0;
  let waiting: (() => void)[] = [];
  const back = (): void => {
    taken -= 1;
    const told = waiting;
    waiting = [];
    for (const tell of told) tell();
  };
  return {
    take: () => {
      if (taken >= most) return false;
      taken += 1;
      setTimeout(back, forMs).unref();
      return true;
    },
    whenBack: () => new Promise((resolve) => waiting.push(resolve)),
  };
}
