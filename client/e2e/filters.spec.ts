import type { Locator, Page } from '@playwright/test';
import {
  type Claimboard,
  expect,
  goInApp,
  serverSaveNow,
  signInWithKey,
  test,
} from './fixtures.ts';

interface Spot {
  id: number;
  name: string;
  category_id: number;
  category_name: string;
}

const DAY_MS = 86_400_000;
const { date: today, hour } = serverSaveNow();
const tomorrow = new Date(Date.parse(today) + DAY_MS).toISOString().slice(0, 10);
/** Four hours around this one. */
const nowish = {
  hour_start: Math.max(0, Math.min(hour - 1, 20)),
  hour_end: Math.max(0, Math.min(hour - 1, 20)) + 4,
};

const cards = (page: Page): Locator => page.getByRole('article');
const tiles = (page: Page): Locator =>
  page.getByRole('list', { name: /^Unclaimed spots/ }).getByRole('listitem');
const showing = (page: Page): Locator => page.getByRole('radiogroup', { name: 'Show' });
const choose = (page: Page, show: string): Promise<void> =>
  showing(page).getByRole('radio', { name: show, exact: true }).check();

/** Two spots in different categories: one is hunted at now, the other is claimed for tomorrow. */
async function twoClaims(board: Claimboard): Promise<{ hunted: Spot; later: Spot; all: Spot[] }> {
  const all = await board.asAdmin<Spot[]>('GET', '/admin/respawns');
  const [hunted] = all;
  const later = all.find((spot) => spot.category_id !== hunted?.category_id);
  if (!hunted || !later) throw new Error('the catalogue has spots in several categories');
  const claims = [
    { respawn_id: hunted.id, character_name: 'Sable Quinn', date: today, ...nowish },
    { respawn_id: later.id, character_name: 'Old Bram', date: tomorrow, ...nowish },
  ];
  for (const claim of claims)
    await board.asAdmin('POST', '/claims', {
      admin_submission: true,
      member_type: 'member',
      claims: [claim],
    });
  return { hunted, later, all };
}

async function openAsMember(page: Page, board: Claimboard, path = '/'): Promise<void> {
  const key = await board.aKey('Riley Ashdown');
  await signInWithKey(page, board.url, key.key_value, path);
}

test('all, claimed, free and now filter the spots, and the address keeps the choice', async ({
  board,
  page,
}) => {
  await board.anActiveEvent();
  const { hunted, later, all } = await twoClaims(board);
  await openAsMember(page, board);
  await expect(cards(page)).toHaveCount(1);
  await expect(tiles(page)).toHaveCount(all.length - 1);
  await expect(
    tiles(page).filter({ hasText: later.name }).getByRole('button', { name: '1 other day' }),
  ).toBeVisible();

  await choose(page, 'Claimed');
  await expect(tiles(page)).toHaveCount(0);
  await expect(cards(page).getByRole('heading', { level: 3 })).toHaveText([hunted.name]);
  await expect(page).toHaveURL(/show=claimed/);

  await choose(page, 'Free');
  await expect(cards(page)).toHaveCount(0);
  await expect(tiles(page)).toHaveCount(all.length - 1);
  await expect(tiles(page).getByText(hunted.name, { exact: true })).toHaveCount(0);

  await choose(page, 'Now');
  await expect(cards(page).getByRole('heading', { level: 3 })).toHaveText([hunted.name]);
  await expect(tiles(page)).toHaveCount(0);
  await expect(page).toHaveURL(/show=active/);
  await page.reload();
  await expect(cards(page).getByRole('heading', { level: 3 })).toHaveText([hunted.name]);
});

test('categoryFilter in the address shows one category, as choosing it does', async ({
  board,
  page,
}) => {
  await board.anActiveEvent();
  const { later, all } = await twoClaims(board);
  await openAsMember(page, board, `/?categoryFilter=${later.category_id}`);
  const sections = page.getByRole('main').getByRole('region').getByRole('heading', { level: 2 });
  await expect(sections).toHaveText([later.category_name]);
  const inside = all.filter((spot) => spot.category_id === later.category_id).length;
  await expect(tiles(page)).toHaveCount(inside);
  const categories = page.getByRole('list', { name: 'Categories' });
  await expect(categories.getByRole('button', { pressed: true })).toHaveText(
    `${later.category_name} ${inside}`,
  );
  await categories.getByRole('button', { name: /^All spots/ }).click();
  await expect(page).not.toHaveURL(/categoryFilter/);
  await expect(tiles(page)).toHaveCount(all.length - 1);
});

test('Back returns through days, views and filters, one at a time, and then leaves the board', async ({
  board,
  page,
}) => {
  await board.anActiveEvent();
  await openAsMember(page, board, '/statistics');
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  const chosenDay = page
    .getByRole('radiogroup', { name: 'Date', exact: true })
    .getByRole('radio', { checked: true });
  const first = await chosenDay.getAttribute('aria-label');
  await page.getByRole('button', { name: 'Next day' }).click();
  await expect(page).toHaveURL(`${board.url}/?date=${tomorrow}`);
  await page.getByRole('radio', { name: 'Timeline' }).check();
  await expect(page).toHaveURL(/view=timeline/);
  await page
    .getByRole('searchbox', { name: 'Search spots or characters' })
    .pressSequentially('cobra');
  await expect(page).toHaveURL(/search=cobra/);

  await page.goBack();
  await expect(page.getByRole('searchbox', { name: 'Search spots or characters' })).toHaveValue('');
  await expect(page.getByRole('grid')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(`${board.url}/?date=${tomorrow}`);
  await expect(page.getByRole('grid')).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(`${board.url}/`);
  await expect(chosenDay).toHaveAttribute('aria-label', first ?? '');
  await page.goForward();
  await expect(page).toHaveURL(`${board.url}/?date=${tomorrow}`);
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(`${board.url}/statistics`);
});

test('a sort makes one list of all: by name, or those with the most claims first', async ({
  board,
  page,
}) => {
  await board.anActiveEvent();
  const { hunted, later, all } = await twoClaims(board);
  await openAsMember(page, board, '/?sort=alphabetical');
  await expect(cards(page)).toHaveCount(all.length);
  const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare;
  await expect(cards(page).getByRole('heading', { level: 3 })).toHaveText(
    all.map((spot) => spot.name).sort(byName),
  );
  await expect(page.getByRole('heading', { level: 2, name: 'Alphabetical' })).toBeVisible();
  await goInApp(page, '/?sort=most_claims');
  const first = cards(page).getByRole('heading', { level: 3 });
  await expect(first.first()).toHaveText([hunted.name, later.name].sort(byName)[0] ?? '');
  await expect(cards(page)).toHaveCount(all.length);
});

test('nothing found says so, and clearing the filters brings everything back', async ({
  board,
  page,
}) => {
  await board.anActiveEvent();
  const { all, hunted } = await twoClaims(board);
  await openAsMember(page, board);
  const search = page.getByRole('searchbox', { name: 'Search spots or characters' });
  await search.fill('sable');
  await expect(cards(page).getByRole('heading', { level: 3 })).toHaveText([hunted.name]);
  await search.fill('a dragon that is not there');
  await expect(page.getByText('No matching spots')).toBeVisible();
  await expect(cards(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(cards(page)).toHaveCount(1);
  await expect(tiles(page)).toHaveCount(all.length - 1);
  await expect(search).toHaveValue('');
});

test('in a single_claim event there are only all and now', async ({ board, page }) => {
  const event = await board.anActiveEvent({ type: 'single_claim' });
  const [spot] = await board.asAdmin<Spot[]>('GET', '/admin/respawns');
  const claim = {
    respawn_id: spot?.id,
    character_name: 'Sable Quinn',
    event_id: event.id,
    ...nowish,
  };
  await board.asAdmin('POST', '/claims', {
    admin_submission: true,
    member_type: 'member',
    claims: [claim],
  });
  await openAsMember(page, board);
  await expect(showing(page).getByRole('radio')).toHaveCount(2);
  await expect(showing(page)).toHaveText(/^All\s*Now$/);
  await choose(page, 'Now');
  await expect(cards(page)).toHaveCount(1);
  await expect(tiles(page)).toHaveCount(0);
  // A link from a dated event asks for what there is not: all is shown.
  await goInApp(page, '/?show=unclaimed');
  await expect(showing(page).getByRole('radio', { name: 'All' })).toBeChecked();
  await expect(cards(page)).toHaveCount(1);
});
