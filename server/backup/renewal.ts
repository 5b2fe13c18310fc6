/** Store changed progress at most this often, in milliseconds. */
const PROGRESS_EVERY_MS = 500;
/** Renew a run this often even if it does not progress, in milliseconds: it is still alive. */
const RENEW_EVERY_MS = 10_000;

/**
 * Stores now and then how far a run is, so that every server can tell, and that it is alive. A failure to store it is ignored.
 * @param progress read at each turn
 * @param store not called again before it is done
 * @returns what ends it
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
