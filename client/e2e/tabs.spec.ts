import type { BrowserContext, Page } from '@playwright/test';
import {
  expect,
  loginAsAdmin,
  loginWithKey,
  signInAsAdmin,
  signInWithKey,
  test,
} from './fixtures.ts';

const openTab = async (context: BrowserContext, address: string): Promise<Page> => {
  const tab = await context.newPage();
  await tab.goto(address);
  return tab;
};
const profileMenu = (tab: Page, name: RegExp) =>
  tab.getByRole('banner').getByRole('button', { name });

test('a member who logs in or out in one tab does so in all', async ({ board, context, page }) => {
  const riley = await board.aKey('Riley Ashdown');
  const sable = await board.aKey('Sable Quinn');
  const other = await openTab(context, board.url);
  await expect(other.getByRole('heading', { name: 'Verification required' })).toBeVisible();

  await loginWithKey(page, board.url, riley.key_value);
  await expect(other.getByRole('heading', { name: 'Claims from today on' })).toBeVisible();
  await expect(other.getByText('Live', { exact: true })).toBeVisible();

  // Another character is there to switch to; who is selected is each tab's own affair.
  await loginWithKey(page, board.url, sable.key_value);
  await profileMenu(other, /Riley Ashdown/).click();
  await expect(other.getByRole('menuitemradio', { name: 'Sable Quinn' })).toBeVisible();
  await other.keyboard.press('Escape');

  await profileMenu(page, /Sable Quinn/).click();
  await page.getByRole('menuitem', { name: 'Logout All Profiles' }).click();
  await expect(other.getByRole('heading', { name: 'Verification required' })).toBeVisible();
  await expect(other.getByText('Failed to validate access key')).toBeHidden();
});

test('an admin who logs in or out in one tab does so in all', async ({ board, context, page }) => {
  const other = await openTab(context, board.url);
  await expect(other.getByRole('heading', { name: 'Verification required' })).toBeVisible();
  await loginAsAdmin(page, board.url);
  await other.goto(`${board.url}/admin`);
  await expect(
    other.getByRole('heading', { name: 'Admin Dashboard - Welcome admin' }),
  ).toBeVisible();

  await page.getByRole('button', { name: 'Logout', exact: true }).click();
  await expect(other).toHaveURL(/admin\/login/);
});

test('an open form keeps its selection when an admin signs in and out in another tab', async ({
  board,
  context,
  page,
}) => {
  const key = await board.aKey('Riley Ashdown');
  await loginWithKey(page, board.url, key.key_value);
  const spot = page.getByRole('combobox', { name: 'Spot', exact: true });
  await spot.fill('Cobra Bastion');
  await page.getByRole('option', { name: 'Cobra Bastion', exact: true }).click();
  const hour = page.getByRole('button', { name: /^SS\+14,/ });
  await hour.click();
  await expect(hour).toHaveAttribute('aria-pressed', 'true');
  const signedIn = page.getByRole('link', { name: 'Admin Input', exact: true });

  const other = await context.newPage();
  await loginAsAdmin(other, board.url);
  await expect(signedIn).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(spot).toHaveValue('Cobra Bastion');
  await expect(hour).toHaveAttribute('aria-pressed', 'true');

  await other.getByRole('button', { name: 'Logout', exact: true }).click();
  await expect(signedIn).toBeHidden();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(spot).toHaveValue('Cobra Bastion');
  await expect(hour).toHaveAttribute('aria-pressed', 'true');
});

test('every tab reports a revoked key', async ({ board, context, page }) => {
  const key = await board.aKey('Sable Quinn');
  await signInWithKey(page, board.url, key.key_value);
  await expect(page.getByRole('heading', { name: 'Submit a claim' })).toBeVisible();
  const other = await openTab(context, board.url);
  await expect(other.getByText('Live', { exact: true })).toBeVisible();
  await board.asAdmin('PUT', `/admin/access-keys/${key.id}/revoke`);
  for (const tab of [page, other]) {
    await expect(tab.getByText('Failed to validate access key')).toBeVisible();
    await expect(
      tab.getByText('Sable Quinn: This access key has been revoked. Please contact an admin.'),
    ).toBeVisible();
  }
});

test('a key that was revoked while the page was closed is reported once at the next start', async ({
  board,
  page,
}) => {
  const key = await board.aKey('Sable Quinn');
  await board.asAdmin('PUT', `/admin/access-keys/${key.id}/revoke`);
  await page.context().addCookies([
    {
      name: 'access_key_sable_quinn',
      value: encodeURIComponent(
        JSON.stringify({
          characterName: 'Sable Quinn',
          memberType: 'member',
          accessKey: key.key_value,
        }),
      ),
      url: board.url,
    },
  ]);
  await page.goto(board.url);
  await expect(page.getByText('Failed to validate access key')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Verification required' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Verification required' })).toBeVisible();
  await expect(page.getByText('Failed to validate access key')).toBeHidden();
});

test("an admin's invalid token leads to the login page, which says why", async ({
  board,
  page,
}) => {
  await signInAsAdmin(page, board.url);
  await expect(
    page.getByRole('heading', { name: 'Admin Dashboard - Welcome admin' }),
  ).toBeVisible();
  await page.evaluate(() => localStorage.setItem('adminToken', 'long-gone'));
  await page.goto(`${board.url}/admin/dashboard/keys`);
  await expect(page).toHaveURL(/admin\/login/);
  await expect(page.getByText('Token verification failed')).toBeVisible();
  await expect(page.getByText('Your session has expired. Please login again.')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('adminToken'))).toBeNull();
});
