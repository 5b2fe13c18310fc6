import { expectNothingSerious } from './axe.ts';
import { expect, expectToFit, signInWithKey, test } from './fixtures.ts';

test('on a wide screen the board stays beside the claim form: hours dragged on it are filled in, and the claim appears there', async ({
  board,
  page,
}) => {
  await board.anActiveEvent();
  const { key_value } = await board.aKey('Sable Quinn');
  await page.setViewportSize({ width: 2560, height: 1200 });
  await signInWithKey(page, board.url, key_value, '/?view=timeline&search=hellgate');
  await expect(page.getByRole('grid')).toBeVisible({ timeout: 20_000 });
  await page.getByRole('link', { name: 'Submit Claim', exact: true }).click();
  const beside = page.getByRole('complementary', { name: 'The board' });
  await expect(beside.getByRole('grid')).toBeVisible({ timeout: 20_000 });
  await expectNothingSerious(page);
  await expectToFit(page);

  const hour = (at: number) =>
    beside.getByRole('link', { name: new RegExp(`^Claim Hellgate from SS\\+${at},`) });
  await hour(10).hover();
  await page.mouse.down();
  await hour(12).hover();
  await page.mouse.up();
  await expect(page).toHaveURL(/\/input\?respawn=\d+&date=[\d-]+&hour=10&hours=3$/);
  await page.getByRole('button', { name: 'Submit 1 claim' }).click();
  await expect(page.getByText('Claims Submitted Successfully!')).toBeVisible();
  await expect(
    beside.getByRole('button', { name: /^Sable Quinn, SS\+10 to SS\+13/ }),
  ).toBeVisible();

  for (const width of [1900, 1899, 390]) {
    await page.setViewportSize({ width, height: 1000 });
    await expect(beside).toBeVisible({ visible: width >= 1900 });
    await expectToFit(page);
  }
});
