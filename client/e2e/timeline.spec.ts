import type { Locator, Page } from '@playwright/test';
import { expectNothingSeriousInBothThemes } from './axe.ts';
import {
  EVERYWHERE,
  expect,
  expectToFit,
  goInApp,
  newPerson,
  signInWithKey,
  test,
} from './fixtures.ts';

async function openTimeline(page: Page, url: string, key: string, more = ''): Promise<Locator> {
  await signInWithKey(page, url, key, `/?view=timeline${more}`);
  const grid = page.getByRole('grid');
  await expect(grid.getByRole('row').nth(2)).toBeVisible();
  return grid;
}
const rowOf = (grid: Locator, spot: string): Locator =>
  grid
    .getByRole('row')
    .filter({ has: grid.page().getByRole('rowheader', { name: spot, exact: true }) });
const freeHour = (grid: Locator, spot: string, hour: number): Locator =>
  grid.getByRole('link', { name: new RegExp(`^Claim ${spot} from SS\\+${hour},`) });

test('a free hour of tomorrow leads on to the form filled in; the claim appears in another member’s timeline', {
  tag: EVERYWHERE,
}, async ({ board, page, browser }) => {
  await board.anActiveEvent();
  const hunting = await board.aKey('Riley Ashdown');
  const watching = await board.aKey('Sable Quinn');
  const watcher = await newPerson(browser);
  const watched = await openTimeline(watcher, board.url, watching.key_value, '&search=cobra');
  await watcher.getByRole('button', { name: 'Next day' }).click();

  const grid = await openTimeline(page, board.url, hunting.key_value, '&search=cobra');
  await page.getByRole('button', { name: 'Next day' }).click();
  const hour = freeHour(grid, 'Cobra Bastion', 14);
  const date = new URLSearchParams((await hour.getAttribute('href'))?.split('?')[1]).get('date');
  await hour.hover();
  await expect(page.getByRole('tooltip')).toHaveText(
    /^SS\+14 · (\w+ )?\d\d:\d\d your time · free until SS\+24$/,
  );
  await hour.click();
  await page.getByRole('button', { name: 'More options' }).click();

  await expect(page).toHaveURL(new RegExp(`/input\\?respawn=\\d+&date=${date}&hour=14&hours=4$`));
  await expect(page.getByRole('tooltip')).toBeHidden();
  await expect(page.getByRole('combobox', { name: 'Spot' })).toHaveValue('Cobra Bastion');
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^SS\+14,/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  const row = await rowOf(watched, 'Cobra Bastion').boundingBox();
  await page.getByRole('button', { name: 'Submit 1 claim' }).click();
  await expect(page.getByText('Claims Submitted Successfully!')).toBeVisible();

  const bar = watched.getByRole('button', {
    name: 'Riley Ashdown, SS+14 to SS+18, member, Join waitlist for these hours',
    exact: true,
  });
  await expect(bar).toBeVisible();
  expect(await rowOf(watched, 'Cobra Bastion').boundingBox()).toEqual(row);
  await expect(freeHour(watched, 'Cobra Bastion', 15)).toHaveCount(0);

  // Back on the board the view and the day are unchanged, and the claim is one's own.
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`view=timeline.*date=${date}`));
  await expect(
    grid.getByRole('button', { name: 'Riley Ashdown, SS+14 to SS+18, member, you' }),
  ).toBeVisible();
});

test('the keyboard enters the grid with one Tab, moves with arrows, leaves with another, and Enter claims', async ({
  board,
  page,
}) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  const grid = await openTimeline(page, board.url, key.key_value);
  // The last of the row of dates.
  await page.getByRole('button', { name: 'How the board works' }).first().focus();
  await page.keyboard.press('Tab');
  // Below the newcomers' hint, if it is above the grid.
  while (await page.evaluate(() => document.activeElement?.closest('[role="grid"]') === null))
    await page.keyboard.press('Tab');
  await page.keyboard.press('Control+Home');
  const first = grid.locator('[data-spot]').first().getByRole('link').first();
  await expect(first).toBeFocused();
  await page.keyboard.press('Control+End');
  const last = grid.getByRole('link', { name: /from SS\+23,/ }).last();
  await expect(last).toBeFocused();
  await expect(last).toBeInViewport();
  await expect(page.getByRole('tooltip')).toHaveText(/^SS\+23/);
  await page.keyboard.press('Tab');
  expect(await grid.evaluate((element) => element.contains(document.activeElement))).toBe(false);
  await page.keyboard.press('Shift+Tab');
  await expect(last).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('SS+20 to SS+24');
  await expect(page.getByRole('button', { name: 'Claim 4 h' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(grid.getByRole('link', { name: /from SS\+22,/ }).last()).toBeFocused();
});

test('the button prints every spot, not those in view alone', async ({ board, page }) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  const grid = await openTimeline(page, board.url, key.key_value);
  const spots = await board.asAdmin<unknown[]>('GET', '/admin/respawns');
  expect(await grid.locator('[data-spot]').count()).toBeLessThan(spots.length);
  // A browser without a window prints nothing. Others lay out the page in the call, as it is once they have said that they will.
  await page.evaluate(() => {
    window.print = () => {
      dispatchEvent(new Event('beforeprint'));
      document.title = `${document.querySelectorAll('[role="grid"] [data-spot]').length} on paper`;
      dispatchEvent(new Event('afterprint'));
    };
  });
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page).toHaveTitle(`${spots.length} on paper`);
  await expect.poll(() => grid.locator('[data-spot]').count()).toBeLessThan(spots.length);
});

test('on paper: light, without navigation, every spot, the event and the date in the heading', async ({
  board,
  browser,
}) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  const page = await newPerson(browser, { colorScheme: 'dark' });
  const grid = await openTimeline(page, board.url, key.key_value);
  const spots = await board.asAdmin<unknown[]>('GET', '/admin/respawns');
  const there = (): Promise<number> => grid.locator('[data-spot]').count();
  expect(await there()).toBeLessThan(spots.length);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect.poll(there).toBe(spots.length);
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
  await expect(page.getByRole('complementary')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: /^Vouchers from/ })).toBeVisible();
  await expect(page.getByText('Double week', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(23, 32, 44)');
  expect(
    await grid.evaluate((element) =>
      [...element.querySelectorAll('[data-spot]')].every(
        (row) => getComputedStyle(row).breakInside === 'avoid',
      ),
    ),
  ).toBe(true);
});

test('axe finds nothing serious in either theme', async ({ board, browser }) => {
  test.slow();
  const event = await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  // An upcoming and an ended event, with claims that make their spots visible.
  const days = [event.end_time.slice(0, 10), event.start_time.slice(0, 10)];
  for (const date of days) {
    const claims = [
      { respawn_id: 1, character_name: 'Riley Ashdown', hour_start: 0, hour_end: 4, date },
      { respawn_id: 1, character_name: 'Sable Quinn', hour_start: 20, hour_end: 24, date },
    ];
    for (const claim of claims)
      await board.asAdmin('POST', '/claims', { admin_submission: true, claims: [claim] });
  }
  const page = await newPerson(browser);
  const grid = await openTimeline(page, board.url, key.key_value, `&show=claimed&date=${days[0]}`);
  await expectNothingSeriousInBothThemes(page);
  await goInApp(page, `/?view=timeline&show=claimed&date=${days[1]}`);
  await expect(grid.getByRole('row').nth(2)).toBeVisible();
  await expectNothingSeriousInBothThemes(page);
});

test('on a phone the page is not wider than the screen, and the hour it is now is in view', {
  tag: EVERYWHERE,
}, async ({ board, browser }) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  const page = await newPerson(browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const grid = await openTimeline(page, board.url, key.key_value);
  await expectToFit(page);
  await grid.scrollIntoViewIfNeeded();
  await expect(grid.getByText('now', { exact: true })).toBeInViewport({ ratio: 1 });
  const name = grid.locator('[data-spot]').first().getByRole('rowheader');
  expect((await name.boundingBox())?.x).toBe(0);
});

test('hours that a visitor chose are in the form after the login', async ({ board, page }) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  await page.goto(`${board.url}/input?respawn=5&hour=14`);
  await page.getByRole('main').getByRole('link', { name: 'Sign in with an access key' }).click();
  await page.getByLabel('Access key', { exact: true }).fill(key.key_value);
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL(/\/submit-claims\?respawn=5&hour=14$/);
  await expect(page.getByRole('combobox', { name: 'Spot' })).not.toHaveValue('');
  await expect(page.getByRole('button', { name: /^SS\+14,/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
});
