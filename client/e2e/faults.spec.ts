import { portalPage } from '../../server/test/web-fault-proxy.ts';
import { expect, signInAsAdmin, signInWithKey, test } from './fixtures.ts';

const PORTAL = /^\/(api|socket\.io)\//;

test('a hotel’s page that refuses everything deletes no key', async ({ board, network, page }) => {
  await board.anActiveEvent();
  const key = await board.aKey('Sable Quinn');
  await signInWithKey(page, network.url, key.key_value);
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 20_000 });

  network.fault(PORTAL, portalPage(403));
  network.fault(/^\/socket\.io/, 'cut');
  await expect(page.getByText('Offline', { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('heading', { name: /Vouchers from/ })).toBeVisible();
  // At a start, too: every saved key is checked then.
  await page.reload();
  await expect(page.getByRole('button', { name: /Sable Quinn/ })).toBeVisible();

  network.heal();
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('heading', { name: /Vouchers from/ })).toBeVisible();
});

for (const status of [401, 403, 502]) {
  test(`a proxy’s ${status} page leaves the admin signed in`, async ({ network, page }) => {
    await signInAsAdmin(page, network.url);
    await expect(page.getByRole('heading', { name: /Admin Dashboard/ })).toBeVisible();
    network.fault(PORTAL, portalPage(status));
    await page.reload();
    await expect(page.getByRole('heading', { name: /Admin Dashboard/ })).toBeVisible();
    network.heal();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Create event' })).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('adminToken'))).not.toBeNull();
  });
}
