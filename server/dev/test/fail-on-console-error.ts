import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest';

let errors: MockInstance;

// An unexpected console.error is a bug; tests fail on it.
beforeEach(() => {
  errors = vi.spyOn(console, 'error');
});
afterEach(() => {
  expect(errors.mock.calls).toEqual([]);
  errors.mockRestore();
});
