import { createTries, type Tries } from '../../http/limits/tries.ts';

/** The stretch in which a character's tests are counted together, in milliseconds. */
const TESTS_WINDOW_MS = 5 * 60_000;
/** Characters whose tests are remembered. */
const MOST_REMEMBERED = 10_000;

/** Counts the test notices that members have sent to themselves. */
export const countPushTests = (): Tries => createTries({ window_ms: TESTS_WINDOW_MS, most: MOST_REMEMBERED });
