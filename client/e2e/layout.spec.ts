import type { Locator, Page } from '@playwright/test';
import { isLong } from '../../server/dev/test/scope.ts';
import { expectNothingSerious } from './axe.ts';
import {
  ALL_SPOTS,
  type Claimboard,
  expect,
  expectToFit,
  goInApp,
  newPerson,
  serverSaveNow,
  signInAsAdmin,
  signInWithKey,
  test,
} from './fixtures.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const { date: today } = serverSaveNow();

const topOf = (page: Page, selector: string): Promise<number> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => element.getBoundingClientRect().top);

/** As tall as a finger needs, those of the bar and the dates; the line of hunts is one row of text, the whole of it to press. */
async function expectFingersToFit(page: Page): Promise<void> {
  const small = await page.evaluate(() => {
    const main = document.querySelector('main');
    const first = main?.querySelector('article, [role="grid"]')?.getBoundingClientRect().top ?? 0;
    return [...(main?.querySelectorAll('a[href], button, input, select') ?? [])]
      .map((element) => ({
        element,
        box: (element.closest('label') ?? element).getBoundingClientRect(),
      }))
      .filter(
        ({ element, box }) =>
          !element.closest('[data-hunts]') &&
          box.width > 0 &&
          box.bottom <= first &&
          (box.height < 40 || box.width < 40),
      )
      .map(
        ({ element, box }) =>
          `${element.getAttribute('aria-label') ?? element.textContent}: ${box.width} by ${box.height}`,
      );
  });
  expect(small).toEqual([]);
}

async function aMemberWithAHunt(board: Claimboard): Promise<string> {
  await board.anActiveEvent();
  const { key_value } = await board.aKey('Riley Ashdown');
  const claim = {
    respawn_id: 5,
    character_name: 'Riley Ashdown',
    date: today,
    hour_start: 6,
    hour_end: 10,
  };
  await board.asAdmin('POST', '/claims', {
    admin_submission: true,
    member_type: 'member',
    claims: [claim],
  });
  return key_value;
}

test('on a phone the dashboard’s head, with the menu of tabs, takes at most 120 px', async ({
  board,
  browser,
}) => {
  const page = await newPerson(browser, PHONE);
  for (const path of ['/admin/dashboard/claims', '/admin/dashboard/settings/guild']) {
    await signInAsAdmin(page, board.url, path);
    await expect(page.getByRole('region', { name: 'Guild status' })).toBeVisible();
    const menu = await page.getByRole('combobox', { name: 'Sections' }).boundingBox();
    const top = await topOf(page, 'main div:has(> h1)');
    expect((menu?.y ?? 0) + (menu?.height ?? 0) - top).toBeLessThanOrEqual(120);
    expect(menu?.height).toBeGreaterThanOrEqual(40);
  }
});

for (const view of ['cards', 'timeline'] as const) {
  test(`on a phone the ${view} starts within 190 px, below the event's dates and the member's next hunt`, async ({
    board,
    browser,
  }) => {
    const key = await aMemberWithAHunt(board);
    const page = await newPerson(browser, PHONE);
    await signInWithKey(page, board.url, key, `/?view=${view}`);
    const first = view === 'timeline' ? '[role="grid"]' : 'main section h2';
    await expect(page.locator(first).first()).toBeVisible();
    expect(await topOf(page, first)).toBeLessThanOrEqual(190);
    const title = page.getByRole('heading', { level: 1, name: /^Vouchers from/ });
    await expect(title).toBeInViewport({ ratio: 1 });
    const line = await title.boundingBox();
    expect(line?.width, 'for everybody, not only for screen readers').toBeGreaterThan(150);
    expect(line?.height, 'in one line').toBeLessThanOrEqual(20);
    // "A title reads 'Vouchers from {startDate} - {endDate}' (event name plus start and end dates)".
    const name = await page.getByText('Double week', { exact: true }).boundingBox();
    expect(Math.abs((name?.y ?? 0) - (line?.y ?? 0)), 'beside it').toBeLessThan(4);
    expect(name?.width, 'for everybody').toBeGreaterThan(50);
    await expectFingersToFit(page);
    await expectToFit(page);
    // The line of hunts is lower than a thumb: 40 px of the page press it all the same.
    const pressed = await page.evaluate(() => {
      const line = document.querySelector('[data-hunts]');
      const { top = 0, bottom = 0 } = line?.getBoundingClientRect() ?? {};
      return [top - 5, bottom + 2].map((y) => line?.contains(document.elementFromPoint(60, y)));
    });
    expect(pressed).toEqual([true, true]);

    // The dates stay in view, and the board below them.
    await page.evaluate(() => scrollTo({ top: 900, behavior: 'instant' }));
    const dates = await page.getByRole('radiogroup', { name: 'Date' }).boundingBox();
    expect(dates?.y).toBeGreaterThanOrEqual(46);
    expect(dates?.y).toBeLessThanOrEqual(84);
    await expect(page.getByRole('radio', { name: /, Today$/ })).toBeInViewport();
  });
}

test('a claim takes one line on a card of 345 px, with every badge', async ({ board, browser }) => {
  await board.anActiveEvent();
  const { key_value } = await board.aKey('Sir Bartholomew Thornwood', 'elite');
  const part = (part_number: number, hour_start: number): object => ({
    part_number,
    hour_start,
    duration: 2,
    respawn_id: 5,
  });
  const split = { is_split_claim: true, split_parts: [part(1, 0), part(2, 4)] };
  const claim = {
    respawn_id: 5,
    character_name: 'Sir Bartholomew Thornwood',
    date: today,
    hour_start: 0,
    ...split,
  };
  await board.asAdmin('POST', '/claims', {
    admin_submission: true,
    member_type: 'elite',
    claims: [claim],
  });
  const page = await newPerson(browser, { ...PHONE, viewport: { width: 377, height: 844 } });
  await signInWithKey(page, board.url, key_value, '/?show=claimed');
  const card = page.getByRole('article');
  expect((await card.boundingBox())?.width).toBe(345);
  for (const row of await card.getByRole('listitem').all()) {
    await expect(row).toContainText('Sir Bartholomew Thornwood');
    const line = row.locator(':scope > div').first();
    expect((await line.boundingBox())?.height).toBeLessThanOrEqual(41);
    expect(await line.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  }
  await expectToFit(page);
});

test('a claim made on a tile takes two lines, and on a phone its actions fit below it', async ({
  board,
  browser,
}) => {
  await board.anActiveEvent();
  await board.asAdmin('PUT', '/admin/config', {
    transfers_enabled: 1,
    standing_enabled: 1,
    release_enabled: 1,
  });
  const { key_value } = await board.aKey('Riley Ashdown');
  const page = await newPerson(browser, PHONE);
  await signInWithKey(page, board.url, key_value, '/');
  await expect(page.getByRole('button', { name: /free/ }).first()).toBeVisible();
  const spot = (await board.asAdmin<{ id: number; name: string }[]>('GET', '/admin/respawns')).find(
    ({ name }) => name === 'Cobra Bastion',
  );
  const claim = {
    respawn_id: spot?.id,
    character_name: 'Riley Ashdown',
    date: today,
    hour_start: 10,
    hour_end: 14,
  };
  await board.asAdmin('POST', '/claims', {
    admin_submission: true,
    member_type: 'member',
    claims: [claim],
  });
  const row = page.getByRole('article').filter({ hasText: 'Riley Ashdown' }).getByRole('listitem');
  const middleOf = async (part: Locator): Promise<number> => {
    const { y = 0, height = 0 } = (await part.boundingBox()) ?? {};
    return y + height / 2;
  };
  const [hours, type, name, you] = await Promise.all([
    middleOf(row.getByText('SS+10 to SS+14')),
    middleOf(row.getByText('member')),
    middleOf(row.getByText('Riley Ashdown')),
    middleOf(row.getByText('you', { exact: true })),
  ]);
  expect(Math.abs(hours - type)).toBeLessThan(12);
  expect(Math.abs(name - you)).toBeLessThan(12);
  expect(name).toBeGreaterThan(hours + 12);

  await goInApp(page, '/mine');
  const button = (label: RegExp): Locator => page.getByRole('button', { name: label });
  expect(await middleOf(button(/^More/))).toBe(await middleOf(button(/^Release/)));
  await button(/^More/).click();
  await expect(page.getByRole('menuitem')).toHaveText([
    'Hand over…',
    'Swap…',
    'Make this a weekly claim…',
    'Copy for Discord',
  ]);
  await expectToFit(page);
});

test('in the timeline only the page scrolls vertically, and the hours stay at the top', {
  tag: ALL_SPOTS,
}, async ({ board, page }) => {
  await signInWithKey(page, board.url, await aMemberWithAHunt(board), '/mine');
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
    { width: 844, height: 390 },
    // 1440 by 900 at twice its size.
    { width: 720, height: 450 },
  ]) {
    await page.setViewportSize(viewport);
    await goInApp(page, '/?view=timeline');
    const grid = page.getByRole('grid');
    await expect(grid.getByRole('row').nth(2)).toBeVisible();
    const scrolling = await grid.evaluate(
      (element) =>
        [element, ...element.querySelectorAll('*')].filter(
          (each) =>
            each.scrollHeight > each.clientHeight + 1 &&
            /auto|scroll/.test(getComputedStyle(each).overflowY),
        ).length,
    );
    expect(scrolling).toBe(0);
    const before = await grid.locator('[data-spot]').last().getAttribute('data-spot');
    await page.evaluate(() => scrollTo({ top: 4000, behavior: 'instant' }));
    await expect(grid.locator(`[data-spot="${before}"]`)).toHaveCount(0);
    const head = await grid.getByRole('columnheader').first().boundingBox();
    expect(head?.y).toBeGreaterThanOrEqual(47);
    expect(head?.y).toBeLessThan(viewport.height / 2);
    // Sideways the hours go with the rows.
    const [hours, rows] = await grid.evaluate((element) => {
      const [top, below] = element.children;
      below?.scrollTo({ left: 90, behavior: 'instant' });
      return [top, below].map((each) => each?.scrollWidth);
    });
    expect(hours).toBe(rows);
    await expect
      .poll(() =>
        grid.evaluate(
          (element) =>
            (element.children[0]?.scrollLeft ?? 0) - (element.children[1]?.scrollLeft ?? 0),
        ),
      )
      .toBe(0);
    await expectToFit(page);
  }
});

test('names in the timeline are complete, so that neighbours can be told apart', {
  tag: ALL_SPOTS,
}, async ({ board, page }) => {
  await signInWithKey(page, board.url, await aMemberWithAHunt(board), '/mine');
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of [
      'search=catacombs',
      'search=temple+moon',
      'search=nimmersatt',
      'search=steppe&sort=alphabetical',
    ]) {
      await goInApp(page, `/?view=timeline&${path}`);
      const names = page.getByRole('grid').locator('[data-spot] [role="rowheader"]');
      await expect(names.first()).toBeVisible();
      const cut = await names.evaluateAll((all) =>
        all
          .filter((each) =>
            [...each.querySelectorAll('span')].some(
              (part) =>
                part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth,
            ),
          )
          .map((each) => each.textContent),
      );
      expect(cut, `${path} at ${width} px`).toEqual([]);
    }
  }
});

for (const view of ['cards', 'timeline'] as const) {
  test(`on a phone the index jumps through the ${view}, also to sections that are not rendered yet, by touch and by keyboard`, {
    tag: ALL_SPOTS,
  }, async ({ board, browser }) => {
    const key = await aMemberWithAHunt(board);
    const page = await newPerson(browser, PHONE);
    await signInWithKey(page, board.url, key, `/?view=${view}`);
    const index = page.getByRole('button', { name: 'Jump to a category' });
    const headingOf = (category: string): Locator =>
      view === 'cards'
        ? page.getByRole('heading', { level: 2, name: category, exact: true })
        : page.getByRole('rowheader', { name: new RegExp(`^${category} \\d+ of `) });
    /** Right below the dates, in the timeline below the hours. */
    const expectAtTop = async (category: string): Promise<void> => {
      await expect(headingOf(category)).toBeInViewport({ ratio: 1 });
      const above =
        view === 'cards'
          ? page.getByRole('radiogroup', { name: 'Date' })
          : page.getByRole('columnheader').first();
      const distance = async (): Promise<number> => {
        const heading = await headingOf(category).boundingBox();
        const bar = await above.boundingBox();
        return (heading?.y ?? 0) - (bar?.y ?? 0) - (bar?.height ?? 0);
      };
      await expect.poll(distance).toBeLessThan(32);
      expect(await distance()).toBeGreaterThanOrEqual(-4);
    };

    await index.tap();
    await expect(page.getByRole('menuitem', { name: /^Oramond/ })).toBeVisible();
    await page.getByRole('menuitem', { name: /^Oramond/ }).tap();
    await expectAtTop('Oramond');
    // It stays there while the rest of the board is drawn.
    await page.waitForTimeout(1_000);
    await expectAtTop('Oramond');

    await index.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: /^Oramond/ })).toHaveAttribute(
      'aria-current',
      'true',
    );
    await page.getByRole('menuitem', { name: /^Edron/ }).focus();
    await page.keyboard.press('Enter');
    await expectAtTop('Edron');
    if (view === 'cards') await expect(headingOf('Edron')).toBeFocused();
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(
      () => document.activeElement?.closest('section')?.querySelector('h2')?.textContent ?? null,
    );
    if (view === 'cards') expect(focused).toBe('Edron');
    await expectFingersToFit(page);
    await expectToFit(page);

    // With a part of the board: it takes long to check all of it.
    if (view !== 'cards') return;
    await goInApp(page, '/?search=mines');
    await index.tap();
    await expect(page.getByRole('menuitem').nth(1)).toBeVisible();
    await expectNothingSerious(page, 'the open index');
  });
}

test('while the dashboard loads its tabs are in their place, and no footer is there to be pushed away', async ({
  board,
  page,
}) => {
  await board.anActiveEvent();
  await signInAsAdmin(page, board.url);
  const mayAnswer = Promise.withResolvers<void>();
  await page.route('**/api/snapshot*', async (route) => {
    await mayAnswer.promise;
    await route.continue();
  });
  await page.routeWebSocket(/./, () => {});
  await page.reload();
  await expect(page.getByRole('tablist')).toBeVisible();
  const before = await topOf(page, '[role="tablist"]');
  await expect(page.getByRole('contentinfo')).toBeHidden();
  mayAnswer.resolve();
  await expect(page.getByRole('button', { name: 'Claims open' })).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeVisible();
  expect(await topOf(page, '[role="tablist"]')).toBe(before);
});

test('on a low screen the line of hunts covers nothing: it ends where the search starts', async ({
  board,
  page,
}) => {
  await signInWithKey(page, board.url, await aMemberWithAHunt(board), '/mine');
  for (const viewport of [
    { width: 844, height: 390 },
    { width: 667, height: 375 },
    { width: 720, height: 450 },
  ]) {
    await page.setViewportSize(viewport);
    await goInApp(page, '/');
    await expect(page.locator('[data-hunts]')).toBeVisible();
    const search = await page.getByRole('searchbox').boundingBox();
    const hunts = await page.locator('[data-hunts]').boundingBox();
    const bar = await page.getByRole('banner').boundingBox();
    expect(hunts?.y, 'below the navigation').toBe((bar?.y ?? 0) + (bar?.height ?? 0));
    expect((hunts?.y ?? 0) + (hunts?.height ?? 0)).toBeLessThanOrEqual(search?.y ?? 0);
  }
});

/** One at which the menu has the links, and each width from which the header shows more: there is the least room for it. */
const BREAKPOINTS = [980, 1000, 1080, 1200, 1260, 1280, 1400, 1560, 1640];
/** Between them, closely where it was too narrow once. */
const OTHER_WIDTHS = [
  1040,
  ...Array.from({ length: 14 }, (_, i) => 1100 + 10 * i),
  1250,
  1300,
  1540,
  1600,
  1700,
];
const WIDTHS = isLong
  ? [...BREAKPOINTS, ...OTHER_WIDTHS]
  : [...BREAKPOINTS, 1040, 1120, 1160, 1230];
const LONG_NAME = 'Wolfgang Muhammadwali Stormmm';

async function expectNoOverlap(page: Page, who: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 700 });
    const overlaps = await page.getByRole('banner').evaluate((header) => {
      const boxes = [...header.querySelectorAll('a, button')]
        .map((element) => ({
          name: element.getAttribute('aria-label') ?? element.textContent,
          box: element.getBoundingClientRect(),
        }))
        .filter(({ box }) => box.width > 1)
        .sort((a, b) => a.box.left - b.box.left);
      const over = boxes.filter(
        ({ box }, i) => box.right > (boxes[i + 1]?.box.left ?? innerWidth) + 0.5,
      );
      return over.map(({ name }) => name);
    });
    expect(overlaps, `${who} at ${width} px`).toEqual([]);
    const settings = page
      .getByRole('banner')
      .locator('button[aria-haspopup="menu"]:visible')
      .filter({ hasText: /^(EN|ES|PT)$/ });
    await expect(settings, `language and appearance at ${width} px`).toHaveCount(
      width >= 1000 ? 1 : 0,
    );
  }
}

/** The address is loaded again in each language. */
async function inEachLanguage(
  page: Page,
  look: (language: string) => Promise<void>,
): Promise<void> {
  for (const language of ['en', 'es', 'pt']) {
    if (language !== 'en') {
      await page.evaluate((chosen) => localStorage.setItem('language', chosen), language);
      await page.reload();
    }
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await look(language);
  }
}

test('on a member’s claims no action covers a text, and the answers to an offer stand side by side, in any language', async ({
  board,
  page,
}) => {
  const settings = { release_enabled: 1, transfers_enabled: 1, standing_enabled: 1 };
  await board.asAdmin('PUT', '/admin/config', settings);
  const { key_value } = await board.aKey('Riley Ashdown');
  const date = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
  const claim = async (character_name: string, respawn_id: number, on: string) => {
    const claims = [{ respawn_id, character_name, date: on, hour_start: 20, hour_end: 24 }];
    const made = { admin_submission: true, claims };
    return (await board.asAdmin<{ id: number }[]>('POST', '/claims', made))[0];
  };
  await claim('Riley Ashdown', 5, date);
  const taken = await claim('Sable Quinn', 6, today);
  const hours = { respawn_id: 6, date: today, hour_start: 20, hour_end: 24 };
  const who = { character_name: 'Riley Ashdown', member_type: 'member' };
  await board.asAdmin('POST', '/waits', { ...hours, ...who });
  await board.asAdmin('DELETE', `/admin/claims/${taken?.id}`);
  await page.setViewportSize({ width: 1440, height: 900 });
  await signInWithKey(page, board.url, key_value, '/mine');
  await inEachLanguage(page, async (language) => {
    const actions = page.locator('main li [class*="actions"]').first();
    const answers = page.locator('section[data-held] [class*="actions"] > *');
    await expect(answers).toHaveCount(2);
    for (const width of [1440, 1000, 820]) {
      await page.setViewportSize({ width, height: 900 });
      const gap = await actions.evaluate((element) => {
        const text = document.createRange();
        if (element.previousElementSibling) text.selectNodeContents(element.previousElementSibling);
        return element.getBoundingClientRect().left - text.getBoundingClientRect().right;
      });
      expect(gap, `${language} at ${width} px`).toBeGreaterThanOrEqual(0);
      const tops = await answers.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().top),
      );
      expect(new Set(tops).size, `${language} at ${width} px`).toBe(1);
    }
  });
});

test('the Characters tab is no wider than the page, in any language', async ({ board, page }) => {
  // A pending one has a verification code, a verified one an access key: the two widest columns.
  await board.asAdmin('POST', '/generate-verification-code', { character_name: 'Riley Ashdown' });
  await board.asAdmin('POST', '/admin/verify-character', { character_name: LONG_NAME });
  await signInAsAdmin(page, board.url, '/admin/dashboard/verified');
  await inEachLanguage(page, async (language) => {
    await expect(page.getByRole('table')).toBeVisible();
    for (const width of [390, 980, 1024, 1080, 1120, 1160, 1200, 1240, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth),
        `${language} at ${width} px`,
      ).toBe(width);
    }
  });
});

test('nothing in the header covers anything else, with the longest name and type, in any language', async ({
  board,
  page,
}) => {
  test.slow();
  await board.asAdmin('POST', '/admin/member-types', { member_type: 'Second Commander' });
  const { key_value } = await board.aKey(LONG_NAME, 'Second Commander');
  const links = page.getByRole('banner').getByRole('link');
  await signInWithKey(page, board.url, key_value);
  await inEachLanguage(page, async (language) => {
    await expect(links).toHaveCount(5);
    await expectNoOverlap(page, `a member, ${language},`);
  });
  // A member who is also an admin has the most entries there.
  await page.evaluate(() => localStorage.removeItem('language'));
  await signInAsAdmin(page, board.url, '/submit-claims');
  await inEachLanguage(page, async (language) => {
    await expect(links).toHaveCount(7);
    await expectNoOverlap(page, `an admin, ${language},`);
    // "Profile dropdown: character name and member type": for an admin with a character in the bar from 1,280 px.
    await page.setViewportSize({ width: 1280, height: 700 });
    const profile = page.getByRole('banner').getByRole('button', { name: LONG_NAME });
    await profile.click();
    await expect(page.getByRole('menu')).toContainText('Second Commander');
    await page.keyboard.press('Escape');
  });
});
