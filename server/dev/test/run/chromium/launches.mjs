/** Whether a browser does its work: one that only prints its version may still lack a library. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture } from '../../../setup/capture.mjs';
import { chromiumFlags } from './flags.mjs';

/** @param {string} browser @returns {Promise<string>} why it does not start, or '' */
export async function whyNotLaunching(browser) {
  const profile = mkdtempSync(join(tmpdir(), 'claimboard-chromium-'));
  const page = 'data:text/html,<h1>ready</h1>';
  try {
    const { ok, stdout, output, timedOut } = await capture(
      browser,
      [
        '--headless',
        ...chromiumFlags,
        '--disable-dev-shm-usage',
        `--user-data-dir=${profile}`,
        '--dump-dom',
        page,
      ],
      { timeout: 45_000 },
    );
    if (ok && stdout.includes('<h1>ready</h1>')) return '';
    if (timedOut) return 'it does not answer within 45 s';
    return output.split('\n')[0]?.slice(0, 300) || 'it ends without showing a page';
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  }
}
