import type { Locator, Page } from '@playwright/test';
import { expectNothingSerious } from './axe.ts';
import {
  type Claimboard,
  expect,
  expectToFit,
  goInApp,
  newPerson,
  serverSaveNow,
  signInWithKey,
  test,
} from './fixtures.ts';

interface Spot {
  id: number;
  name: string;
  category_name: string;
}

const { date: today } = serverSaveNow();
const DAY_MS = 86_400_000;
const tomorrow = new Date(Date.parse(today) + DAY_MS).toISOString().slice(0, 10);
const section = (page: Page, name: string): Locator =>
  page.getByRole('region', { name, exact: true });
/** The names on the shelf above the categories. */
const shelf = (page: Page): Locator => section(page, 'Yours').getByRole('button');
const star = (page: Page, spot: string): Locator =>
  page.getByRole('button', { name: `Star ${spot}`, exact: true });

async function claim(
  board: Claimboard,
  respawn_id: number,
  character_name: string,
  date: string,
  hour_start: number,
): Promise<void> {
  const hours = { date, hour_start, hour_end: hour_start + 4 };
  await board.asAdmin('POST', '/claims', {
    admin_submission: true,
    member_type: 'member',
    claims: [{ respawn_id, character_name, ...hours }],
  });
}

/** Riley hunts on the board's last spot tomorrow; another member hunts on its third today. */
async function openBoard(
  board: Claimboard,
  page: Page,
): Promise<{ starred: Spot; claimed: Spot; mine: Spot; key: string }> {
  await board.anActiveEvent();
  const spots = await board.asAdmin<Spot[]>('GET', '/admin/respawns');
  const [, starred, claimed] = spots;
  const mine = spots.at(-1);
  if (!starred || !claimed || !mine) throw new Error('the catalogue has spots');
  await claim(board, claimed.id, 'Sable Quinn', today, 8);
  await claim(board, mine.id, 'Riley Ashdown', tomorrow, 16);
  const key = await board.aKey('Riley Ashdown');
  await signInWithKey(page, board.url, key.key_value, '/');
  await expect(section(page, claimed.category_name).getByRole('heading', { level: 3 })).toHaveText([
    claimed.name,
  ]);
  return { starred, claimed, mine, key: key.key_value };
}

test('a star is kept in every tab; its spot is on the shelf at once, and stays in its category', async ({
  board,
  page,
  context,
}) => {
  // Three boards, and a look at all of one by axe.
  test.slow();
  const { starred, claimed, mine } = await openBoard(board, page);
  const other = await context.newPage();
  await other.goto(board.url);
  await expect(star(other, starred.name)).toHaveAttribute('aria-pressed', 'false');

  await star(page, starred.name).scrollIntoViewIfNeeded();
  const before = await star(page, starred.name).boundingBox();
  expect([before?.width, before?.height]).toEqual([40, 40]);
  await star(page, starred.name).click();
  await expect(star(page, starred.name)).toHaveAttribute('aria-pressed', 'true');
  await expect(shelf(page)).toHaveText([mine.name, starred.name]);
  await expect(star(page, starred.name)).toBeFocused();
  const after = await star(page, starred.name).boundingBox();
  expect(after?.x, 'in its place').toBe(before?.x);
  // In other tabs the spot stays in place while the page is used.
  await expect(star(other, starred.name)).toHaveAttribute('aria-pressed', 'true');
  await other.reload();
  await expect(shelf(other)).toHaveText([mine.name, starred.name]);

  await page.reload();
  await expect(shelf(page)).toHaveText([mine.name, starred.name]);
  await star(page, claimed.name).click();
  await expect(shelf(page)).toHaveCount(3);
  // "Every spot stands in its category": a press on the shelf leads there.
  await expect(section(page, claimed.category_name).getByRole('heading', { level: 3 })).toHaveText([
    claimed.name,
  ]);
  await page.evaluate(() =>
    scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }),
  );
  await shelf(page).filter({ hasText: claimed.name }).press('Enter');
  const card = section(page, claimed.category_name).getByRole('article');
  await expect(card).toBeInViewport();
  await expect(card).toHaveClass(/ringed/);
  await expect(card.getByRole('link', { name: claimed.name })).toBeFocused();
  await expectNothingSerious(page);
});

test('stars follow the member to another browser, live', async ({ board, page, browser }) => {
  test.slow();
  const { starred, claimed, key } = await openBoard(board, page);
  await star(page, starred.name).click();
  await expect(shelf(page).filter({ hasText: starred.name })).toBeVisible();

  const other = await newPerson(browser);
  await signInWithKey(other, board.url, key, '/');
  await star(other, claimed.name).click();
  // Where the page is used, its spots stay in place.
  await expect(star(page, claimed.name)).toHaveAttribute('aria-pressed', 'true');
  await page.reload();
  for (const each of [other, page]) {
    for (const { name } of [claimed, starred])
      await expect(shelf(each).filter({ hasText: name })).toHaveCount(1);
  }

  await star(other, claimed.name).click();
  await expect(star(page, claimed.name)).toHaveAttribute('aria-pressed', 'false');
  await other.reload();
  await expect(star(other, starred.name)).toHaveAttribute('aria-pressed', 'true');
  await expect(star(other, claimed.name)).toHaveAttribute('aria-pressed', 'false');

  // Without the server the press is undone, with the reason.
  await other.context().setOffline(true);
  await star(other, claimed.name).click();
  await expect(other.getByText(`Couldn't star ${claimed.name}`)).toBeVisible();
  await expect(star(other, claimed.name)).toHaveAttribute('aria-pressed', 'false');
});

test('the next hunt is always in view; a press shows its date and outlines its card; the last claim can be repeated', async ({
  board,
  page,
}) => {
  const { mine } = await openBoard(board, page);
  const hunts = page.getByRole('complementary', { name: 'My hunts' });
  await expect(hunts).toContainText(`Next: ${mine.name}, SS+16`);
  await page.evaluate(() =>
    scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }),
  );
  await expect(hunts).toBeInViewport();

  await hunts.getByRole('button').click();
  await expect(page).toHaveURL(new RegExp(`date=${tomorrow}`));
  const card = page.getByRole('article').filter({ hasText: 'SS+16 to SS+20' });
  await expect(card).toBeInViewport();
  await expect(card).toContainText('SS+16 to SS+20');
  await expect(card).toHaveClass(/ringed/);
  const line = await hunts.boundingBox();
  const ringed = await card.boundingBox();
  expect(ringed?.y).toBeGreaterThan((line?.y ?? 0) + (line?.height ?? 0));

  // Today they have none: the same hours of the same spot are one press away.
  await goInApp(page, '/');
  await page.getByRole('link', { name: 'Again: 4 h at SS+16' }).click();
  await expect(page.getByRole('dialog')).toContainText('SS+16 to SS+20');
  await expect(page.getByRole('button', { name: 'Claim 4 h' })).toBeEnabled();
  await page.getByRole('button', { name: 'More options' }).click();
  await expect(page).toHaveURL(
    new RegExp(`/input\\?respawn=${mine.id}&date=${today}&hour=16&hours=4$`),
  );
  await expect(page.getByRole('button', { name: 'Submit 1 claim' })).toBeEnabled();
});

test('another member’s claim moves no spot during use: the tile names the claimant, on a phone too', async ({
  board,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { starred } = await openBoard(board, page);
  const tile = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: `Star ${starred.name}`, exact: true }) });
  await section(page, starred.category_name).getByRole('button', { name: /free/ }).click();
  await tile.scrollIntoViewIfNeeded();
  const before = await tile.boundingBox();
  await claim(board, starred.id, 'Old Bram', today, 4);
  await expect(tile.getByText('Old Bram')).toBeVisible();
  const after = await tile.boundingBox();
  expect([after?.x, after?.y]).toEqual([before?.x, before?.y]);
  await expectToFit(page);

  await page.reload();
  await expect(
    section(page, starred.category_name).getByRole('article').filter({ hasText: starred.name }),
  ).toContainText('Old Bram');
});
