import type { Page } from '@playwright/test';
import { expectNothingSerious } from './axe.ts';
import { expect, newPerson, signInAsAdmin, signInWithKey, test } from './fixtures.ts';

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' });
const box = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true });

test('keys are selected, revoked together, which signs their holders out, and all of it is undone from the message', async ({
  board,
  page,
  browser,
}) => {
  const keys = [];
  for (const name of ['Riley Ashdown', 'Sable Quinn', 'Tessa Wynn', 'Una Vale'])
    keys.push(await board.aKey(name));
  const member = await newPerson(browser);
  await signInWithKey(member, board.url, keys[1]?.key_value ?? '');
  await signInAsAdmin(page, board.url, '/admin/dashboard/keys?sort=name');

  await box(page, 'Riley Ashdown').focus();
  await page.keyboard.press('Space');
  await box(page, 'Tessa Wynn').click({ modifiers: ['Shift'] });
  await expect(bar(page).getByRole('status')).toHaveText('3 selected');
  await page.getByLabel('Search characters').fill('una');
  await expect(bar(page).getByRole('status')).toHaveText('3 selected3 of them are not listed now');
  await expectNothingSerious(page);

  await bar(page).getByRole('button', { name: 'Revoke', exact: true }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Revoke 3 keys' });
  await expect(dialog).toContainText('Riley Ashdown');
  await dialog.getByRole('button', { name: 'Revoke 3 keys' }).click();
  await expect(page.getByText('3 keys revoked')).toBeVisible();
  await expect(member.getByText('revoked').first()).toBeVisible();
  await page.getByLabel('Search characters').fill('');
  await expect(row(page, 'Sable Quinn').getByText('Revoked', { exact: true })).toBeVisible();
  await expect(row(page, 'Una Vale').getByText('Not verified', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByText('Change undone')).toBeVisible();
  for (const name of ['Riley Ashdown', 'Sable Quinn', 'Tessa Wynn']) {
    await expect(row(page, name).getByText('Not verified', { exact: true })).toBeVisible();
  }
});
