import type { Page, Request } from '@playwright/test';
import {
  type Claimboard,
  expect,
  goInApp,
  serverSaveNow,
  signInAsAdmin,
  submitAdminLogin,
  test,
} from './fixtures.ts';

/** The dashboard's calls where they fail or the live board is not there. Each test quotes the specification. */

const LIVE = /^\/socket\.io/;
const BAD_GATEWAY = { status: 502, body: '<h1>Bad Gateway</h1>' };

/** Fails a call. A glob of the path below /api. */
async function fail(page: Page, call: string): Promise<void> {
  await page.route(`**/api${call}`, (route) => route.fulfill(BAD_GATEWAY));
}

/** The calls of the API that read, as they are made. */
function readsOf(page: Page): Request[] {
  const reads: Request[] = [];
  page.on('request', (request) => {
    const isRead = request.method() === 'GET' && /\/api\//.test(request.url());
    if (isRead) reads.push(request);
  });
  return reads;
}
const pathOf = (request: Request): string => new URL(request.url()).pathname.replace('/api', '');

interface Spot {
  id: number;
  name: string;
}
const spots = (board: Claimboard): Promise<Spot[]> => board.asAdmin('GET', '/admin/respawns');

const aClaim = (board: Claimboard, spot: Spot | undefined, character_name: string, hour: number) =>
  board.asAdmin('POST', '/claims', {
    admin_submission: true,
    claims: [
      { respawn_id: spot?.id, character_name, hour_start: hour, date: serverSaveNow().date },
    ],
  });

const list = (page: Page) => page.getByRole('region', { name: 'Claims', exact: true });

// Section 7: "GET /admin/member-types (bearer, with a cache-busting timestamp and no-cache headers); the admin form falls back to the
// public one when it fails". A unit test sees the headers: browsers add the same while calls are intercepted.
test('Members, Keys, Characters and the admin form ask for the member types', async ({
  board,
  page,
}) => {
  await signInAsAdmin(page, board.url, '/admin/dashboard/events');
  const reads = readsOf(page);
  const requested = (): string[] =>
    reads.map(pathOf).filter((path) => path.endsWith('/member-types'));
  for (const path of ['members', 'keys', 'verified'].map((tab) => `/admin/dashboard/${tab}`)) {
    const requesting = page.waitForRequest(/\/api\/admin\/member-types\?/);
    await goInApp(page, path);
    const request = await requesting;
    expect(new URL(request.url()).search).toMatch(/^\?at=\d{13}$/);
    const headers = await request.allHeaders();
    expect(headers.authorization).toMatch(/^Bearer ./);
  }
  await fail(page, '/admin/member-types*');
  reads.length = 0;
  await goInApp(page, '/admin/input');
  await expect.poll(requested).toEqual(['/admin/member-types', '/member-types']);
});

// Section 7: "GET /events/{id}/claims". Section 8: "'Failed to load event claims'", "'Failed to fetch claims'", "On a failed load of
// claims the dashboard falls back to all claims, then to an empty list."
test('without the live board the claims are read by their calls, each failure is said', async ({
  board,
  network,
  page,
}) => {
  const [spot] = await spots(board);
  await aClaim(board, spot, 'Old Bram', 18);
  const event = await board.anActiveEvent();
  await aClaim(board, spot, 'Sable Quinn', 10);
  network.fault(LIVE, BAD_GATEWAY);
  const reads = readsOf(page);
  const requested = (): string[] => reads.map(pathOf).filter((path) => path.endsWith('/claims'));
  await signInAsAdmin(page, network.url, '/admin/dashboard/claims');
  await expect.poll(requested).toContain(`/events/${event.id}/claims`);
  await expect(list(page).getByRole('listitem')).toHaveText([/Sable Quinn/]);
  await expect(page.getByRole('alert')).toBeHidden();

  await fail(page, '/events/*/claims*');
  await page.reload();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('Failed to load event claims');
  await expect(alert).toContainText('All claims are shown instead.');
  await expect(alert).not.toContainText('Failed to fetch claims');
  await expect(list(page).getByRole('listitem')).toHaveText([/Sable Quinn/, /Old Bram/]);
  await expect(page.getByRole('button', { name: /^Clear All/ })).toHaveText('Clear All (1)');

  await fail(page, '/admin/claims*');
  await page.reload();
  await expect(alert).toContainText('Failed to load event claims');
  await expect(alert).toContainText('Failed to fetch claims');
  await expect(list(page).getByRole('listitem')).toHaveCount(0);
  await page.unrouteAll();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(list(page).getByRole('listitem')).toHaveText([/Sable Quinn/]);
  await expect(alert).toBeHidden();
});

// Section 9: "Admin fetches | add a timestamp to avoid caching".
test('every call of the dashboard that reads has a time stamp', async ({
  board,
  network,
  page,
}) => {
  await board.anActiveEvent();
  network.fault(LIVE, BAD_GATEWAY);
  const reads = readsOf(page);
  await signInAsAdmin(page, network.url);
  const main = page.getByRole('main');
  for (const place of [
    'activity',
    'members',
    'keys',
    'verified',
    'claims',
    'respawns',
    'categories',
    ...['guild', 'waitlist', 'notifications', 'admins', 'import-export', 'system'].map(
      (section) => `settings/${section}`,
    ),
  ]) {
    await goInApp(page, `/admin/dashboard/${place}`);
    await expect(main.getByText('Loading…')).toHaveCount(0);
  }
  const ofAdmins = reads.filter((request) => pathOf(request).startsWith('/admin/'));
  const paths = new Set(ofAdmins.map(pathOf));
  for (const path of ['verify', 'destinations', 'access-keys', 'verified-codes', 'activity-log'])
    expect(paths).toContain(`/admin/${path}`);
  const unstamped = ofAdmins.filter((request) => !/[?&]at=\d{13}(&|$)/.test(request.url()));
  expect(unstamped.map(pathOf)).toEqual([]);
});

// Section 7: "GET /claims/check-character-claims/{characterName}?date=&respawnId=".
test('the check of a character’s claims names the chosen spot', async ({ board, page }) => {
  await board.anActiveEvent();
  const [spot] = await spots(board);
  await signInAsAdmin(page, board.url, `/admin/input?respawn=${spot?.id}`);
  const checking = page.waitForRequest(/\/api\/claims\/check-character-claims\//);
  await page.getByLabel('Character name').fill('Old Bram');
  const { pathname, searchParams } = new URL((await checking).url());
  expect(pathname).toBe('/api/claims/check-character-claims/Old%20Bram');
  expect([...searchParams]).toEqual([
    ['date', serverSaveNow().date],
    ['respawnId', String(spot?.id)],
  ]);
});

// Section 2: "claims grouped by respawn then by date; … 'Clear All' per respawn. Shows the active event banner or 'No active event -
// showing all claims'."
test('without an event the Claims tab lists all dates; a search keeps the groups and what Clear All deletes', async ({
  board,
  page,
}) => {
  const [spot, other] = await spots(board);
  if (!spot || !other) throw new Error('there are no respawns');
  const { date } = serverSaveNow();
  const tomorrow = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
  await aClaim(board, spot, 'Sable Quinn', 10);
  await aClaim(board, other, 'Riley Ashdown', 10);
  await board.asAdmin('POST', '/claims', {
    admin_submission: true,
    claims: [{ respawn_id: spot.id, character_name: 'Old Bram', hour_start: 14, date: tomorrow }],
  });
  await signInAsAdmin(page, board.url, '/admin/dashboard/claims');
  await expect(page.getByText('No active event - showing all claims')).toBeVisible();
  await expect(list(page).getByRole('listitem')).toHaveCount(3);
  await page.getByLabel('Search by character or spot').fill('bram');
  await expect(list(page).getByRole('listitem')).toHaveText([/Old Bram/]);
  await expect(list(page).getByRole('heading', { level: 2 })).toHaveText([spot.name]);
  await expect(list(page).getByRole('heading', { level: 3 })).toHaveCount(1);
  // Both claims of the spot, the hidden one, too.
  await page.getByRole('button', { name: /^Clear All/ }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Sable Quinn');
  await page.getByRole('button', { name: 'Clear 2 claims' }).click();
  await expect(
    page.getByText(`Successfully cleared 2 claims for ${spot.name}`, { exact: true }),
  ).toBeVisible();
});

/** Ends the admin's session on the server, as another browser or its age does. */
async function endToken(page: Page, url: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('adminToken'));
  await page.request.post(`${url}/api/logout`, { headers: { Authorization: `Bearer ${token}` } });
}

async function expectLogin(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/admin\/login$/);
  await expect(page.getByText('Token verification failed')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('adminToken'))).toBeNull();
}

// Section 8: "'Token verification failed' (admin token and user removed, redirect to /admin/login)".
test('a rejected token leads to /admin/login from every page, and Back leads back', async ({
  board,
  page,
}) => {
  await signInAsAdmin(page, board.url);
  for (const path of ['/', '/statistics', '/verify']) {
    await goInApp(page, path);
    await endToken(page, board.url);
    await expectLogin(page);
    await page.goBack();
    await expect(page).toHaveURL(board.url + path);
    await page.goForward();
    await submitAdminLogin(page);
  }
  // At a start, too.
  await goInApp(page, '/');
  await page.evaluate(() => localStorage.setItem('adminToken', 'long-gone'));
  await page.reload();
  await expectLogin(page);
});

// The same, and keeps what was typed since.
test('a form, a row in edit and a dialog go on after the next sign-in', async ({ board, page }) => {
  const { name } = await board.anActiveEvent();
  await signInAsAdmin(page, board.url, '/admin/dashboard/categories');
  const category = page.getByRole('form', { name: 'New category' }).getByRole('textbox');
  await category.fill('Hidden');
  await endToken(page, board.url);
  await expectLogin(page);
  await submitAdminLogin(page);
  await expect(page).toHaveURL(/\/categories$/);
  await expect(category).toHaveValue('Hidden');

  const [spot] = await spots(board);
  await goInApp(page, '/admin/dashboard/respawns');
  await page.getByLabel('Search spots').fill(spot?.name ?? '');
  await page.getByRole('button', { name: `Edit ${spot?.name}`, exact: true }).click();
  const spotName = page.getByLabel(`Name of ${spot?.name}`, { exact: true });
  await spotName.fill('Hidden Nest');
  await endToken(page, board.url);
  await expectLogin(page);
  await submitAdminLogin(page);
  await expect(spotName).toHaveValue('Hidden Nest');

  await goInApp(page, '/admin/dashboard/events');
  const open = page.getByRole('button', { name: `Edit ${name}`, exact: true });
  await open.click();
  await page.getByRole('dialog').getByLabel('Name').fill('Triple week');
  await endToken(page, board.url);
  await expectLogin(page);
  await submitAdminLogin(page);
  await open.click();
  await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Triple week');
});
