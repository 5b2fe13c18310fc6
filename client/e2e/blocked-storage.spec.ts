import { BOARD_OF_CLAIMS, expect, loginAsAdmin, loginWithKey, test } from './fixtures.ts';

test('a browser that blocks storage shows the board, keeps who signs in as long as the page, and says so', async ({
  board,
  page,
}) => {
  const failures: string[] = [];
  page.on('pageerror', ({ message }) => failures.push(message));
  await page.addInitScript(() => {
    const refuse = (): never => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(window, name, { get: refuse });
    Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} });
  });
  const key = await board.aKey('Sable Quinn');
  await loginWithKey(page, board.url, key.key_value);
  const notice = page.getByText('This browser blocks storage');
  await expect(notice).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('heading', { name: 'Claims from today on' })).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toBeHidden();
  await expect(page.getByRole('button', { name: /1 watching/ })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('button', { name: /Sable Quinn/ })).toBeVisible();

  await page.goto(board.url + BOARD_OF_CLAIMS);
  await expect(page.getByRole('heading', { name: 'Verification required' })).toBeVisible();
  await loginAsAdmin(page, board.url);
  await expect(page.getByRole('heading', { name: /Admin Dashboard/ })).toBeVisible();
  expect(failures).toEqual([]);
});
