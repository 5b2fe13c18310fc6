import { expectNothingSerious } from './axe.ts';
import { expect, expectToFit, signInAsAdmin, test } from './fixtures.ts';

/** The lists of the navigation's menus, which are fetched when one is first opened. */
const LISTS = /\/static\/(navbar-menus|menu-list)-[^/]+\.js$/;

test('the first press opens a menu although its list must be fetched; arrow keys move in it, and focus returns to the button', async ({
  board,
  page,
}) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const requests: string[] = [];
  await page.route(LISTS, async (route) => {
    requests.push(route.request().url());
    await released;
    await route.continue();
  });
  await page.goto(board.url);
  const language = page.getByRole('button', { name: 'Language: EN' });
  await language.focus();
  expect(requests).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(language).toHaveAttribute('aria-expanded', 'true');
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(language).toBeFocused();
  release();
  const menu = page.getByRole('menu', { name: 'Language: EN' });
  await expect(menu).toBeVisible();
  await expectNothingSerious(page, 'an open menu');
  await expect(menu.getByRole('menuitemradio').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(language).toBeFocused();
  // From now on the list is there.
  await page.keyboard.press('ArrowDown');
  await expect(menu).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(menu).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Appearance: / })).toBeFocused();
});

test('on a phone a link of the menu opens its page and moves the focus there', async ({
  board,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(board.url);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  const menu = page.getByRole('menu');
  await expect(menu).toBeInViewport({ ratio: 1 });
  await expectToFit(page);
  // Language and appearance are in view however many entries there are, also on a small phone.
  await page.setViewportSize({ width: 390, height: 480 });
  for (const name of ['Español', 'Dark'])
    await expect(menu.getByRole('menuitemradio', { name })).toBeInViewport({ ratio: 1 });
  await menu.getByRole('menuitem', { name: 'Verify Character' }).first().click();
  await expect(page).toHaveURL(/\/verify$/);
  await expect(menu).toHaveCount(0);
  // Where that page begins, not back at the button.
  await expect(page.getByRole('main').getByRole('textbox').first()).toBeFocused();
});

test('a menu that cannot be loaded says so, the page stays, and the next press retries', async ({
  board,
  page,
}) => {
  await page.route(LISTS, (route) => route.abort());
  // Nor is the page itself fetched again.
  await page.goto(board.url);
  await page.route(`${board.url}/`, (route) => route.abort());
  const theme = page.getByRole('button', { name: /^Appearance: / });
  await theme.click();
  await expect(
    page.getByText("This part of the page couldn't be loaded. Try again, or reload the page."),
  ).toBeVisible();
  await expect(theme).toHaveAttribute('aria-expanded', 'false');
  await page.unroute(LISTS);
  await theme.click();
  await expect(page.getByRole('menu')).toBeVisible();
});

test('a press on a tab of the dashboard draws no box around it, its keys do', async ({
  board,
  page,
}) => {
  await signInAsAdmin(page, board.url);
  const isBoxed = (name: string): Promise<boolean> =>
    page
      .getByRole('tab', { name, exact: true })
      .evaluate((tab) => tab === document.activeElement && tab.matches(':focus-visible'));
  for (const name of ['Keys', 'Respawns']) {
    await page.getByRole('tab', { name, exact: true }).click();
    await expect(page.getByRole('tab', { name, exact: true })).toBeFocused();
    expect(await isBoxed(name)).toBe(false);
  }
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Respawns', exact: true })).not.toBeFocused();
  expect(
    await page.evaluate(() => document.activeElement?.matches('[role="tab"]:focus-visible')),
  ).toBe(true);
});
