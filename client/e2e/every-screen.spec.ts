import type { Browser, Page } from '@playwright/test';
import { expectNothingSeriousInBothThemes, namesWithoutWhatIsWritten } from './axe.ts';
import {
  BOARD_OF_CLAIMS,
  type Claimboard,
  eventAroundToday,
  expect,
  expectToFit,
  goInApp,
  LONG,
  newPerson,
  serverSaveNow,
  signInAsAdmin,
  signInWithKey,
  test,
} from './fixtures.ts';

/** Screens of one person are grouped. */
const SCREENS = [
  { path: '/', as: 'visitor' },
  { path: '/login', as: 'visitor' },
  { path: '/nowhere', as: 'visitor' },
  { path: '/verify', as: 'verifying' },
  { path: '/verify/Riley%20Ashdown', as: 'verifying' },
  // Of hundreds of free spots one is like the other.
  { path: BOARD_OF_CLAIMS, as: 'member' },
  { path: '/?view=timeline&show=claimed', as: 'member' },
  { path: '/?photoMode=true&show=claimed', as: 'member' },
  { path: '/statistics', as: 'member' },
  { path: '/input?respawn=5', as: 'member' },
  { path: '/mine', as: 'member' },
  { path: '/notifications', as: 'member' },
  { path: '/admin/input', as: 'admin' },
  { path: '/admin/dashboard/events', as: 'admin' },
  { path: '/admin/dashboard/claims?view=waitlist', as: 'admin' },
] as const;
/** Axe checks these screens with their dialogs in their own tests. */
const TABS = [
  'activity',
  'members',
  'keys',
  'verified',
  'claims',
  'respawns',
  'categories',
  'settings/guild',
  'settings/rules',
  'settings/notifications',
  'settings/admins',
  'settings/import-export',
  'settings/system',
].map((tab) => ({ path: `/admin/dashboard/${tab}`, as: 'admin' }) as const);

type Person = (typeof SCREENS)[number]['as'];

/**
 * Takes the page of a test to an address as somebody: the first of each is opened, the others are gone to. One page is everybody's, one
 * after the other: a page of its own for each would be a process of its own for each.
 */
function goerOf(
  board: Claimboard,
  page: Page,
  key: string,
): (as: Person, path: string) => Promise<void> {
  let last: Person | undefined;
  return async (as, path) => {
    if (as === last) return goInApp(page, path);
    if (last === 'admin') await page.evaluate(() => localStorage.removeItem('adminToken'));
    last = as;
    await page.context().clearCookies();
    if (as === 'member') return signInWithKey(page, board.url, key, path);
    if (as === 'admin') return signInAsAdmin(page, board.url, path);
    if (as === 'verifying') await keepCodes(page, board.url);
    await page.goto(board.url + path);
  };
}

/** A code that waits, one that expired long ago, and a test-mode one. */
async function keepCodes(page: Page, url: string): Promise<void> {
  const code = {
    code: 'CLAIM-7KQ2M9XA',
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    verification_token: 'T',
  };
  const codes = {
    riley_ashdown: { ...code, characterName: 'Riley Ashdown' },
    old_bram: { ...code, characterName: 'Old Bram', expiresAt: '2026-01-01T00:00:00.000Z' },
    sable_quinn: { ...code, characterName: 'Sable Quinn', verification_token: null },
  };
  const cookies = Object.entries(codes).map(([name, kept]) => ({
    name: `verification_${name}`,
    value: encodeURIComponent(JSON.stringify(kept)),
    url,
  }));
  await page.context().addCookies(cookies);
}

async function aLivelyBoard(board: Claimboard): Promise<string> {
  const event = await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  await board.aKey('Sable Quinn', 'elite');
  const date = event.start_time.slice(0, 10);
  const claims = [
    { respawn_id: 5, character_name: 'Sable Quinn', hour_start: 8, hour_end: 12, date },
    { respawn_id: 6, character_name: 'Riley Ashdown', hour_start: 20, hour_end: 24, date },
  ];
  for (const claim of claims)
    await board.asAdmin('POST', '/claims', { admin_submission: true, claims: [claim] });
  // Today, with all hours upcoming: two on the waitlist, the member among them.
  const { date: today } = serverSaveNow();
  const taken = { respawn_id: 7, date: today, hour_start: 12, hour_end: 16 };
  await board.asAdmin('POST', '/claims', {
    admin_submission: true,
    claims: [{ ...taken, character_name: 'Sable Quinn' }],
  });
  for (const character_name of ['Old Bram', 'Riley Ashdown']) {
    await board.asAdmin('POST', '/waits', { ...taken, character_name, member_type: 'member' });
  }
  return key.key_value;
}

test('axe finds nothing serious on any screen, in both themes', async ({ board, browser }) => {
  test.slow();
  const key = await aLivelyBoard(board);
  const page = await newPerson(browser);
  const go = goerOf(board, page, key);
  for (const { path, as } of SCREENS) {
    await go(as, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNothingSeriousInBothThemes(page, `${as} at ${path}`);
  }
});

/** Controls with a text below 16 px, into which iOS zooms. */
const smallControls = (page: Page): Promise<string[]> =>
  page
    .locator('input:not([type="checkbox"], [type="radio"]), select, textarea')
    .evaluateAll((all) =>
      all
        .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 16)
        .map((one) => one.outerHTML.slice(0, 120)),
    );

async function expectToFitAndBeTranslated(
  board: Claimboard,
  browser: Browser,
  [first, ...others]: readonly [string, ...string[]],
): Promise<void> {
  const key = await aLivelyBoard(board);
  const page = await newPerson(browser, { locale: first, viewport: { width: 390, height: 844 } });
  const go = goerOf(board, page, key);
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  for (const locale of [first, ...others]) {
    if (locale !== first)
      await page.evaluate((language) => localStorage.setItem('language', language), locale);
    for (const { path, as } of [...SCREENS, ...TABS]) {
      const where = `${as} at ${path}, ${locale}`;
      await go(as, path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('lang', locale);
      await expectToFit(page, where);
      expect(await smallControls(page), `${where}: a phone zooms into these`).toEqual([]);
      expect(await page.getByRole('main').textContent(), where).not.toMatch(
        /\b(common|time|shell|board|verify|submit|login|admin|errors|notifications)\.[a-z][a-zA-Z.]+/,
      );
      expect(problems, where).toEqual([]);
    }
  }
}

test('nothing is wider than a phone, and no sentence is missing, in Spanish and Portuguese', async ({
  board,
  browser,
}) => {
  test.slow();
  await expectToFitAndBeTranslated(board, browser, ['es', 'pt']);
});

// Its texts are the shortest, and it is the language in which other tests look whether screens fit.
test('nothing is wider than a phone, and no sentence is missing, in English', {
  tag: LONG,
}, async ({ board, browser }) => {
  test.slow();
  await expectToFitAndBeTranslated(board, browser, ['en']);
});

test('the text on a control is part of its accessible name, for people who use voice control', async ({
  board,
  browser,
}) => {
  const key = await aLivelyBoard(board);
  const page = await newPerson(browser);
  const go = goerOf(board, page, key);
  const { start_date } = eventAroundToday();
  const { date: today } = serverSaveNow();
  const ofTheBoard = [
    [`date=${start_date}`, 6],
    [`date=${today}`, 7],
    ['free=14&for=4', 6],
    [`view=timeline&date=${start_date}`, 6],
    [`view=timeline&date=${today}`, 7],
    ['view=timeline&free=14&for=4', 6],
  ] as const;
  for (const [query, spot] of ofTheBoard) {
    await go('member', `/?${query}`);
    await expect(page.locator(`[data-spot="${spot}"]`)).toBeVisible();
    expect(await namesWithoutWhatIsWritten(page), query).toEqual([]);
  }
  for (const { path, as } of [
    { path: `/input?respawn=7&date=${today}&hour=20`, as: 'member' },
    { path: '/mine', as: 'member' },
    { path: '/notifications', as: 'member' },
    { path: '/admin/dashboard/events', as: 'admin' },
    { path: '/admin/dashboard/claims', as: 'admin' },
  ] as const) {
    await go(as, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (path.startsWith('/input'))
      await expect(page.getByRole('button', { name: /^SS\+12, taken/ })).toBeVisible();
    if (path.endsWith('/events'))
      await expect(page.getByRole('heading', { name: 'Set up your guild' })).toBeVisible();
    expect(await namesWithoutWhatIsWritten(page), path).toEqual([]);
  }
});
