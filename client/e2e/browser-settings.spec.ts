import type { Locator } from '@playwright/test';
import {
  BOARD_OF_CLAIMS,
  expect,
  goInApp,
  newPerson,
  serverSaveNow,
  signInWithKey,
  test,
} from './fixtures.ts';

const groundOf = (element: Locator): Promise<string> =>
  element.evaluate((one) => getComputedStyle(one).backgroundColor);

const inkOf = (element: Locator): Promise<string> =>
  element.evaluate((one) => getComputedStyle(one).color);

/** The colors of what tells something by its color alone: none is like another. */
async function expectDistinct(what: string, ...elements: Locator[]): Promise<void> {
  const colors = await Promise.all(elements.map(groundOf));
  expect(new Set(colors).size, `${what}: ${colors.join(', ')}`).toBe(colors.length);
}

test('in a contrast theme, strips of hours, bars, now, types, the chosen date and blocked buttons are told apart', async ({
  board,
  browser,
}) => {
  const { date, hour } = serverSaveNow();
  await board.anActiveEvent();
  const claim = {
    respawn_id: 5,
    character_name: 'Sable Quinn',
    date,
    hour_start: hour < 12 ? 16 : 2,
    hour_end: hour < 12 ? 20 : 6,
  };
  await board.asAdmin('POST', '/claims', { admin_submission: true, claims: [claim] });
  const key = await board.aKey('Riley Ashdown');
  const page = await newPerson(browser, {
    forcedColors: 'active',
    colorScheme: 'dark',
    viewport: { width: 1440, height: 900 },
  });
  await signInWithKey(page, board.url, key.key_value, BOARD_OF_CLAIMS);
  const header = page.getByRole('banner');
  await expectDistinct('connection', header, header.locator('[class*="dot"]'));
  const strip = page.locator('article [data-hours-of]').first();
  // Its bar, and the line of now.
  await expectDistinct(
    'strip',
    strip,
    strip.locator('> div').nth(0),
    strip.locator('> div').nth(1),
  );
  const dates = page.locator('label[class*="chip"]');
  const chosen = dates.filter({ has: page.locator(':checked') });
  const other = dates.filter({ hasNot: page.locator(':checked') }).first();
  await expectDistinct('date', chosen, other);

  await goInApp(page, '/?view=timeline&show=claimed');
  const grid = page.getByRole('grid');
  await expectDistinct(
    'timeline',
    grid.locator('..'),
    grid.getByRole('button', { name: /^Sable Quinn/ }),
    page.locator('[class*="nowLine"]'),
  );

  // Riley's hunt runs.
  const running = {
    respawn_id: 6,
    character_name: 'Riley Ashdown',
    date,
    hour_start: hour,
    hour_end: Math.min(hour + 4, 24),
  };
  await board.asAdmin('POST', '/claims', { admin_submission: true, claims: [running] });
  const hunts = page.getByRole('complementary', { name: 'My hunts' });
  await expectDistinct('progress', hunts, hunts.locator('[class*="progress"]'));
  await goInApp(page, '/');
  const card = page.getByRole('article').filter({ hasText: 'Sable Quinn' });
  await expectDistinct(
    'badge',
    card,
    card.locator('[class*="badge"]').filter({ hasText: 'member' }).first(),
  );
  await goInApp(page, '/?view=watch');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  const bar = page.locator('[class*="bars"] [class*="bar"]').filter({ hasText: 'Riley Ashdown' });
  await expectDistinct('watch mode', page.locator('body'), bar);

  await goInApp(page, `/input?respawn=5&date=${date}`);
  const blocked = page.getByRole('button', { name: /^Submit/, disabled: true });
  await expect(blocked).toBeVisible();
  expect(await inkOf(blocked), 'a blocked button').not.toBe(
    await inkOf(page.getByRole('button', { name: 'Configure the next day' })),
  );
});

test('without scripts the page says so in three languages', async ({ board, browser }) => {
  const page = await newPerson(browser, { javaScriptEnabled: false });
  await page.goto(board.url);
  for (const sentence of [
    /^Claimboard needs JavaScript/,
    /^Claimboard necesita JavaScript/,
    /^O Claimboard precisa de JavaScript/,
  ]) {
    await expect(page.getByText(sentence)).toBeInViewport();
  }
});
