import type { Page } from '@playwright/test';

/** As a member does, by the login page. */
export async function signIn(page: Page, url: string, key: string): Promise<void> {
  await page.goto(`${url}/login?type=access-key`);
  await page.getByLabel('Access key', { exact: true }).fill(key);
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL(/submit-claims/);
}
