import { createTries, type Tries } from './tries.ts';

/** The stretch in which wrong keys, and wrong passwords, are counted together, in milliseconds. */
const WINDOW_MS = 5 * 60_000;
/** Who is remembered for wrong tries. */
const MOST_REMEMBERED = 10_000;

/** Counts wrong tries of keys, or of passwords. */
export const countWrongTries = (): Tries => createTries({ window_ms: WINDOW_MS, most: MOST_REMEMBERED });
