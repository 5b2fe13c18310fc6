import { once } from './once.ts';

/** What no page waits for is loaded and begun so long after the start, in milliseconds, unless somebody asks for it before. */
export const LATER_MS = 500;

export interface Later<T> {
  /** Begins it now, if it was not. @throws whatever beginning throws; the next one who asks tries again */
  get: () => Promise<T>;
  /** Does not begin it any more. @returns what was begun; null: nothing */
  stop: () => Promise<T | null>;
}

/**
 * Begins something a moment after the start, or when it is first asked for: a start that loads less is a shorter one.
 * @param failed is told why it could not be begun by itself
 */
export function later<T>(begin: () => Promise<T>, failed: (error: unknown) => void, afterMs = LATER_MS): Later<T> {
  const shared = once(begin);
  let begun: Promise<T> | null = null;
  const get = (): Promise<T> => {
    begun = shared();
    return begun;
  };
  const timer = setTimeout(() => void get().catch(failed), afterMs).unref();
  return {
    get,
    stop: async () => {
      clearTimeout(timer);
      return begun?.catch(() => null) ?? null;
    },
  };
}
