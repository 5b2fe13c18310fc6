import type { Page } from '@playwright/test';
import { isLong } from '../../server/dev/test/scope.ts';
import {
  ALL_SPOTS,
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
}

const { date } = serverSaveNow();
const EVERY_OTHER = 2;
const WIDTHS = isLong ? ([390, 768, 1280, 1440, 1920] as const) : ([390, 1280, 1920] as const);

const hunter = (index: number): string =>
  `Hunter ${[...String(index)].map((digit) => 'ABCDEFGHIJ'.charAt(Number(digit))).join('')}`;

/** Every other spot of the catalogue is claimed today. @returns who claimed them, and how many spots there are */
async function aBusyBoard(board: Claimboard): Promise<{ claimants: string[]; spots: number }> {
  await board.anActiveEvent();
  const spots = await board.asAdmin<Spot[]>('GET', '/admin/respawns');
  const claims = spots
    .map(({ id }, index) => ({
      respawn_id: id,
      character_name: hunter(index),
      date,
      hour_start: 2,
      hour_end: 6,
    }))
    .filter((_, index) => index % EVERY_OTHER === 0);
  await board.asAdmin('POST', '/claims', { admin_submission: true, member_type: 'member', claims });
  return { claimants: claims.map(({ character_name }) => character_name), spots: spots.length };
}

/** The lowest and the highest that the page is while it is scrolled from top to bottom, by half a screen each time. */
const scrollThrough = (page: Page): Promise<{ lowest: number; highest: number }> =>
  page.evaluate(async () => {
    const { documentElement: html } = document;
    const heights = [html.scrollHeight];
    for (let top = 0; top < html.scrollHeight; top += innerHeight / 2) {
      scrollTo({ top, behavior: 'instant' });
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      heights.push(html.scrollHeight);
    }
    return { lowest: Math.min(...heights), highest: Math.max(...heights) };
  });

/** The browser's search finds a spot whose category is folded. */
async function expectFolded(page: Page): Promise<void> {
  const [line] = await page
    .getByRole('button', { name: /free/, expanded: false })
    .locator('span')
    .allInnerTexts();
  const name = line?.split(', ').at(-1) ?? '';
  expect(name).not.toBe('');
  expect(await find(page, name)).toBe(true);
}

const find = (page: Page, text: string): Promise<boolean> =>
  page.evaluate(
    (name) => 'find' in window && typeof window.find === 'function' && window.find(name),
    text,
  );

/** Shows the free spots of all categories that are one line. */
async function unfold(page: Page): Promise<void> {
  const folded = page.getByRole('button', { name: /free/, expanded: false });
  while ((await folded.count()) > 0) await folded.first().click();
}

test('the whole board is in the page, at a stable height while scrolling; the browser’s search finds and shows every spot', {
  tag: ALL_SPOTS,
}, async ({ board, page }) => {
  // Several widths of a long page.
  test.slow();
  const { claimants, spots } = await aBusyBoard(board);
  const { key_value } = await board.aKey('Riley Ashdown');
  const freeSpots = page.getByRole('list', { name: /^Unclaimed spots/ }).getByRole('listitem');
  await page.setViewportSize({ width: WIDTHS[0], height: 900 });
  await signInWithKey(page, board.url, key_value, '/');
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    // One of which nothing has been in view at any width.
    if (width !== WIDTHS[0]) await goInApp(page, '/');
    await expect(page.getByRole('article')).toHaveCount(claimants.length);
    if (width === WIDTHS[0]) await expectFolded(page);
    await unfold(page);
    await expect(page.getByRole('article').or(freeSpots)).toHaveCount(spots);
    // Without any scrolling.
    await expect(page.getByText(/^Hunter [A-J]+$/)).toHaveCount(claimants.length);
    await expect(page.locator('main [data-spot]:visible')).toHaveCount(spots);
    expect(await page.evaluate(() => document.body.innerText.match(/Hunter [A-J]+/g)?.length)).toBe(
      claimants.length,
    );

    const { lowest, highest } = await scrollThrough(page);
    expect(highest - lowest, `at ${width} px`).toBeLessThanOrEqual(2);

    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    const last = page.getByText(/^Hunter [A-J]+$/).last();
    await expect(last).not.toBeInViewport();
    expect(await find(page, await last.innerText())).toBe(true);
    await expect(last).toBeInViewport();
    await goInApp(page, '/mine');
  }
});
