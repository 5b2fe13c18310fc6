/**
 * Takes the README's pictures of a demo guild: `node client/e2e/take-screenshots.ts` after `npm run build`,
 * with CHROMIUM_PATH set where Playwright has no browser of its own.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumFlags } from '../../server/test/run/chromium/flags.mjs';

const OUT = path.resolve(import.meta.dirname, 'screenshots');
const server = (file: string): string => path.resolve(import.meta.dirname, '../../server', file);
const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'claimboard-pictures-'));
// In the middle of a hunting day, whenever the pictures are taken.
const SS_HOUR = String((new Date().getUTCHours() + 24 - 13) % 24);
const env = { ...process.env, DATA_DIR, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error', SS_TIME_ZONE: 'UTC', SS_HOUR };

const made = execFileSync(process.execPath, [server('demo/index.ts')], { env, encoding: 'utf8' });
const [, accessKey, characterName] = /access key: (\S+) \((.+)\)/.exec(made) ?? [];
const running = spawn(process.execPath, [server('index.mjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
// Also when a picture cannot be taken.
process.on('exit', () => running.kill());
const [printed]: unknown[] = await once(running.stdout, 'data');
const [, port] = /localhost:(\d+)/.exec(String(printed)) ?? [];
const url = `http://127.0.0.1:${port}`;

const executablePath = process.env.CHROMIUM_PATH;
const browser = await chromium.launch({ args: chromiumFlags, ...(executablePath ? { executablePath } : {}) });
for (const colorScheme of ['dark', 'light'] as const) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 960 },
    colorScheme,
    locale: 'en-GB',
    timezoneId: 'Europe/Madrid',
  });
  const profile = { characterName, memberType: 'member', accessKey, isVerified: true, createdAt: '' };
  await context.addCookies([{ name: 'access_key_demo', value: encodeURIComponent(JSON.stringify(profile)), url }]);
  const page = await context.newPage();
  await page.goto(`${url}/?show=claimed`);
  await page.getByRole('article').first().waitFor();
  await page.waitForTimeout(600);
  await page.screenshot({ path: path.join(OUT, `board-${colorScheme}.png`) });
  // The first day from tomorrow on, of which no hour is over, that the character has to claim on, and the spot where most is claimed then.
  const query = await page.evaluate(
    async ([key = '', name, today = '']) => {
      const answer = await fetch('/api/respawns', { headers: { 'X-Access-Key': key } });
      const respawns: { id: number; claims: { date: string; character_name: string }[] }[] = await answer.json();
      const claims = respawns.flatMap((respawn) => respawn.claims);
      const taken = new Set(claims.filter((claim) => claim.character_name === name).map((claim) => claim.date));
      const [date] = [...new Set(claims.map((claim) => claim.date))].filter((day) => day > today && !taken.has(day)).sort();
      const on = ({ claims }: (typeof respawns)[number]): number => claims.filter((claim) => claim.date === date).length;
      return `respawn=${respawns.sort((a, b) => on(b) - on(a))[0]?.id}&date=${date}`;
    },
    [accessKey, characterName, new Date().toISOString().slice(0, 10)],
  );
  await page.goto(`${url}/input?${query}`);
  const hours = page.getByRole('group', { name: /^Start hour/ });
  await hours.getByRole('button').first().waitFor();
  await hours.locator('button:not([aria-disabled="true"])').first().click();
  // Until the pressed button has its colour and its tip is gone.
  await page.mouse.move(0, 0);
  await page.waitForTimeout(600);
  await page.screenshot({ path: path.join(OUT, `claim-form-${colorScheme}.png`) });
  await page.goto(`${url}/?view=timeline&show=claimed`);
  await page.getByRole('grid').waitFor();
  await page.waitForTimeout(600);
  await page.screenshot({ path: path.join(OUT, `timeline-${colorScheme}.png`) });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${url}/?show=claimed`);
  await page.getByRole('article').first().waitFor();
  await page.waitForTimeout(600);
  await page.screenshot({ path: path.join(OUT, `phone-${colorScheme}.png`) });
  await context.close();
}
await browser.close();
running.kill('SIGTERM');
await once(running, 'exit');
rmSync(DATA_DIR, { recursive: true, force: true });
