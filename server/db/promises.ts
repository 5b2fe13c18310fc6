/**
 * Waits for `work`, but no longer than this. When the process itself was busy all the while, what has arrived meanwhile
 * is looked at before it counts as late.
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

/** Does something once, for all who ask. Where it fails, all who wait are told why, and the next one who asks has it tried again. */
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
