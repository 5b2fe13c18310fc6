/** Random numbers that a seed repeats. */
export interface Chance {
  /** A whole number from 0 to `n` - 1. */
  below: (n: number) => number;
}

/** Mulberry32: small, fast, and good enough to choose by. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { below: (n) => Math.floor(next() * n) };
}
