/** The suites of `npm test -- unit`, on the client's build. It is apart from that, which `npm start` runs without the test packages. */

import { availableParallelism } from 'node:os';
import { mergeConfig } from 'vite';
import { defineConfig } from 'vitest/config';
import build from '../../../../vite.config.ts';
import { isAll, isLong } from '../scope.ts';

const setupFiles = [
  'server/dev/test/wait-patiently.ts',
  'server/dev/test/tell-causes.ts',
  'server/dev/test/fail-on-console-error.ts',
];
const server = {
  root: '.',
  globalSetup: ['server/dev/test/make-templates.ts'],
  // Time limits only end tests that hang: with six busy processes beside them, tests take ten times as long.
  testTimeout: 180_000,
  hookTimeout: 180_000,
};
/**
 * Tests that mock modules, count global objects or load the process heavily. All other server tests share a process: a separate one
 * costs two seconds of CPU time.
 */
const isolated = 'server/**/*.isolated.test.ts';
/** Tests of minutes; isolated, too. */
const long = 'server/**/*.long.test.ts';
/**
 * Only in `npm run test:all`: random worlds, storms, tens of thousands of claims, the proofs' short runs and the tools' own tests.
 * `npm test` has an example of each rule that they try.
 */
const random = [
  'server/**/*{worlds,storm,convergence,big-deletions}*.test.ts',
  'server/dev/**/*.test.ts',
];
const leftOut = isAll ? [] : random;

/** Tests that set Happy DOM's clock or address, which doesn't work with several windows in one process. */
const ownProcess = [
  'client/state/{pending-verifications,session-store}.test.ts',
  'client/features/shell/profile-menu.test.tsx',
];
const client = {
  root: '.',
  // A process that lives for seconds spends a fifth of its CPU time on optimising code that it hardly runs, and as much on full garbage
  // collections while its heap is smaller than this (in MB).
  execArgv: ['--no-opt', '--initial-old-space-size=600'],
  environment: 'happy-dom',
  include: ['client/**/*.test.{ts,tsx}'],
  setupFiles: [...setupFiles, 'client/test-setup.ts'],
  testTimeout: 180_000,
};

export default mergeConfig(
  build,
  defineConfig({
    test: {
      root: '.',
      // More than cores, as tests often wait for a database. By default one core would stay idle.
      maxWorkers: availableParallelism() + 2,
      // In MB. Tests create many short-lived objects; fewer minor collections save up to a tenth of the CPU time.
      execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64'],
      // The default of one second is too short on a busy machine.
      expect: { poll: { timeout: 60_000 } },
      // A CI machine may be busy for seconds. A property is not tried again: it would draw other cases.
      retry: { count: process.env.CI ? 1 : 0, condition: /^(?!Property failed)/ },
      projects: [
        // Pure functions, which need no isolation.
        {
          extends: true,
          test: {
            name: 'rules',
            root: '.',
            include: ['shared/**/*.test.ts'],
            isolate: false,
            setupFiles,
            testTimeout: 180_000,
          },
        },
        {
          extends: true,
          test: {
            ...server,
            name: 'server shared',
            include: ['server/**/*.test.ts'],
            exclude: [isolated, long, ...leftOut],
            isolate: false,
            setupFiles: [...setupFiles, 'server/dev/test/count-from-one.ts'],
          },
        },
        {
          extends: true,
          test: {
            ...server,
            name: 'server',
            include: isLong ? [isolated, long] : [isolated],
            exclude: leftOut,
            setupFiles,
          },
        },
        // A separate window and module graph per file, but not a process: starting one takes longer than most files.
        {
          extends: true,
          test: {
            ...client,
            name: 'client',
            exclude: ownProcess,
            pool: 'vmForks',
            vmMemoryLimit: '1GB',
          },
        },
        { extends: true, test: { ...client, name: 'client apart', include: ownProcess } },
      ],
    },
  }),
);
