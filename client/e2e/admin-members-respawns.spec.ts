import type { Page } from '@playwright/test';
import { expectNothingSerious } from './axe.ts';
import { type Claimboard, expect, goInApp, newPerson, signInAsAdmin, signInWithKey, test } from './fixtures.ts';

async function openTab(page: Page, tab: string): Promise<void> {
  await page.getByRole('tab', { name: tab }).click();
  await expect(page.getByRole('tabpanel').getByRole('form').first()).toBeVisible();
}

/** A member who only looks at the board, and never reloads it. */
async function watcherOf(board: Claimboard, page: Page): Promise<void> {
  const { key_value } = await board.aKey('Sable Quinn');
  await signInWithKey(page, board.url, key_value, '/');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
}

test('a member type’s colour shows on its key and on the board', async ({ board, browser }) => {
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
  const claim = { respawn_id: 3, character_name: 'Riley Ashdown', hour_start: 8, date: event.start_time.slice(0, 10) };
  await board.asAdmin('POST', '/claims', { admin_submission: true, member_type: 'scout', claims: [claim] });

  const member = await newPerson(browser);
  await signInWithKey(member, board.url, key);
  await expect(member.getByText('scout').first()).toBeVisible();
  await goInApp(member, `/?date=${claim.date}`);
  const badge = member.getByRole('article').getByText('scout').first().locator('..');
  await expect(badge).toHaveCSS('background-color', 'rgb(255, 187, 51)');
  await expect(badge).toHaveCSS('color', 'rgb(0, 0, 0)');
});

test('a category renamed by an admin has its new name on a member’s board at once', async ({ board, browser }) => {
  await board.anActiveEvent();
  const member = await newPerson(browser);
  await watcherOf(board, member);
  const admin = await newPerson(browser);
  await signInAsAdmin(admin, board.url);
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

for (const colorScheme of ['dark', 'light'] as const) {
  test(`axe finds nothing serious on the three tabs, read and edited, ${colorScheme}`, async ({ board, browser }) => {
    test.slow();
    const page = await newPerson(browser, { colorScheme });
    await signInAsAdmin(page, board.url);
    for (const { tab, name, edit } of TABS) {
      await openTab(page, name);
      const start = page.getByRole('button', { name: edit, exact: true });
      await expect(start).toBeVisible();
      await expectNothingSerious(page, tab);
      await start.click();
      await expect(page.getByRole('button', { name: /^Save/ })).toBeVisible();
      await expectNothingSerious(page, `${tab}, edited`);
    }
  });
}

for (const locale of ['en', 'es', 'pt'] as const) {
  test(`nothing on the three tabs is wider than a phone, in ${locale}`, async ({ board, browser }) => {
    const page = await newPerson(browser, { locale: 'en', viewport: { width: 390, height: 844 } });
    await page.addInitScript((language) => localStorage.setItem('language', language), locale);
    await signInAsAdmin(page, board.url, '/admin/dashboard/members');
    for (const { tab } of TABS) {
      await goInApp(page, `/admin/dashboard/${tab}`);
      await expect(page.getByRole('form').first()).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('lang', locale);
      const wider = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(await wider(), tab).toBe(0);
      await page.locator('[data-edit]').first().click();
      expect(await wider(), `${tab}, edited`).toBe(0);
    }
  });
}
