/** How long after each failure a message is tried again, in seconds; after the last of them it is given up. */
export const RETRY_AFTER_S: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** How many failures of a message are followed by the pause that its receiver asked for, however short. */
const ASKED_COUNTS = 3;

/**
 * When a message is tried again.
 * @param failures how often it has failed, this time included
 * @param asked_s the pause that its receiver asked for: from the fourth failure on it only makes a pause longer, or whoever asks
 *   for a second each time would have the message given up within ten
 * @returns seconds from now; null: it is given up
 */
export function nextTryIn(failures: number, asked_s: number | null): number | null {
  const usual = RETRY_AFTER_S[failures - 1];
  if (usual === undefined) return null;
  if (asked_s === null) return usual;
  return failures <= ASKED_COUNTS ? asked_s : Math.max(asked_s, usual);
}
