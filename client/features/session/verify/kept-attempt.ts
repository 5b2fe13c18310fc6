import { tabStore } from '../../../lib/storage.ts';

/** A check that runs goes on where it was when its page is loaded anew; another tab does not start one of its own. */

const KEY = 'verificationCheck';

interface Kept {
  code: string;
  /** The attempt that was made last. */
  attempt: number;
}

export function keepAttempt(kept: Kept): void {
  tabStore.setItem(KEY, JSON.stringify(kept));
}

export function dropAttempt(): void {
  tabStore.removeItem(KEY);
}

/** The attempt that was made last for a code, or null when no check of it runs. */
export function keptAttempt(code: string): number | null {
  try {
    const kept: Partial<Kept> | null = JSON.parse(tabStore.getItem(KEY) ?? 'null');
    return kept?.code === code && Number.isInteger(kept.attempt) ? (kept.attempt ?? null) : null;
  } catch {
    return null;
  }
}
