import { vi } from 'vitest';

/** The default limit of a second would fail on a busy machine. In milliseconds. */
const PATIENCE_MS = 60_000;

interface Limits {
  timeout?: number;
  interval?: number;
}
const patient = (limits: number | Limits = {}): Limits => ({
  timeout: PATIENCE_MS,
  ...(typeof limits === 'number' ? { timeout: limits } : limits),
});

// Vitest has a setting for `expect.poll`, and none for these. Once, where files of tests share their modules.
if (vi.waitFor.name !== 'waitPatiently') {
  const { waitFor, waitUntil } = vi;
  vi.waitFor = function waitPatiently(callback, limits) {
    return waitFor(callback, patient(limits));
  };
  vi.waitUntil = (callback, limits) => waitUntil(callback, patient(limits));
}
