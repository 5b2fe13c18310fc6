/**
 * Takes the README's pictures of a demo guild: `node client/e2e/take-screenshots.ts` after `npm run build`,
 * with CHROMIUM_PATH set where Playwright has not installed a browser.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { chromiumFlags } from '../../server/dev/test/run/chromium/flags.mjs';

interface BoardSpot {
  id: number;
  claims: { date: string; character_name: string; hour_start: number; hour_end: number }[];
}

const OUT = path.resolve(import.meta.dirname, 'screenshots');
const server = (file: string): string => path.resolve(import.meta.dirname, '../../server', file);
const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'claimboard-pictures-'));
// In the middle of a hunting day, whenever the pictures are taken.
const SS_HOUR = String((new Date().getUTCHours() + 24 - 13) % 24);
const ADMIN_PASSWORD = 'for-the-pictures';
const env = {
  ...process.env,
  SETTINGS_FILE: '',
  DATA_DIR,
  PORT: '0',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'error',
  SS_TIME_ZONE: 'UTC',
  SS_HOUR,
  ADMIN_PASSWORD,
};

const made = execFileSync(
  process.execPath,
  [server('cli/demo/index.ts'), DATA_DIR, '--fill-only'],
  { env, encoding: 'utf8' },
);
const [, accessKey, characterName] = /access key: (\S+) \((.+)\)/.exec(made) ?? [];
const running = spawn(process.execPath, [server('main.ts')], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
// Also when a picture cannot be taken.
process.on('exit', () => running.kill());
const [printed]: unknown[] = await once(running.stdout, 'data');
const [, port] = /localhost:(\d+)/.exec(String(printed)) ?? [];
const url = `http://127.0.0.1:${port}`;

const executablePath = process.env.CHROMIUM_PATH;
const browser = await chromium.launch({
  args: chromiumFlags,
  ...(executablePath ? { executablePath } : {}),
});
const schemes = ['dark', 'light'] as const;

async function memberPage(colorScheme: (typeof schemes)[number]): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 960 },
    colorScheme,
    locale: 'en-GB',
    timezoneId: 'Europe/Madrid',
  });
  const profile = {
    characterName,
    memberType: 'member',
    accessKey,
    isVerified: true,
    createdAt: '',
  };
  await context.addCookies([
    { name: 'access_key_demo', value: encodeURIComponent(JSON.stringify(profile)), url },
  ]);
  return context.newPage();
}

/** Until what came is drawn, and nothing moves any more. */
async function take(page: Page, picture: string): Promise<void> {
  await page.waitForTimeout(600);
  await page.screenshot({ path: path.join(OUT, `${picture}.png`) });
}

for (const colorScheme of schemes) {
  const page = await memberPage(colorScheme);
  await page.goto(`${url}/?show=claimed`);
  await page.getByRole('article').first().waitFor();
  await take(page, `board-${colorScheme}`);
  // The first day from tomorrow on without a claim of the character, and its spot with the most claims.
  const query = await page.evaluate(
    async ([key = '', name, today = '']) => {
      const answer = await fetch('/api/respawns', { headers: { 'X-Access-Key': key } });
      const respawns: { id: number; claims: { date: string; character_name: string }[] }[] =
        await answer.json();
      const claims = respawns.flatMap((respawn) => respawn.claims);
      const taken = new Set(
        claims.filter((claim) => claim.character_name === name).map((claim) => claim.date),
      );
      const [date] = [...new Set(claims.map((claim) => claim.date))]
        .filter((day) => day > today && !taken.has(day))
        .sort();
      const on = ({ claims }: (typeof respawns)[number]): number =>
        claims.filter((claim) => claim.date === date).length;
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
  await take(page, `claim-form-${colorScheme}`);
  await page.goto(`${url}/?view=timeline&show=claimed`);
  await page.getByRole('grid').waitFor();
  await take(page, `timeline-${colorScheme}`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${url}/?show=claimed`);
  await page.getByRole('article').first().waitFor();
  await take(page, `phone-${colorScheme}`);
  await page.context().close();
}

// Last, because an offer shows on every page: of two taken ranges one is fully taken, the other has a free hour.
await fetch(`${url}/api/respawns`, { headers: { 'X-Access-Key': accessKey ?? '' } })
  .then((answer) => answer.json())
  .then(async (respawns: BoardSpot[]) => {
    const claims = respawns.flatMap(({ id, claims }) =>
      claims.map((claim) => ({ ...claim, respawn_id: id })),
    );
    const own = new Set(
      claims.filter((claim) => claim.character_name === characterName).map(({ date }) => date),
    );
    const today = new Date().toISOString().slice(0, 10);
    const ofOthers = claims.filter(
      ({ date, hour_end }) => date > today && !own.has(date) && hour_end <= 22,
    );
    const all = ofOthers.map(({ respawn_id, date, hour_start, hour_end }) => ({
      respawn_id,
      date,
      hour_start,
      hour_end,
    }));
    const half = ofOthers.map(({ respawn_id, date, hour_end }) => ({
      respawn_id,
      date,
      hour_start: hour_end - 1,
      hour_end: hour_end + 2,
    }));
    await firstWait(all, 'waiting');
    await firstWait(half, 'offered');
  });

/** Joins the waitlist for the first of several ranges that allows it. */
async function firstWait(stretches: readonly object[], wanted: string): Promise<void> {
  for (const stretch of stretches) {
    const headers = { 'Content-Type': 'application/json', 'X-Access-Key': accessKey ?? '' };
    const answer = await fetch(`${url}/api/waits`, {
      method: 'POST',
      headers,
      body: JSON.stringify(stretch),
    });
    const { data }: { data?: { id: number; status: string } } = await answer.json();
    if (data?.status === wanted) return;
    if (data) await fetch(`${url}/api/waits/${data.id}`, { method: 'DELETE', headers });
  }
  throw new Error(`no stretch of which one is ${wanted}`);
}

for (const colorScheme of schemes) {
  const page = await memberPage(colorScheme);
  await page.goto(`${url}/mine`);
  await page
    .getByRole('button', { name: /^Take hours/ })
    .first()
    .waitFor();
  await take(page, `mine-${colorScheme}`);
  await page.goto(`${url}/statistics`);
  await page.getByRole('img').first().waitFor();
  await take(page, `statistics-${colorScheme}`);
  await page.setViewportSize({ width: 390, height: 844 });
  // Reload: the narrow layout is chosen at the start.
  await page.reload();
  await page.getByRole('img').first().waitFor();
  await take(page, `statistics-phone-${colorScheme}`);
  await page.goto(`${url}/mine`);
  await page
    .getByRole('button', { name: /^Take hours/ })
    .first()
    .waitFor();
  await take(page, `mine-phone-${colorScheme}`);
  await page.context().close();
}

for (const colorScheme of schemes) {
  const page = await browser.newPage({
    viewport: { width: 1440, height: 960 },
    colorScheme,
    locale: 'en-GB',
    timezoneId: 'Europe/Madrid',
  });
  const answer = await page.request.post(`${url}/api/login`, {
    data: { username: 'admin', password: ADMIN_PASSWORD },
  });
  const { data } = await answer.json();
  await page.addInitScript((token) => localStorage.setItem('adminToken', token), data.token);
  await page.goto(`${url}/admin/dashboard/settings/notifications`);
  await page.getByRole('button', { name: 'Add channel' }).click();
  // Only typed: nothing is sent there.
  await page.getByLabel('Address').fill('https://discord.com/api/webhooks/1234567890/secret');
  await take(page, `notifications-${colorScheme}`);
  await page.close();
}
await browser.close();
running.kill('SIGTERM');
await once(running, 'exit');
rmSync(DATA_DIR, { recursive: true, force: true });
