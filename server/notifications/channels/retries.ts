/** How long after each failure a message is tried again, in seconds; after the last of them it is given up. */
export const RETRY_AFTER_S: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** How often a message waits as its receiver asks, however short that is, before each try is one of the schedule's. */
const MOST_ASKED = 3;

/** How often a message has failed, this time included, and how many of the times before its receiver said when to try again. */
interface Failures {
  attempts: number;
  asked_to_wait: number;
}

/** When a message is tried again, in seconds from now; null: it is given up. */
interface Next {
  seconds: number | null;
  asked_to_wait: number;
}

/**
 * When a message is tried again. The first times that its receiver asks for a pause are no turns of the schedule; later such a
 * pause only makes the schedule's longer, or whoever asks for a second each time would be sent to for ever.
 * @param asked_s the pause that its receiver asks for now
 */
export function nextTry({ attempts, asked_to_wait }: Failures, asked_s: number | null): Next {
  if (asked_s !== null && asked_to_wait < MOST_ASKED) return { seconds: asked_s, asked_to_wait: asked_to_wait + 1 };
  const usual = RETRY_AFTER_S[attempts - asked_to_wait - 1];
  return { seconds: usual === undefined ? null : Math.max(asked_s ?? 0, usual), asked_to_wait };
}
