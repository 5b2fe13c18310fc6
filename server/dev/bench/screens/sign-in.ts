import type { Page } from '@playwright/test';

/** Signs in on the login page, as a member does. */
export async function signIn(page: Page, url: string, key: string): Promise<void> {
  await page.goto(`${url}/login?type=access-key`);
  await page.getByLabel('Access key', { exact: true }).fill(key);
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL(/submit-claims/);
}
