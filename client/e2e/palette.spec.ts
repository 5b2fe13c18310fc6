import { expectNothingSerious } from './axe.ts';
import { expect, expectToFit, signInWithKey, test } from './fixtures.ts';

test('Ctrl+K finds a spot, claims it, and changes how the page looks; a phone has it in its menu', async ({
  board,
  page,
}) => {
  await board.anActiveEvent();
  const { key_value } = await board.aKey('Sable Quinn');
  const spots: { name: string }[] = await (
    await fetch(`${board.url}/api/respawns`, { headers: { 'X-Access-Key': key_value } })
  ).json();
  const name = spots.at(-1)?.name ?? '';
  await signInWithKey(page, board.url, key_value, '/');
  await expect(page.getByRole('heading', { name: /Vouchers from/ })).toBeVisible({
    timeout: 20_000,
  });

  const open = async (): Promise<void> => {
    await page.keyboard.press('Control+k');
    await expect(
      page.getByRole('combobox', { name: 'Search spots, characters, dates and pages' }),
    ).toBeFocused({ timeout: 20_000 });
  };
  await open();
  await expectNothingSerious(page);
  await page.keyboard.type(name.split(' ').reverse().join(' ').toUpperCase());
  await expect(page.getByRole('option').first()).toContainText(name);
  await page.keyboard.press('Enter');
  const asking = page.getByRole('dialog', { name: `Claim ${name}` });
  await expect(asking.getByRole('button', { name: 'Claim 4 h' })).toBeFocused();
  await expect(asking).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(asking).toBeHidden();

  await open();
  await page.keyboard.type('dark appearance');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Search and commands' }).click();
  await page
    .getByRole('combobox', { name: 'Search spots, characters, dates and pages' })
    .fill('no such thing');
  await expect(page.getByRole('status').filter({ hasText: 'No results' })).toBeVisible();
  await expectToFit(page);
});
