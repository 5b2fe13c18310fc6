import type { Locator, Page } from '@playwright/test';
import { expectNothingSerious } from './axe.ts';
import {
  expect,
  expectToFit,
  goInApp,
  newPerson,
  serverSaveNow,
  signInWithKey,
  test,
} from './fixtures.ts';

const SPOT = 'Cobra Bastion';
const rowOf = (page: Page): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: SPOT, exact: true }) });
const freeHour = (page: Page, hour: number): Locator =>
  page.getByRole('link', { name: new RegExp(`^Claim ${SPOT} from SS\\+${hour},`) });
const claimButton = (page: Page, hours: number): Locator =>
  page.getByRole('button', { name: `Claim ${hours} h`, exact: true });
const barOf = (page: Page, name: string, start: number, end: number): Locator =>
  page.getByRole('button', { name: new RegExp(`^${name}, SS\\+${start} to SS\\+${end}, `) });

async function openTimeline(page: Page, url: string, key: string): Promise<void> {
  await signInWithKey(page, url, key, '/?view=timeline&search=cobra+bastion');
  await expect(freeHour(page, 14)).toBeVisible();
}

async function dragOver(page: Page, from: number, to: number): Promise<void> {
  await freeHour(page, from).hover();
  await page.mouse.down();
  await freeHour(page, to).hover();
}

test('one drag and Enter claim hours in the timeline; hours taken meanwhile shorten the selection', async ({
  board,
  page,
  browser,
}) => {
  await board.anActiveEvent();
  const riley = await board.aKey('Riley Ashdown');
  const sable = await board.aKey('Sable Quinn');
  const watcher = await newPerson(browser, { viewport: { width: 1440, height: 900 } });
  await openTimeline(watcher, board.url, sable.key_value);
  await page.setViewportSize({ width: 1440, height: 900 });
  await openTimeline(page, board.url, riley.key_value);
  const address = page.url();

  await dragOver(page, 14, 17);
  await expect(page.getByText(/^SS\+14 to SS\+18 · /)).toBeVisible();
  await expect(rowOf(watcher).getByText('Riley Ashdown is choosing')).toBeVisible();
  await page.mouse.up();
  await expect(claimButton(page, 4)).toBeFocused();
  await expectNothingSerious(page);

  const [spot] = (
    await board.asAdmin<{ id: number; name: string }[]>('GET', '/admin/respawns')
  ).filter(({ name }) => name === SPOT);
  const inTheWay = {
    respawn_id: spot?.id,
    character_name: 'Old Bram',
    date: serverSaveNow().date,
    hour_start: 17,
    hour_end: 20,
  };
  await board.asAdmin('POST', '/claims', { admin_submission: true, claims: [inTheWay] });
  await expect(claimButton(page, 3)).toBeFocused();
  await expect(
    page.getByText('Old Bram took SS+17 to SS+20. SS+14 to SS+17 is still free.'),
  ).toBeVisible();

  await page.keyboard.press('Enter');
  await expect(page.getByText(`You claimed ${SPOT}, SS+14 to SS+17`)).toBeVisible();
  await expect(barOf(page, 'Riley Ashdown', 14, 17)).toBeVisible();
  await expect(barOf(watcher, 'Riley Ashdown', 14, 17)).toBeVisible();
  expect(page.url()).toBe(address);
  // A member cannot take it back.
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(rowOf(page)).toHaveClass(/ringed/);
  await expect(rowOf(page)).toBeInViewport();
  expect(new URL(page.url()).searchParams.get('search')).toBe('cobra bastion');
});

test('with the keyboard alone a stretch is chosen and claimed', async ({ board, page }) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  await openTimeline(page, board.url, key.key_value);
  await freeHour(page, 14).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(page.getByText(/^SS\+15 to SS\+18 · /)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(claimButton(page, 3)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(barOf(page, 'Riley Ashdown', 15, 18)).toBeVisible();
});

test('More options opens the form with the hours; Back returns to the same board with the claim outlined', async ({
  board,
  page,
}) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  await openTimeline(page, board.url, key.key_value);
  await page.getByRole('button', { name: 'Next day' }).click();
  await expect(page).toHaveURL(/date=/);
  const date = new URL(page.url()).searchParams.get('date');
  await dragOver(page, 20, 22);
  await page.mouse.up();
  await page.getByRole('button', { name: 'More options' }).click();
  await expect(page).toHaveURL(new RegExp(`/input\\?respawn=\\d+&date=${date}&hour=20&hours=3$`));
  await expect(page.getByRole('combobox', { name: 'Spot' })).toHaveValue(SPOT);
  await expect(page.getByRole('button', { name: /^SS\+20,/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.getByRole('button', { name: 'Submit 1 claim' }).click();
  await page.getByRole('link', { name: 'View Claims on Main Page' }).click();
  await expect(page).toHaveURL(
    (url) => url.searchParams.get('view') === 'timeline' && url.searchParams.get('date') === date,
  );
  await expect(rowOf(page)).toHaveClass(/ringed/);
  await expect(barOf(page, 'Riley Ashdown', 20, 23)).toBeVisible();
});

test("a card's name and hours are targets of 24 px or more that do not cover each other", async ({
  board,
  browser,
}) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  const { date } = serverSaveNow();
  await board.asAdmin('POST', '/claims', {
    admin_submission: true,
    claims: [
      { character_name: 'Riley Ashdown', respawn_id: 5, date, hour_start: 23, hour_end: 24 },
    ],
  });
  for (const hasTouch of [false, true]) {
    const page = await newPerson(browser, { hasTouch, isMobile: hasTouch });
    await signInWithKey(page, board.url, key.key_value, '/');
    const card = page.getByRole('article').filter({ hasText: 'Riley Ashdown' }).first();
    const name = await card.getByRole('heading').getByRole('link').boundingBox();
    const hours = await card.locator('h3 ~ p button').first().boundingBox();
    if (!name || !hours) throw new Error('a target is not shown');
    expect(Math.min(name.height, hours.height)).toBeGreaterThanOrEqual(24);
    expect(hours.y - (name.y + name.height)).toBeGreaterThan(-0.5);
  }
});

test('on a phone two taps claim; scrolling claims nothing, and the handles are large enough', async ({
  board,
  browser,
}) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  const page = await newPerson(browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await signInWithKey(page, board.url, key.key_value, '/?search=cobra+bastion');
  const tile = page.getByRole('link', { name: `Claim ${SPOT}`, exact: true });
  await tile.tap();
  await expect(claimButton(page, 4)).toBeVisible();
  await expectToFit(page);
  await expectNothingSerious(page);
  for (const name of ['Start', 'End']) {
    const { width = 0, height = 0 } =
      (await page.getByRole('slider', { name }).boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(40);
  }
  await claimButton(page, 4).tap();
  // In the evening of the member, who has no claim yet.
  await expect(page.getByText(`You claimed ${SPOT}, SS+`)).toBeVisible();
  await expect(page.getByRole('article').filter({ hasText: 'Riley Ashdown' })).toBeVisible();
});

test('on a phone a finger along a strip draws hours, a tap on the day moves them, and the next day keeps them', async ({
  board,
  browser,
}) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  const page = await newPerson(browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await signInWithKey(page, board.url, key.key_value, '/?search=cobra+bastion');
  const tile = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: `Claim ${SPOT}`, exact: true }) });
  const {
    x = 0,
    y = 0,
    width = 0,
    height = 0,
  } = (await tile.locator('[data-strip]').boundingBox()) ?? {};
  const touch = await page.context().newCDPSession(page);
  const at = (hour: number): { x: number; y: number } => ({
    x: x + ((hour + 0.5) * width) / 24,
    y: y + height / 2,
  });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(8)] });
  for (const hour of [9, 10])
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(hour)] });
  const label = page.getByRole('status').filter({ hasText: /^SS\+8 to SS\+11 · / });
  await expect(label).toBeVisible();
  // It is above the tile, where neither the finger nor the spot's name is.
  const above = await label.boundingBox();
  const below = await tile.boundingBox();
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  // A second finger on other hours, which moves and leaves, changes nothing.
  const first = { ...at(10), id: 0 };
  for (const [type, touchPoints] of [
    ['touchStart', [first, { ...at(18), id: 1 }]],
    ['touchMove', [first, { ...at(20), id: 1 }]],
    ['touchMove', [first]],
  ] as const) {
    await touch.send('Input.dispatchTouchEvent', { type, touchPoints: [...touchPoints] });
    await expect(label).toBeVisible();
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(claimButton(page, 3)).toBeVisible();

  const sheet = page.getByRole('dialog', { name: SPOT });
  const day = (await sheet.locator('[data-track]').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  await page.touchscreen.tap(day.x + (18.5 * day.width) / 24, day.y + day.height / 2);
  await expect(sheet.getByText(/^SS\+18 to SS\+21 · /)).toBeVisible();
  await sheet.getByRole('button', { name: 'Next day' }).tap();
  await expect(sheet.getByText(/^SS\+18 to SS\+21 · /)).toBeVisible();
  await expectToFit(page);
  await expectNothingSerious(page);
  await claimButton(page, 3).tap();
  await page.getByRole('button', { name: 'Show', exact: true }).tap();
  await expect(page).toHaveURL(/date=/);
  await expect(page.getByRole('article').filter({ hasText: 'SS+18 to SS+21' })).toBeVisible();
});

test('pointing at a tile’s strip shows its hour below it, and a drag’s label does not cover the spot’s name', async ({
  board,
  page,
}) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  await signInWithKey(page, board.url, key.key_value, '/?search=cobra+bastion');
  const tile = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: `Claim ${SPOT}`, exact: true }) });
  const {
    x = 0,
    y = 0,
    width = 0,
    height = 0,
  } = (await tile.locator('[data-strip]').boundingBox()) ?? {};
  const over = (hour: number): [number, number] => [
    x + ((hour + 0.5) * width) / 24,
    y + height / 2,
  ];
  const hint = page.getByText(/^SS\+16 · .* your time$/);
  await expect(async () => {
    await page.mouse.move(...over(3));
    await page.mouse.move(...over(16));
    await expect(hint).toBeVisible({ timeout: 500 });
  }).toPass();
  expect((await hint.boundingBox())?.y).toBeGreaterThan(y + height);
  await page.mouse.down();
  await page.mouse.move(...over(18), { steps: 4 });
  const label = page.getByRole('status').filter({ hasText: /^SS\+16 to SS\+19 · / });
  expect((await label.boundingBox())?.y).toBeGreaterThan(y + height);
  await expect(hint).toHaveCount(0);
  await page.mouse.up();
  // The popover stays where it is while its hours are dragged.
  const popover = page.getByRole('dialog', { name: `Claim ${SPOT}` });
  await popover.evaluate((element) =>
    Promise.all(element.getAnimations().map((animation) => animation.finished)),
  );
  const before = await popover.boundingBox();
  const day = (await popover.locator('[data-track]').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  const onDay = (hour: number): [number, number] => [
    day.x + ((hour + 0.5) * day.width) / 24,
    day.y + day.height / 2,
  ];
  await page.mouse.move(...onDay(17));
  await page.mouse.down();
  await page.mouse.move(...onDay(7), { steps: 5 });
  await page.mouse.up();
  await expect(popover.getByText(/^SS\+6 to SS\+9 · /)).toBeVisible();
  expect(await popover.boundingBox()).toEqual(before);
});

test('a scrolling finger, down over the tiles or along the hours, starts no claim', async ({
  board,
  browser,
}) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  const page = await newPerson(browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await signInWithKey(page, board.url, key.key_value, '/?show=unclaimed');
  const touch = await page.context().newCDPSession(page);
  /** Swipes with one finger, which may scroll the page. */
  const swipe = async (on: Locator, xDistance: number, yDistance: number): Promise<void> => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await on.boundingBox()) ?? {};
    const from = { x: Math.min(x + width / 2, 380), y: y + height / 2 };
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
    for (let step = 1; step <= 10; step += 1) {
      const at = { x: from.x + (xDistance * step) / 10, y: from.y + (yDistance * step) / 10 };
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at] });
    }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };

  const tile = page.getByRole('link', { name: `Claim ${SPOT}`, exact: true });
  await expect(tile).toBeVisible();
  await swipe(tile, 0, -300);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await goInApp(page, '/?view=timeline&search=cobra+bastion');
  await expect(freeHour(page, 2)).toBeVisible();
  await swipe(freeHour(page, 3), -200, 0);
  const scrolled = (): Promise<number> =>
    rowOf(page).evaluate((row) => row.closest('[role="rowgroup"]')?.parentElement?.scrollLeft ?? 0);
  await expect.poll(scrolled).toBeGreaterThan(100);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText(/^SS\+\d+ to SS\+\d+ · /)).toHaveCount(0);
  // While the strip still glides, a tap only stops it.
  await expect
    .poll(async () => {
      const before = await scrolled();
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
      return (await scrolled()) - before;
    })
    .toBe(0);
  await freeHour(page, 12).tap();
  await expect(claimButton(page, 4)).toBeVisible();
});

test('dragging across a card’s strip claims those hours', async ({ board, page }) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  const [spot] = (
    await board.asAdmin<{ id: number; name: string }[]>('GET', '/admin/respawns')
  ).filter(({ name }) => name === SPOT);
  const first = {
    respawn_id: spot?.id,
    character_name: 'Old Bram',
    date: serverSaveNow().date,
    hour_start: 2,
    hour_end: 6,
  };
  await board.asAdmin('POST', '/claims', { admin_submission: true, claims: [first] });
  await signInWithKey(page, board.url, key.key_value, '/?search=cobra+bastion');
  const strip = page.getByRole('article').getByRole('button', { name: /^.*Taken: SS\+2 to SS\+6/ });
  const { x = 0, y = 0, width = 0, height = 0 } = (await strip.boundingBox()) ?? {};
  const over = (hour: number): [number, number] => [
    x + ((hour + 0.5) * width) / 24,
    y + height / 2,
  ];
  await page.mouse.move(...over(9));
  await page.mouse.down();
  await page.mouse.move(...over(7));
  await page.mouse.move(...over(0), { steps: 4 });
  await page.mouse.up();
  // From SS+9 back to the claim that ends at SS+6.
  await page.getByRole('button', { name: 'Claim 4 h' }).click();
  await expect(page.getByText(`You claimed ${SPOT}, SS+6 to SS+10`)).toBeVisible();
});
