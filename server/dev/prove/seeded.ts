/** Random choices that the same seed makes again (mulberry32). */
export interface Chance {
  /** A whole number from 0 to below the bound. */
  below: (bound: number) => number;
  oneOf: <T>(items: readonly T[]) => T;
  /** True once in so many times. */
  onceIn: (times: number) => boolean;
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    below,
    oneOf: <T>(items: readonly T[]): T => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('nothing to choose from');
      return item;
    },
    onceIn: (times) => below(times) === 0,
  };
}
