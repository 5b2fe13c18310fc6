import type { Locator, Page } from '@playwright/test';
import type { ClaimRow } from '../../shared/schemas/claim.ts';
import type { Respawn } from '../../shared/schemas/respawn.ts';
import {
  type Claimboard,
  expect,
  goInApp,
  serverSaveNow,
  signInWithKey,
  test,
} from './fixtures.ts';

const SPOT = 'Cobra Bastion';
const card = (page: Page): Locator =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: SPOT }) });
const main = (page: Page): Locator => page.getByRole('main');
const choose = async (page: Page, menu: RegExp, item: string): Promise<void> => {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitemradio', { name: item }).click();
};

/** Translates the page from now on, as Chrome does, into the same words: an element takes the place of each text. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const translateText = (text: Text): void => {
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      inner.textContent = text.data;
      outer.append(inner);
      text.parentNode?.insertBefore(outer, text);
      text.remove();
    };
    const translateIn = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = root instanceof Text ? [root] : [];
      while (walker.nextNode())
        if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
      for (const text of texts)
        if (text.parentElement && !text.parentElement.closest('font, style, script'))
          translateText(text);
    };
    translateIn(document.body);
    new MutationObserver((records) => {
      for (const { addedNodes } of records)
        for (const node of addedNodes) if (node.isConnected) translateIn(node);
    }).observe(document.body, { childList: true, subtree: true });
  });
}

const isTranslated = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.querySelectorAll('main font').length > 20);
/** Without times left, and the marks and announcements of claims that have just changed. */
const textsOf = async (page: Page): Promise<string> =>
  (await main(page).innerText())
    .replace(/in .+ h \d+|\d+ min|\b(new|nueva)\b|Cambió [^.]+\.|Cobra Bastion changed\./g, '')
    .replace(/\s+/g, ' ')
    .trim();

async function expectNothingStale(page: Page): Promise<void> {
  expect(await isTranslated(page)).toBe(true);
  // A long board is drawn in slices, on a busy machine for seconds.
  await expect(page.locator('[class*="growing"]')).toHaveCount(0);
  const visible = await textsOf(page);
  await page.reload();
  await expect.poll(() => textsOf(page)).toBe(visible);
  await translate(page);
}

async function claimBy(
  board: Claimboard,
  name: string,
  hour_start: number,
  spot = SPOT,
): Promise<ClaimRow | undefined> {
  const [respawn] = (await board.asAdmin<Respawn[]>('GET', '/admin/respawns')).filter(
    (one) => one.name === spot,
  );
  const claims = [
    {
      respawn_id: respawn?.id,
      character_name: name,
      date: serverSaveNow().date,
      hour_start,
      hour_end: hour_start + 2,
    },
  ];
  return (
    await board.asAdmin<ClaimRow[]>('POST', '/claims', { admin_submission: true, claims })
  )[0];
}

test('a page that the browser translates stays right whatever is done on it', async ({
  board,
  page,
}) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await board.anActiveEvent();
  await board.asAdmin('PUT', '/admin/config', { release_enabled: 1, standing_enabled: 1 });
  const { key_value } = await board.aKey('Riley Ashdown');
  await claimBy(board, 'Old Bram', 10);
  await page.setViewportSize({ width: 1440, height: 900 });
  await signInWithKey(page, board.url, key_value, '/');
  await expect(card(page)).toContainText('Old Bram');
  await translate(page);

  const search = page.getByRole('searchbox');
  await test.step('search', () => search.fill('cobra'));
  await expect(page.getByRole('article')).toHaveCount(1);
  await test.step('find nothing', () => search.fill('no such spot'));
  await expect(card(page)).toHaveCount(0);
  await test.step('clear the search', () => search.fill(''));
  await expect(card(page)).toContainText('Old Bram');

  await test.step('another day', () => page.getByRole('button', { name: 'Next day' }).click());
  await expect(page).toHaveURL(/date=/);
  await expect(card(page)).toHaveCount(0);
  await test.step('today', () => page.goBack());
  await expect(card(page)).toContainText('Old Bram');
  await test.step('claimed spots alone', () =>
    page.getByRole('radio', { name: 'Claimed', exact: true }).check());
  await expect(page.getByRole('article')).toHaveCount(1);

  const sable = await test.step('a claim arrives', () => claimBy(board, 'Sable Quinn', 14));
  await expect(card(page)).toContainText('Sable Quinn');
  await test.step('a claim is deleted', () =>
    board.asAdmin('DELETE', `/admin/claims/${sable?.id}`));
  await expect(card(page)).not.toContainText('Sable Quinn');

  await test.step('another theme', () => choose(page, /^Appearance: /, 'Dark'));
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await test.step('another language', () => choose(page, /: EN$/, 'Español'));
  await expect(
    page.getByRole('radiogroup', { name: 'Mostrar' }).getByText('Ocupado'),
  ).toBeVisible();
  await expectNothingStale(page);
  await test.step('the language before', () => choose(page, /: ES$/, 'English'));
  await expect(page.getByRole('heading', { level: 1, name: /^Vouchers from/ })).toBeVisible();

  await test.step('join a waitlist', async () => {
    await card(page)
      .getByRole('button', { name: /Old Bram.*Join waitlist for these hours$/ })
      .click();
    await page.getByRole('button', { name: 'Join waitlist for 2 h' }).click();
  });
  await expect(card(page).getByRole('button', { name: /^1 waiting/ })).toBeVisible();

  await test.step('the timeline', () => page.getByRole('radio', { name: 'Timeline' }).check());
  const row = page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: SPOT, exact: true }) });
  const hour = row.getByRole('link', { name: /from SS\+20,/ });
  const panel = page.getByRole('dialog', { name: SPOT });
  await test.step('choose hours', () => hour.click());
  await expect(panel.getByText(/^SS\+20 to SS\+24/)).toBeVisible();
  await test.step('close the panel', () => page.keyboard.press('Escape'));
  await expect(panel).toHaveCount(0);
  await test.step('claim', async () => {
    await hour.click();
    await panel.getByRole('button', { name: 'Claim 4 h' }).click();
  });
  await expect(page.getByText(`You claimed ${SPOT}, SS+20 to SS+24`)).toBeVisible();
  await expect(row.getByRole('button', { name: /^Riley Ashdown, SS\+20 to SS\+24/ })).toBeVisible();
  await test.step('cards', () => page.getByRole('radio', { name: 'Cards' }).check());
  await expect(card(page)).toContainText('Riley Ashdown');

  await test.step('commands', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search spots/ }).fill('my claims');
    await page.keyboard.press('Enter');
  });
  await expect(main(page).getByText('Coming up')).toBeVisible();
  await test.step('open and cancel a dialog', async () => {
    await main(page).getByRole('button', { name: 'New weekly claim…' }).click();
    const form = page.getByRole('dialog', { name: 'New weekly claim' });
    await form.getByRole('combobox', { name: 'Spot' }).fill('cobra');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await expect(form).toHaveCount(0);
  });
  await test.step('release the claim', async () => {
    await main(page)
      .getByRole('button', { name: /^Release/ })
      .click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Release/ })
      .click();
  });
  // The claim itself has the same hours until then.
  await expect(main(page).getByText('Released')).toBeVisible();
  await expect(main(page).getByText('SS+20 to SS+24')).toHaveCount(1);
  await expectNothingStale(page);

  await test.step('the form', async () => {
    await goInApp(page, '/input');
    await page.getByRole('combobox', { name: 'Spot' }).fill(SPOT);
    await page.getByRole('combobox', { name: 'Spot' }).press('Enter');
    await page.getByRole('button', { name: /^SS\+16,/ }).click();
    await page.getByRole('button', { name: 'Submit 1 claim' }).click();
  });
  await expect(page.getByText('Claims Submitted Successfully!')).toBeVisible();
  await test.step('the board', () =>
    page.getByRole('link', { name: 'View Claims on Main Page' }).click());
  await expect(card(page)).toContainText('SS+16 to SS+20');
  await expectNothingStale(page);
  expect(errors).toEqual([]);
});
