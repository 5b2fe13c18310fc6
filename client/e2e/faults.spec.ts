import type { Page } from '@playwright/test';
import { portalPage } from '../../server/dev/test/web-fault-proxy.ts';
import {
  BOARD_OF_CLAIMS,
  type Claimboard,
  expect,
  goInApp,
  LONG,
  serverSaveNow,
  signInAsAdmin,
  signInWithKey,
  tagged,
  test,
} from './fixtures.ts';

const SETTINGS = /^\/api\/config/;
const LIVE = /^\/socket\.io/;
const PORTAL = /^\/(api|socket\.io)\//;

test('a hotel’s page that refuses everything deletes no key', async ({ board, network, page }) => {
  await board.anActiveEvent();
  const key = await board.aKey('Sable Quinn');
  await signInWithKey(page, network.url, key.key_value, BOARD_OF_CLAIMS);
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 20_000 });

  network.fault(PORTAL, portalPage(403));
  network.fault(LIVE, 'cut');
  await expect(page.getByText('Offline', { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('heading', { name: /Vouchers from/ })).toBeVisible();
  // At a start, too: every saved key is checked then.
  await page.reload();
  await expect(page.getByRole('button', { name: /Sable Quinn/ })).toBeVisible();

  network.heal();
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('heading', { name: /Vouchers from/ })).toBeVisible();
});

for (const [status, tag] of [
  [401, ''],
  [403, LONG],
  [502, LONG],
] as const) {
  test(
    `a proxy’s ${status} page leaves the admin signed in`,
    tagged(tag),
    async ({ network, page }) => {
      await signInAsAdmin(page, network.url);
      await expect(page.getByRole('heading', { name: /Admin Dashboard/ })).toBeVisible();
      network.fault(PORTAL, portalPage(status));
      await page.reload();
      await expect(page.getByRole('heading', { name: /Admin Dashboard/ })).toBeVisible();
      network.heal();
      await page.reload();
      await expect(page.getByRole('button', { name: 'Create event' })).toBeVisible();
      expect(await page.evaluate(() => localStorage.getItem('adminToken'))).not.toBeNull();
    },
  );
}

test('the server-save clock is right although the first question for it failed', async ({
  board,
  network,
  page,
}) => {
  await board.anActiveEvent();
  network.fault(SETTINGS, portalPage(502));
  await signInWithKey(
    page,
    network.url,
    (await board.aKey('Sable Quinn')).key_value,
    BOARD_OF_CLAIMS,
  );
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 20_000 });
  network.heal();
  await expect(page.getByRole('button', { name: /^SS\+0 / })).toBeVisible({ timeout: 20_000 });
});

test.describe('a public board', () => {
  test.use({ env: { BOARD_VISIBILITY: 'public' } });

  test('opens even if the first setup request failed', async ({ board, network, page }) => {
    await board.anActiveEvent();
    network.fault(SETTINGS, portalPage(502));
    const refused = page.waitForResponse((answer) => answer.url().endsWith('/api/config'));
    await page.goto(network.url);
    expect((await refused).status()).toBe(502);
    await expect(page.getByText('Verification required')).toBeVisible();
    network.heal();
    await expect(page.getByRole('heading', { name: /Vouchers from/ })).toBeVisible({
      timeout: 20_000,
    });
    await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 20_000 });
  });
});

async function claim(board: Claimboard, name: string, hour_start = 8): Promise<void> {
  const { key_value } = await board.aKey(name);
  const claims = [
    {
      respawn_id: 3,
      character_name: name,
      hour_start,
      hour_end: hour_start + 4,
      date: serverSaveNow().date,
    },
  ];
  const body = JSON.stringify({ access_key: key_value, claims });
  const answer = await fetch(`${board.url}/api/claims`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  expect(answer.status).toBe(201);
}

test.describe('a live connection that freezes', () => {
  /** Advances the page's clock step by step: a leap would look like a computer that slept, and reconnect at once. */
  const passes = (page: Page, seconds: number): Promise<void> => page.clock.runFor(seconds * 1000);
  /** Left alone, a connection would call itself live for 28 s. */
  const BEFORE_THAT = 17;
  const ON_TIME = { timeout: 5_000 };
  /** A call without an answer is given up after this. */
  const CALL_GIVEN_UP = 18;
  /** Attempts to connect over what has frozen are given up one after the other, until one is made over what has not. */
  const comesBack = (page: Page): Promise<void> =>
    expect(async () => {
      await passes(page, 5);
      await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 1000 });
    }).toPass({ timeout: 60_000 });

  test('is not called live, and the board is read every ten seconds until it is back', async ({
    board,
    network,
    page,
  }) => {
    await board.anActiveEvent();
    await page.clock.install();
    await signInWithKey(
      page,
      network.url,
      (await board.aKey('Sable Quinn')).key_value,
      BOARD_OF_CLAIMS,
    );
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    network.fault(LIVE, 'silent');
    await claim(board, 'Riley Ashdown');
    await passes(page, BEFORE_THAT);
    await expect(page.getByText('Live', { exact: true })).toBeHidden(ON_TIME);
    await expect(page.getByText('Every 10 s', { exact: true })).toBeVisible();
    await expect(page.getByRole('article').getByText('Riley Ashdown').first()).toBeVisible();
    // The next reading includes what happened after the first.
    await claim(board, 'Old Bram', 4);
    await passes(page, 10);
    await expect(page.getByRole('article').getByText('Old Bram').first()).toBeVisible();
    network.heal();
    await comesBack(page);
  });

  test('together with all else says that the server cannot be reached', async ({
    board,
    network,
    page,
  }) => {
    await board.anActiveEvent();
    await page.clock.install();
    await signInWithKey(
      page,
      network.url,
      (await board.aKey('Sable Quinn')).key_value,
      BOARD_OF_CLAIMS,
    );
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await expect(page.getByText(/^Board as of/)).toBeHidden();
    network.become('swallow');
    await passes(page, BEFORE_THAT);
    await expect(page.getByText('Live', { exact: true })).toBeHidden(ON_TIME);
    await expect(page.getByText(/^Board as of \d\d:\d\d$/)).toBeVisible();
    await passes(page, CALL_GIVEN_UP);
    await expect(page.getByText('Offline', { exact: true })).toBeVisible();
    network.become('pass');
    await comesBack(page);
    await expect(page.getByText(/^Board as of/)).toBeHidden();
  });
});

test('a page without a live connection makes one call every ten seconds until something changes', async ({
  board,
  network,
  page,
}) => {
  await board.anActiveEvent();
  network.fault(LIVE, 'cut');
  await page.clock.install();
  const { key_value } = await board.aKey('Sable Quinn');
  await signInWithKey(page, network.url, key_value, BOARD_OF_CLAIMS);
  await expect(page.getByText('Every 10 s', { exact: true })).toBeVisible();
  const answers: string[] = [];
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url());
    if (pathname.startsWith('/api/')) answers.push(`${answer.status()} ${pathname}`);
  });
  const poll = async (): Promise<void> => {
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/api/respawns'));
    await page.clock.runFor(10_000);
    await answered;
  };
  // Claims of others may still arrive in the first one.
  await poll();
  answers.length = 0;
  await poll();
  await poll();
  expect(answers).toEqual(['304 /api/respawns', '304 /api/respawns']);
  // On another device.
  const headers = { 'X-Access-Key': key_value, 'Content-Type': 'application/json' };
  await fetch(`${board.url}/api/stars`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ respawn_ids: [3] }),
  });
  await poll();
  await expect.poll(() => answers).toContain('200 /api/stars');
});

test('the dashboard without a server says so, and shows everything once it is back', async ({
  network,
  page,
}) => {
  await signInAsAdmin(page, network.url);
  await expect(page.getByRole('button', { name: 'Create event' })).toBeVisible({ timeout: 20_000 });
  network.fault(PORTAL, 'cut');
  // A page that never had anything from the server.
  await page.reload();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible({ timeout: 20_000 });
  for (const tab of [
    'events',
    'activity',
    'members',
    'keys',
    'verified',
    'claims',
    'respawns',
    'settings/notifications',
    'settings/admins',
    'settings/system',
    'categories',
  ]) {
    await goInApp(page, `/admin/dashboard/${tab}`);
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText('Loading…')).toBeHidden();
  }
  network.heal();
  const again = page.getByRole('button', { name: 'Try again' });
  // A page that reconnects first loads without the press, and the button disappears under the pointer.
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 1_000 });
    await expect(again).toBeHidden({ timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
  await expect(page.getByRole('button', { name: 'Add category' })).toBeVisible();
});

test('errors of a page count in the server’s metrics', async ({ board, page }) => {
  await page.goto(board.url);
  await expect(page.getByText('Verification required')).toBeVisible({ timeout: 20_000 });
  await page.evaluate(() => void setTimeout(() => Promise.reject(new Error('a mistake of ours'))));
  await expect
    .poll(async () => (await fetch(`${board.url}/metrics`)).text(), { timeout: 20_000 })
    .toContain('claimboard_client_errors_total 1');
});

test('offline, the first ? or t leaves the board in place, and the timeline loads when the connection is back', async ({
  board,
  page,
  context,
}) => {
  await board.anActiveEvent();
  const key = await board.aKey('Sable Quinn');
  await signInWithKey(page, board.url, key.key_value, '/');
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 20_000 });
  const title = page.getByRole('heading', { name: /Vouchers from/ });
  // The board listens for keys from then on.
  await expect(title).toBeVisible();
  await context.setOffline(true);
  await page.keyboard.press('?');
  await expect(
    page.getByText("This part of the page couldn't be loaded. Try again, or reload the page."),
  ).toBeVisible();
  await expect(title).toBeVisible();
  await page.keyboard.press('t');
  await expect(
    page.getByText("This part of the page couldn't be loaded", { exact: true }),
  ).toBeVisible();
  await expect(title).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('grid')).toBeVisible({ timeout: 30_000 });
  await expect(title).toBeVisible();
});
