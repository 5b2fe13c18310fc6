import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { z } from 'zod';
import { chromiumFlags } from '../../test/run/chromium/flags.mjs';
import { installTools } from '../../tools.ts';
import { median } from '../repeat.ts';
import { signIn } from './sign-in.ts';

const TOOLS = { lighthouse: '12.8.2' };

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
/** Repeat runs: other load on the machine makes one run unreliable. */
const RUNS = 5;
const START_MS = 30_000;

type Category = (typeof CATEGORIES)[number];
type Marks = Record<Category, number>;

const marksBy = (mark: (category: Category) => number): Marks => ({
  performance: mark('performance'),
  accessibility: mark('accessibility'),
  'best-practices': mark('best-practices'),
});

export interface LighthouseMarks {
  /** Medians of all runs, 0 to 100. */
  marks: Marks;
  /** The performance score of each run. */
  runs: number[];
  /** Failed audits of the last run. */
  wanting: string[];
}

/** Runs Lighthouse's mobile preset on the board, signed in with this key. */
export async function markBoard(
  url: string,
  key: string,
  say: (line: string) => void,
): Promise<LighthouseMarks> {
  const folder = await installTools('lighthouse', TOOLS, say);
  const program = path.join(folder, 'node_modules/lighthouse/cli/index.js');
  const runs: Run[] = [];
  for (let run = 0; run < RUNS; run++)
    runs.push(await withBrowser((endpoint) => markOnce({ program, endpoint, url, key })));
  return {
    marks: marksBy((category) => median(runs.map((run) => run.marks[category]))),
    runs: runs.map((run) => run.marks.performance),
    wanting: runs.at(-1)?.wanting ?? [],
  };
}

type Run = Omit<LighthouseMarks, 'runs'>;

/** https://github.com/GoogleChrome/lighthouse/blob/v12.8.2/docs/understanding-results.md */
const report = z.object({
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
  audits: z.record(
    z.string(),
    z.object({
      id: z.string(),
      score: z.number().nullable(),
      scoreDisplayMode: z.string(),
      displayValue: z.string().optional(),
    }),
  ),
});
/** In bytes. A report includes screenshots. */
const MAX_REPORT_SIZE = 64e6;

interface Marked {
  program: string;
  /** At which the browser is controlled. */
  endpoint: string;
  url: string;
  key: string;
}

async function markOnce({ program, endpoint, url, key }: Marked): Promise<Run> {
  // Without the session it would measure the verification page.
  await rememberMember(endpoint, url, key);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      program,
      url,
      `--port=${new URL(endpoint).port}`,
      '--disable-storage-reset',
      `--only-categories=${CATEGORIES.join(',')}`,
      '--output=json',
      '--quiet',
    ],
    { maxBuffer: MAX_REPORT_SIZE },
  );
  const { categories, audits } = report.parse(JSON.parse(stdout));
  const wanting = Object.values(audits)
    .filter(
      ({ score, scoreDisplayMode }) =>
        score !== null && score < 0.9 && scoreDisplayMode !== 'informative',
    )
    .map(({ id, displayValue }) => (displayValue ? `${id}: ${displayValue}` : id));
  return {
    marks: marksBy((category) => Math.round((categories[category]?.score ?? 0) * 100)),
    wanting,
  };
}

async function rememberMember(endpoint: string, url: string, key: string): Promise<void> {
  const browser = await chromium.connectOverCDP(endpoint);
  const page = (await browser.contexts()[0]?.newPage()) ?? (await browser.newPage());
  await signIn(page, url, key);
  await page.close();
  // This closes only the connection, not the browser.
  await browser.close();
}

/** A browser that no test framework drives: what does would be measured, too. @param use gets the address at which it is controlled */
async function withBrowser<T>(use: (endpoint: string) => Promise<T>): Promise<T> {
  const profile = await mkdtemp(path.join(tmpdir(), 'claimboard-lighthouse-'));
  const args = [
    '--headless=new',
    ...chromiumFlags,
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    'about:blank',
  ];
  const browser = spawn(process.env.CHROMIUM_PATH || chromium.executablePath(), args, {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Also emitted if the browser cannot be started.
  const ended = new Promise((done) => browser.once('close', done));
  try {
    return await use(await endpointOf(browser));
  } finally {
    browser.kill();
    await ended;
    // The browser's helper processes keep writing for a moment.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** @throws Error if the browser exits first */
function endpointOf(browser: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    browser.stderr?.on('data', (piece) => {
      output += String(piece);
      const [, endpoint] = /DevTools listening on (ws:\S+)/.exec(output) ?? [];
      if (!endpoint) return;
      clearTimeout(tooLate);
      resolve(endpoint);
    });
    const tooLate = setTimeout(
      () => reject(new Error(`Chromium cannot be reached: ${output}`)),
      START_MS,
    );
    browser.once('error', reject);
    browser.once('close', () => reject(new Error(`Chromium did not start: ${output}`)));
  });
}
