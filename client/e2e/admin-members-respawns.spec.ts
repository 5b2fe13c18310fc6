import type { Page } from '@playwright/test';
import { expectNothingSeriousInBothThemes } from './axe.ts';
import {
  expect,
  expectToFit,
  goInApp,
  newPerson,
  signInAsAdmin,
  signInWithKey,
  test,
} from './fixtures.ts';

async function openTab(page: Page, tab: string): Promise<void> {
  await page.getByRole('tab', { name: tab }).click();
  await expect(page.getByRole('tabpanel').getByRole('form').first()).toBeVisible();
}

test('a member type’s colour shows on its key and on the board, and a category’s new name at once', async ({
  board,
  browser,
}) => {
  test.slow();
  const event = await board.anActiveEvent();
  const admin = await newPerson(browser);
  await signInAsAdmin(admin, board.url);
  await openTab(admin, 'Members');
  const form = admin.getByRole('form', { name: 'New member type' });
  await form.getByLabel('Name').fill('scout');
  await form.getByLabel('Badge colour').fill('#fb3');
  await expect(form.getByLabel('Pick a colour')).toHaveValue('#ffbb33');
  await form.getByLabel('Voucher hours').fill('2');
  await form.getByRole('button', { name: 'Create member type' }).click();
  await expect(admin.getByText("Member type 'scout' created successfully")).toBeVisible();

  await admin.getByRole('tab', { name: 'Keys' }).click();
  await admin.getByLabel('Character name').fill('Riley Ashdown');
  await admin.getByLabel('Member type', { exact: true }).selectOption('scout');
  await admin.getByRole('button', { name: 'Generate key' }).click();
  const shownKey = admin.getByText(/^[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$/).first();
  await expect(shownKey).toBeVisible();
  const key = (await shownKey.textContent()) ?? '';
  const claim = {
    respawn_id: 3,
    character_name: 'Riley Ashdown',
    hour_start: 8,
    date: event.start_time.slice(0, 10),
  };
  await board.asAdmin('POST', '/claims', {
    admin_submission: true,
    member_type: 'scout',
    claims: [claim],
  });

  const member = await newPerson(browser);
  await signInWithKey(member, board.url, key);
  await expect(member.getByText('scout').first()).toBeVisible();
  await goInApp(member, `/?date=${claim.date}`);
  const badge = member.getByRole('article').getByText('scout').first().locator('..');
  await expect(badge).toHaveCSS('background-color', 'rgb(255, 187, 51)');
  await expect(badge).toHaveCSS('color', 'rgb(0, 0, 0)');

  await goInApp(member, '/');
  await expect(member.getByText('Live', { exact: true })).toBeVisible();
  await openTab(admin, 'Categories');
  await admin.getByRole('button', { name: 'Rename Candia' }).click();
  await admin.getByLabel('New name of Candia').fill('Swamp City');
  await admin.getByLabel('New name of Candia').press('Enter');
  await expect(admin.getByText('Category updated successfully')).toBeVisible();
  await expect(member.getByRole('heading', { name: /Swamp City/ })).toBeVisible();
  await expect(member.getByRole('heading', { name: /Candia/ })).toHaveCount(0);
});

const TABS = [
  { tab: 'members', name: 'Members', edit: 'Edit vice' },
  { tab: 'respawns', name: 'Respawns', edit: 'Edit Abandoned Sewers' },
  { tab: 'categories', name: 'Categories', edit: 'Rename Candia' },
] as const;

test('axe finds nothing serious on the three tabs, read and edited, in both themes', async ({
  board,
  browser,
}) => {
  test.slow();
  const page = await newPerson(browser);
  await signInAsAdmin(page, board.url);
  for (const { tab, name, edit } of TABS) {
    await openTab(page, name);
    const start = page.getByRole('button', { name: edit, exact: true });
    await expect(start).toBeVisible();
    await expectNothingSeriousInBothThemes(page, tab);
    await start.click();
    await expect(page.getByRole('button', { name: /^Save/ })).toBeVisible();
    await expectNothingSeriousInBothThemes(page, `${tab}, edited`);
  }
});

test('nothing on the three tabs is wider than a phone, in any language', async ({
  board,
  browser,
}) => {
  const page = await newPerson(browser, { locale: 'en', viewport: { width: 390, height: 844 } });
  for (const locale of ['en', 'es', 'pt'] as const) {
    if (locale === 'en') await signInAsAdmin(page, board.url, '/admin/dashboard/members');
    await page.evaluate((language) => localStorage.setItem('language', language), locale);
    if (locale !== 'en') await page.reload();
    for (const { tab } of TABS) {
      await goInApp(page, `/admin/dashboard/${tab}`);
      await expect(page.locator('[data-edit]').first()).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('lang', locale);
      await expectToFit(page, `${tab}, ${locale}`);
      await page.locator('[data-edit]').first().click();
      await expectToFit(page, `${tab}, edited, ${locale}`);
    }
  }
});
