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
