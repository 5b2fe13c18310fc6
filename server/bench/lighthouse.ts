import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { chromiumFlags } from '../setup/chromium/flags.mjs';

/** Lighthouse's marks, 0 to 100, and what it found wanting. */
export interface LighthouseMarks {
  performance: number;
  accessibility: number;
  'best-practices': number;
  wanting: string[];
}

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const DEBUGGING_PORT = 9_333;

/** Lighthouse's mobile preset on the board, as the member whose key it is. */
export async function markBoard(url: string, key: string): Promise<LighthouseMarks> {
  const profile = await mkdtemp(path.join(tmpdir(), 'claimboard-lighthouse-'));
  const executablePath = process.env.CHROMIUM_PATH;
  const browser = await chromium.launchPersistentContext(profile, {
    args: [...chromiumFlags, `--remote-debugging-port=${DEBUGGING_PORT}`],
    ...(executablePath ? { executablePath } : {}),
  });
  try {
    const page = await browser.newPage();
    await page.goto(`${url}/login?type=access-key`);
    await page.getByLabel('Access key', { exact: true }).fill(key);
    await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click();
    await page.waitForURL(/submit-claims/);
    await page.close();
    // Without the session it would mark the page that asks visitors to verify.
    const result = await lighthouse(url, {
      port: DEBUGGING_PORT,
      disableStorageReset: true,
      onlyCategories: [...CATEGORIES],
      logLevel: 'error',
    });
    if (!result) throw new Error('Lighthouse gave no marks');
    const { categories, audits } = result.lhr;
    const mark = (name: (typeof CATEGORIES)[number]): number => Math.round((categories[name]?.score ?? 0) * 100);
    const wanting = Object.values(audits)
      .filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative')
      .map(({ id, displayValue }) => (displayValue ? `${id}: ${displayValue}` : id));
    return { performance: mark('performance'), accessibility: mark('accessibility'), 'best-practices': mark('best-practices'), wanting };
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  }
}
