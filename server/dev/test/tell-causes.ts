import { afterEach } from 'vitest';

/**
 * Adds the causes to a failure's message: a property prints its seed and world, and the error is
 * its cause, which the report leaves out.
 */
afterEach(({ task }) => {
  for (const error of task.result?.errors ?? []) {
    const cause = error.cause?.stack ?? error.cause?.message;
    if (cause) error.stack = `${error.stack ?? error.message}\nCaused by: ${cause}`;
  }
});
