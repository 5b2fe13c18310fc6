import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { isAll, isLong } from '../../server/dev/test/scope.ts';
import { FIREFOX_PATH } from './browsers.ts';

const leftOut = [...(isAll ? [] : [/@all\b/]), ...(isLong ? [] : [/@long/])];
/** Main flows. One browser for all: starting Firefox costs as much as most of them. */
const inFirefox = {
  name: 'firefox',
  grep: /@everywhere/,
  workers: 1,
  use: { browserName: 'firefox', channel: 'moz-firefox', viewport: { width: 1440, height: 900 } },
} as const;

/** Without motion, which Firefox shows: each frame of it is drawn by the processor. */
const inChromium = {
  name: 'chromium',
  use: { browserName: 'chromium', contextOptions: { reducedMotion: 'reduce' } },
} as const;

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  // On a machine that is busy with other things, too: what takes long there is no fault of the page.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  fullyParallel: true,
  grepInvert: leftOut,
  // Half of a test is waiting: for a server that starts, a page that loads, what is looked for again after a moment.
  workers: availableParallelism() + 2,
  forbidOnly: Boolean(process.env.CI),
  // A machine that is busy for seconds fails a test now and then; the report lists those that passed when tried again.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  use: {
    locale: 'en-GB',
    timezoneId: 'Europe/Madrid',
    // A trace photographs every page at every step, which doubles the time: `npm test -- e2e --trace on` takes one.
    screenshot: 'only-on-failure',
    // Service workers are blocked, so that tests see this build and this server; the test of the installed app allows them.
    serviceWorkers: 'block',
  },
  // Firefox first: its one worker needs most of the time that the others take for the rest.
  projects: [...(isAll && FIREFOX_PATH ? [inFirefox] : []), inChromium],
});
