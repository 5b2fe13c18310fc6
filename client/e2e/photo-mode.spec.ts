import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { readableShade } from '../ui/readable-shade.ts';
import {
  ALL_SPOTS,
  type Claimboard,
  eventAroundToday,
  expect,
  newPerson,
  signInWithKey,
  test,
} from './fixtures.ts';

test.use({ pictures: true });

interface Spot {
  id: number;
  name: string;
  image_url: string;
  category_id: number;
  category_name: string;
}

/** The last day of the event: without the mark of the present hour. */
const date = eventAroundToday().end_date;
const MEMBER = readableShade('#3182ce', '#ffffff');
const ELITE = '#805ad5';

/** A category in which so many spots are claimed on the day, each for four hours: the last one by an elite. */
async function aClaimedCategory(
  board: Claimboard,
  count: number,
): Promise<{ name: string; spots: Spot[] }> {
  await board.anActiveEvent();
  const all = await board.asAdmin<Spot[]>('GET', '/admin/respawns');
  const name =
    all.find((spot) => all.filter((other) => other.category_id === spot.category_id).length > count)
      ?.category_name ?? '';
  const spots = all
    .filter((spot) => spot.category_name === name)
    .sort((a, b) => a.name.localeCompare(b.name));
  for (const [index, spot] of spots.slice(0, count).entries()) {
    const claim = {
      respawn_id: spot.id,
      character_name: `Hunter ${'ABCDEFGHIJKLMNOP'.charAt(index)}`,
      date,
      hour_start: 8,
      hour_end: 12,
    };
    const member_type = index === count - 1 ? 'elite' : 'member';
    await board.asAdmin('POST', '/claims', {
      admin_submission: true,
      member_type,
      claims: [claim],
    });
  }
  return { name, spots };
}

async function openAsMember(page: Page, board: Claimboard, address: string): Promise<void> {
  const key = await board.aKey('Riley Ashdown');
  await signInWithKey(page, board.url, key.key_value, '/favicon.svg');
  // A picture may never load.
  await page.goto(board.url + address, { waitUntil: 'domcontentloaded' });
  await expect(page.getByRole('heading', { name: /Vouchers from/ })).toBeVisible();
}

const taker = (page: Page, title: string) =>
  page.getByRole('button', { name: `Screenshot: ${title}`, exact: true });

async function take(page: Page, title: string): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), taker(page, title).click()]);
  return download;
}

interface Picture {
  width: number;
  height: number;
  /** How many pixels have each colour, and how many of them in the lowest quarter. */
  pixels: Record<string, number>;
  lowest: Record<string, number>;
}

/** Decodes the saved file as any program that shows pictures would. */
async function decode(page: Page, download: Download): Promise<Picture> {
  const file = await readFile(await download.path());
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    if (!context) throw new Error('no canvas');
    context.drawImage(bitmap, 0, 0);
    const hex = (pixel: number): string => {
      const red = pixel & 255;
      const green = (pixel >> 8) & 255;
      const blue = (pixel >> 16) & 255;
      const alpha = pixel >>> 24;
      return alpha === 255
        ? `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`
        : 'see-through';
    };
    const count = (from: number): Record<string, number> => {
      const { data } = context.getImageData(0, from, width, height - from);
      const counts = new Map<number, number>();
      for (const pixel of new Uint32Array(data.buffer))
        counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
      return Object.fromEntries([...counts].map(([pixel, found]) => [hex(pixel), found]));
    };
    return { width, height, pixels: count(0), lowest: count(Math.floor(height * 0.75)) };
  }, file.toString('base64'));
}

test('a category is saved as a picture: all of its cards, in the member types’ colours and those of the theme', {
  tag: ALL_SPOTS,
}, async ({ board, browser }) => {
  const page = await newPerson(browser, { viewport: { width: 1280, height: 720 } });
  const { name, spots } = await aClaimedCategory(board, 14);
  // One picture of a spot is broken: the others are none the worse for it.
  await page.route(`**${spots[1]?.image_url}`, (route) => route.abort());
  await openAsMember(page, board, `/?photoMode=true&date=${date}`);
  await expect(page.getByRole('list', { name: /^Unclaimed spots/ })).toHaveCount(0);
  const fileName = `${name.toLowerCase()}-${date}.png`;
  for (const { theme, ground, card, free } of [
    { theme: 'dark', ground: '#0f1319', card: '#161c25', free: '#222c39' },
    { theme: 'light', ground: '#f4f5f8', card: '#ffffff', free: '#e9edf2' },
  ] as const) {
    await page.emulateMedia({ colorScheme: theme });
    const download = await take(page, name);
    expect(download.suggestedFilename()).toBe(fileName);
    await expect(page.getByText(`Screenshot saved as ${fileName}`).first()).toBeVisible();

    const { width, height, pixels, lowest } = await decode(page, download);
    const of = (hex: string): number => (pixels[hex] ?? 0) / (width * height);
    // Four columns of cards and four rows, two pixels for one.
    expect(width).toBeGreaterThan(2_500);
    expect(height).toBeGreaterThan(1_400);
    expect(height).toBeLessThan(3_000);
    // A bar of four hours has some 4,600 pixels without its letter, and a badge some 3,300; thirteen claims are members', one is an
    // elite's, in the last row.
    expect(pixels[MEMBER]).toBeGreaterThan(13 * 6_500);
    expect(pixels[MEMBER]).toBeLessThan(13 * 9_300);
    expect(lowest[ELITE]).toBeGreaterThan(3_000);
    // Twenty free hours on each card, 15 by 20 pixels, with a line at the end of each.
    expect(pixels[free]).toBeGreaterThan(14 * 20 * 4 * 15 * 20 * 0.88);
    expect(pixels[free]).toBeLessThan(14 * 20 * 4 * 15 * 20 * 0.96);
    // The page's own colours, opaque, and nothing black that should not be.
    expect(of(ground)).toBeGreaterThan(0.1);
    expect(of(card)).toBeGreaterThan(0.3);
    expect(of('#000000')).toBeLessThan(0.01);
    expect(pixels['see-through']).toBeUndefined();

    // The page is unchanged.
    await expect(page.getByRole('heading', { name, exact: true, includeHidden: true })).toHaveCount(
      1,
    );
    await expect(taker(page, name)).toBeFocused();
  }
});

test('waits 15 seconds for a picture that never loads', async ({ board, page }) => {
  const { name, spots } = await aClaimedCategory(board, 2);
  await page.clock.install();
  await page.route(`**${spots[0]?.image_url}`, () => {});
  await openAsMember(page, board, `/?photoMode=true&date=${date}`);
  const downloading = page.waitForEvent('download');
  await taker(page, name).click();
  await expect(taker(page, name)).toHaveAttribute('aria-busy', 'true');
  await expect(page.locator('[inert]')).toBeAttached();
  await page.clock.fastForward(15_000);
  const { pixels } = await decode(page, await downloading);
  expect(pixels[ELITE]).toBeGreaterThan(4_000);
});

test('a failed screenshot says so and can be repeated; a deleted category is reported', async ({
  board,
  page,
}) => {
  const { name, spots } = await aClaimedCategory(board, 2);
  const script = '**/static/take-picture-*.js';
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(script, (route) => route.abort());
  await openAsMember(page, board, `/?photoMode=true&date=${date}`);
  await taker(page, name).click();
  await expect(page.getByText('Failed to take screenshot. Please try again.')).toBeVisible();
  // Where a browser keeps what it could not fetch for as long as the page, this is what helps.
  await expect(page.getByRole('button', { name: 'Reload the page' })).toBeVisible();

  await page.unroute(script);
  await expect(taker(page, name)).toBeFocused();
  await take(page, name);

  // An admin deletes the category just before the screenshot.
  await page.route(script, async (route) => {
    await released;
    await route.continue();
  });
  await page.reload();
  await taker(page, name).click();
  await expect(taker(page, name)).toHaveAttribute('aria-busy', 'true');
  await board.asAdmin('DELETE', `/categories/${spots[0]?.category_id}`);
  await expect(taker(page, name)).toHaveCount(0);
  release();
  await expect(page.getByText('Could not find the category section to screenshot.')).toBeVisible();
});
