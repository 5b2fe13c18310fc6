/** Store changed progress at most this often, in milliseconds. */
const PROGRESS_EVERY_MS = 500;
/** Renew a run this often even if it does not progress, in milliseconds: it is still alive. */
const RENEW_EVERY_MS = 10_000;

/**
 * Stores a run's progress periodically, so that other servers see that it is alive. Errors while storing are ignored.
 * @param store never called again before its promise settles
 * @returns a function that stops it
 */
export function keepRenewing<T>(progress: () => T, store: (progress: T) => Promise<unknown>): () => Promise<void> {
  let stored = '';
  let storedAt = performance.now();
  let storing: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    const now = progress();
    const text = JSON.stringify(now);
    if (storing || (text === stored && performance.now() - storedAt < RENEW_EVERY_MS)) return;
    [stored, storedAt] = [text, performance.now()];
    storing = store(now)
      .catch(() => {})
      .finally(() => {
        storing = null;
      });
  }, PROGRESS_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await storing;
  };
}
