/**
 * Waits for `work`, but no longer than this. If the process itself was busy, an answer that has arrived by then still counts.
 * @returns whether it was done in time
 * @throws what `work` throws in time
 */
export async function inTime(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => setImmediate(() => setImmediate(() => resolve(false))), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs `fn` once and shares the promise; a rejection clears it, so that the next call retries. */
export function once<T>(begin: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | null = null;
  return () => {
    begun ??= begin().catch((error: unknown) => {
      begun = null;
      throw error;
    });
    return begun;
  };
}
