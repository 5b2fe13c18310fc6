import { defineConfig } from 'vitest/config';
import { TESTS } from './scope.ts';

/** Without the projects of the usual configuration and without PostgreSQL: each mutant runs the tests that reach it, on SQLite. */
export default defineConfig({
  test: {
    include: [...TESTS],
    isolate: false,
    setupFiles: ['server/dev/prove/mutation/short-properties.ts'],
    // A write that is never answered fails its test, which costs less than Stryker's time limit and a new process.
    testTimeout: 10_000,
  },
});
