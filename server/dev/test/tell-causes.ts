import { afterEach } from 'vitest';

/**
 * What a failure was caused by belongs to what it says: a property tells its seed and the world, and what went wrong there is
 * its cause, which the report that the failures are told from leaves out.
 */
afterEach(({ task }) => {
  for (const error of task.result?.errors ?? []) {
    const cause = error.cause?.stack ?? error.cause?.message;
    if (cause) error.stack = `${error.stack ?? error.message}\nCaused by: ${cause}`;
  }
});
