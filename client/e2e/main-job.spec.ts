import type { Page } from '@playwright/test';
import { expect, newPerson, signInWithKey, test } from './fixtures.ts';

const SPOT = 'Cobra Bastion';
const MAX_SECONDS = 30;

interface Inputs {
  presses: number;
  keys: number;
}

/** Counts presses and keys on the next page that loads. */
const countInputs = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const inputs = { presses: 0, keys: 0 };
    Object.assign(window, { inputs });
    addEventListener('pointerdown', () => inputs.presses++, true);
    addEventListener('keydown', () => inputs.keys++, true);
  });

/** The claim is made: with at most these inputs, and soon. */
async function expectClaimed(page: Page, made: string, most: Inputs, began: number): Promise<void> {
  await expect(page.getByText(made)).toBeVisible();
  const seconds = (Date.now() - began) / 1_000;
  const { presses, keys } = await page.evaluate<Inputs>('window.inputs');
  test.info().annotations.push({
    type: 'main job',
    description: `${presses} presses, ${keys} keys, ${seconds.toFixed(1)} s`,
  });
  expect(presses).toBeLessThanOrEqual(most.presses);
  expect(keys).toBeLessThanOrEqual(most.keys);
  expect(seconds).toBeLessThan(MAX_SECONDS);
}

test.describe('claiming hours takes no more than', () => {
  test('one drag and one key in the timeline', async ({ board, page }) => {
    await board.anActiveEvent();
    const { key_value } = await board.aKey('Riley Ashdown');
    await countInputs(page);
    await signInWithKey(page, board.url, key_value, '/?view=timeline&search=cobra+bastion');
    const hour = (one: number) =>
      page.getByRole('link', { name: new RegExp(`^Claim ${SPOT} from SS\\+${one},`) });
    await expect(hour(14)).toBeVisible();
    const began = Date.now();
    await hour(14).hover();
    await page.mouse.down();
    await hour(17).hover();
    await page.mouse.up();
    await expect(page.getByRole('button', { name: 'Claim 4 h', exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
    await expectClaimed(
      page,
      `You claimed ${SPOT}, SS+14 to SS+18`,
      { presses: 1, keys: 1 },
      began,
    );
  });

  test('two presses after an hour is chosen in Free at', async ({ board, page }) => {
    await board.anActiveEvent();
    const { key_value } = await board.aKey('Riley Ashdown');
    await countInputs(page);
    await signInWithKey(page, board.url, key_value, '/?search=cobra+bastion');
    const freeAt = page.getByRole('combobox', { name: 'Free at' });
    await expect(freeAt).toBeVisible();
    const began = Date.now();
    await freeAt.selectOption('16');
    await page
      .getByRole('main')
      .getByRole('link', { name: `Claim ${SPOT} SS+16 to SS+20`, exact: true })
      .click();
    await page.getByRole('button', { name: 'Claim 4 h', exact: true }).click();
    await expectClaimed(
      page,
      `You claimed ${SPOT}, SS+16 to SS+20`,
      { presses: 2, keys: 0 },
      began,
    );
  });

  test('two taps on a phone', async ({ board, browser }) => {
    await board.anActiveEvent();
    const { key_value } = await board.aKey('Riley Ashdown');
    const page = await newPerson(browser, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await countInputs(page);
    await signInWithKey(page, board.url, key_value, '/?search=cobra+bastion');
    const tile = page.getByRole('link', { name: `Claim ${SPOT}`, exact: true });
    await expect(tile).toBeVisible();
    const began = Date.now();
    await tile.tap();
    await page.getByRole('button', { name: 'Claim 4 h', exact: true }).tap();
    await expectClaimed(page, `You claimed ${SPOT}, SS+`, { presses: 2, keys: 0 }, began);
  });

  test('two presses and the spot’s first letters in the form', async ({ board, page }) => {
    await board.anActiveEvent();
    const { key_value } = await board.aKey('Riley Ashdown');
    await countInputs(page);
    await signInWithKey(page, board.url, key_value, '/input');
    const spot = page.getByRole('combobox', { name: 'Spot', exact: true });
    await expect(spot).toBeVisible();
    const began = Date.now();
    await spot.focus();
    await page.keyboard.type('cobra');
    await page.keyboard.press('Enter');
    await page
      .getByRole('group', { name: /^Start hour/ })
      .getByRole('button', { name: /SS\+14,/ })
      .click();
    await page.getByRole('button', { name: 'Submit 1 claim' }).click();
    await expectClaimed(page, 'Claims Submitted Successfully!', { presses: 2, keys: 6 }, began);
  });
});
