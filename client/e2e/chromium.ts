import type { LaunchOptions } from '@playwright/test';
import { chromiumFlags } from '../../server/dev/test/run/chromium/flags.mjs';

/**
 * What costs a test's browser processor time and shows a test nothing. No function is optimised: no page of a test lives so long that it
 * would pay. What draws is a thread of the browser, instead of one more process beside it.
 */
const lean = ['--js-flags=--no-maglev --no-opt', '--in-process-gpu'];
const executablePath = process.env.CHROMIUM_PATH;

const launchedWith = (flags: string[]): LaunchOptions => ({
  args: [...chromiumFlags, ...lean, ...flags],
  ...(executablePath ? { executablePath } : {}),
});

/** For tests about pictures, and about what a page may load: `test.use({ launchOptions: withPictures })`. */
export const withPictures = launchedWith([]);

/**
 * For all the others. A board has 150 animated pictures of spots, which take the same space with and without pixels in them: to fetch,
 * decode and move them is a fifth of what a test costs.
 */
export const withoutPictures = launchedWith(['--blink-settings=imagesEnabled=false']);
