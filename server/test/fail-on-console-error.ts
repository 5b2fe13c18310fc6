import { afterEach, beforeEach, expect, vi } from 'vitest';

// An unexpected console.error is a bug that nobody reads otherwise.
beforeEach(() => {
  vi.spyOn(console, 'error');
});
afterEach(() => {
  expect(vi.mocked(console.error).mock.calls).toEqual([]);
  vi.restoreAllMocks();
});
