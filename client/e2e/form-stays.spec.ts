import type { Locator, Page } from '@playwright/test';
import {
  type Claimboard,
  expect,
  LONG,
  newPerson,
  serverSaveNow,
  signInWithKey,
  tagged,
  test,
} from './fixtures.ts';

const hourIn = (page: Page, hour: number): Locator =>
  page.getByRole('button', { name: new RegExp(`^SS\\+${hour},`) });
const grid = (page: Page): Locator => page.getByRole('group', { name: /^Start hour/ });
/** From the top of the page, at any scroll position. */
const topOf = (where: Locator): Promise<number> =>
  where.evaluate((box) => Math.round(box.getBoundingClientRect().top + window.scrollY));

async function openForm(board: Claimboard, page: Page, name: string): Promise<void> {
  const key = await board.aKey(name);
  await signInWithKey(
    page,
    board.url,
    key.key_value,
    `/input?respawn=${await cobraBastion(board)}`,
  );
  await expect(hourIn(page, 14)).toBeVisible();
}

async function cobraBastion(board: Claimboard): Promise<number | undefined> {
  const respawns = await board.asAdmin<{ id: number; name: string }[]>('GET', '/admin/respawns');
  return respawns.find(({ name }) => name === 'Cobra Bastion')?.id;
}

async function claimFor(
  board: Claimboard,
  character_name: string,
  hour_start: number,
): Promise<void> {
  const claim = {
    respawn_id: await cobraBastion(board),
    character_name,
    hour_start,
    date: serverSaveNow().date,
  };
  await board.asAdmin('POST', '/claims', { admin_submission: true, claims: [claim] });
}

for (const [screen, viewport, tag] of [
  ['a desk', { width: 1440, height: 900 }, ''],
  ['a telephone', { width: 390, height: 844 }, LONG],
  ['the narrowest telephone', { width: 320, height: 568 }, ''],
] as const) {
  test(
    `messages of the form do not move its hours, on ${screen}`,
    tagged(tag),
    async ({ board, browser }) => {
      const page = await newPerson(browser, { viewport });
      await openForm(board, page, 'Riley Ashdown');
      const before = await topOf(grid(page));

      // Possible only with a shorter duration.
      // It is disabled for assistive technology alone: a press asks why.
      await hourIn(page, 22).click({ force: true });
      await expect(
        page.getByText('SS+22, would exceed SS+24', { exact: true }).first(),
      ).toBeVisible();
      expect(await topOf(grid(page)), 'asked why an hour is disabled').toBe(before);
      await page.getByRole('button', { name: 'Take SS+22, 2 h' }).click();
      await expect(hourIn(page, 22)).toHaveAttribute('aria-pressed', 'true');
      expect(await topOf(grid(page)), 'took what fits').toBe(before);

      // A member with a long name takes the chosen hours.
      await hourIn(page, 14).click();
      await claimFor(board, 'Archibald Wolfgang Stormcrow', 14);
      await expect(
        page.getByText('Archibald Wolfgang Stormcrow has SS+14 to SS+18.', { exact: true }),
      ).toBeVisible();
      await expect(page.getByRole('alert')).toContainText('Time conflict detected');
      expect(await topOf(grid(page)), 'a conflict').toBe(before);

      // The character gets a claim for the date meanwhile.
      await claimFor(board, 'Riley Ashdown', 2);
      await expect(page.getByRole('alert')).toContainText(
        'CHARACTER ALREADY HAS A CLAIM FOR THIS DATE',
      );
      expect(await topOf(grid(page)), 'a claim of the same character').toBe(before);
      await page.context().close();
    },
  );
}

for (const [screen, viewport, tag] of [
  ['a telephone on its side', { width: 844, height: 390 }, ''],
  ['a page at 200 %', { width: 720, height: 450 }, LONG],
] as const) {
  test(
    `on ${screen} the claim is one line with character, time and button, and covers no hour that is visited`,
    tagged(tag),
    async ({ board, browser }) => {
      const page = await newPerson(browser, { viewport });
      await openForm(board, page, 'Riley Ashdown');
      for (const hour of [0, 13, 20]) {
        await hourIn(page, hour).focus();
        const isSeen = await hourIn(page, hour).evaluate((cell) => {
          const { left, top, right, bottom } = cell.getBoundingClientRect();
          return [top + 2, bottom - 2].every((y) =>
            cell.contains(document.elementFromPoint((left + right) / 2, y)),
          );
        });
        expect(isSeen, `SS+${hour}`).toBe(true);
      }
      await hourIn(page, 14).click();
      const button = page.getByRole('button', { name: 'Submit 1 claim' });
      const bar = page.locator('section', { has: button });
      await expect(bar.getByText('Riley Ashdown')).toBeInViewport();
      await expect(bar.getByText('SS+14 to SS+18')).toBeInViewport();
      await expect(button).toBeInViewport();
      expect((await bar.boundingBox())?.height).toBeLessThan(70);
      await page.context().close();
    },
  );
}

const dateChip = (page: Page, ahead: number): Locator => {
  const day = new Date(Date.parse(serverSaveNow().date) + ahead * 86_400_000).getUTCDate();
  return page
    .getByRole('group', { name: 'Dates' })
    .getByRole('checkbox', { name: new RegExp(` ${day} `) });
};

test('a half-filled form is kept after Home and Back, after Home and Submit Claim, and after a reload', async ({
  board,
  page,
}) => {
  await board.anActiveEvent();
  await page.setViewportSize({ width: 1440, height: 900 });
  await openForm(board, page, 'Riley Ashdown');
  await dateChip(page, 2).check({ force: true });
  await hourIn(page, 9).click();
  await page.getByRole('radio', { name: '2 h' }).check({ force: true });
  const expectAll = async (): Promise<void> => {
    await expect(page.getByText('Your choices from before are still here.')).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Spot', exact: true })).toHaveValue(
      'Cobra Bastion',
    );
    await expect(dateChip(page, 0)).toBeChecked();
    await expect(dateChip(page, 2)).toBeChecked();
    await expect(hourIn(page, 9)).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByRole('radio', { name: '2 h' })).toBeChecked();
  };
  const nav = page.getByRole('navigation');
  await nav.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('heading', { name: /^Vouchers from/ })).toBeVisible();
  await page.goBack();
  await expectAll();
  await nav.getByRole('link', { name: 'Home' }).click();
  await nav.getByRole('link', { name: 'Submit Claim' }).click();
  await expectAll();
  await page.reload();
  await expectAll();
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByRole('combobox', { name: 'Spot', exact: true })).toHaveValue('');
});

test('start and duration carry over to each date that is added, and on a telephone the list of nine scrolls', async ({
  board,
  browser,
}) => {
  await board.anActiveEvent();
  const page = await newPerson(browser, { viewport: { width: 390, height: 844 } });
  await openForm(board, page, 'Riley Ashdown');
  // The summary covers it until the page is scrolled.
  await page.getByRole('radio', { name: '2 h' }).press('Space');
  await hourIn(page, 9).click();
  for (let ahead = 1; ahead < 9; ahead += 1) await dateChip(page, ahead).check({ force: true });
  const button = page.getByRole('button', { name: 'Submit 9 claims' });
  const bar = page.locator('section', { has: button });
  await expect(bar.getByText('SS+9 to SS+11')).toHaveCount(9);
  expect((await bar.boundingBox())?.height).toBeLessThanOrEqual(844 / 3);
  await expect(button).toBeInViewport();
  await button.click();
  await expect(page.getByText('Claims Submitted Successfully!')).toBeVisible();
  await page.context().close();
});

test('hours chosen after the dates apply to all of them', async ({ board, page }) => {
  await board.anActiveEvent();
  await openForm(board, page, 'Riley Ashdown');
  for (const ahead of [1, 2, 3]) await dateChip(page, ahead).check({ force: true });
  await hourIn(page, 12).click();
  await page.getByRole('radio', { name: '3 h' }).check({ force: true });
  await expect(page.getByText(/^Choose a start hour for .*, or remove that date\.$/)).toBeVisible();
  await page.getByRole('button', { name: /^Take SS\+12, 3 h on / }).click();
  await expect(page.getByRole('button', { name: 'Submit 4 claims' })).toBeEnabled();
  await expect(page.getByText('SS+12 to SS+15')).toHaveCount(8);
});

test('the split starts with the chosen hours next to the taken ones, without an error; the claim can be undone where members may release', async ({
  board,
  page,
}) => {
  await board.anActiveEvent();
  await board.asAdmin('PUT', '/admin/config', { release_enabled: 1 });
  await openForm(board, page, 'Riley Ashdown');
  await claimFor(board, 'Old Bram', 14);
  await hourIn(page, 9).click();
  await page.getByRole('button', { name: 'Split in two' }).click();
  const dialog = page.getByRole('dialog', { name: /^Split claim/ });
  await expect(dialog.getByText('SS+9 to SS+11')).toBeVisible();
  await expect(dialog.getByText('SS+11 to SS+13')).toBeVisible();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  const second = dialog.getByRole('combobox', { name: 'Spot, part 2', exact: true });
  await second.click();
  await second.fill('Asura Mirror');
  await expect(
    dialog.getByRole('option', { name: 'Asura Mirror', exact: true }),
  ).toHaveAccessibleDescription(/^free SS\+0/);
  await second.press('Enter');
  await dialog.getByRole('button', { name: 'Use these two parts' }).click();
  await page.getByRole('button', { name: 'Submit 1 claim' }).click();
  await expect(page.getByText('1, with 2 parts', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Claim undone')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit 1 claim' })).toBeEnabled();
  expect(await board.asAdmin<{ character_name: string }[]>('GET', '/admin/claims')).toHaveLength(1);
});
