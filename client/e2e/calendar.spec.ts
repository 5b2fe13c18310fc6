import { expectNothingSerious, namesWithoutWhatIsWritten } from './axe.ts';
import { expect, expectToFit, serverSaveNow, signInWithKey, test } from './fixtures.ts';

const { date: today } = serverSaveNow();

test('a member makes a calendar by the profile menu, a program reads it, and revoked it leads nowhere', async ({
  board,
  page,
}) => {
  const { key_value } = await board.aKey('Riley Ashdown');
  const [spot] = await board.asAdmin<{ id: number; name: string }[]>('GET', '/admin/respawns');
  const claim = {
    respawn_id: spot?.id,
    character_name: 'Riley Ashdown',
    date: today,
    hour_start: 2,
    hour_end: 4,
  };
  await board.asAdmin('POST', '/claims', {
    admin_submission: true,
    member_type: 'member',
    claims: [claim],
  });
  await signInWithKey(page, board.url, key_value);
  const profile = page.getByRole('banner').getByRole('button', { name: /Riley Ashdown/ });
  await profile.click();
  await page.getByRole('menuitem', { name: 'Calendar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your claims in your calendar' });
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expect(dialog.getByRole('button', { name: /^Copy link/ })).toBeFocused();
  const url = (await dialog.locator('code').textContent()) ?? '';
  expect(url).toMatch(new RegExp(`^${board.url}/calendar/[\\w-]{43}\\.ics$`));
  const file = await (await page.request.get(url)).text();
  expect(file).toContain(`SUMMARY:${spot?.name}`);
  expect(file.match(/BEGIN:VEVENT/g)).toHaveLength(1);
  await dialog.getByRole('button', { name: 'QR code' }).click();
  await expect(
    dialog.getByRole('img', { name: 'QR code of the calendar of Riley Ashdown' }),
  ).toBeVisible();
  await expectNothingSerious(page, 'the calendar dialog');
  expect(await namesWithoutWhatIsWritten(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await expectNothingSerious(page, 'the calendar dialog on a phone');
  await dialog.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke calendar' }).click();
  await expect(dialog.getByRole('button', { name: 'Create link' })).toBeVisible();
  expect((await page.request.get(url)).status()).toBe(404);
});

test('the dialog is opened, used and left by the keyboard', async ({ board, page }) => {
  const { key_value } = await board.aKey('Riley Ashdown');
  await signInWithKey(page, board.url, key_value);
  const profile = page.getByRole('banner').getByRole('button', { name: /Riley Ashdown/ });
  await profile.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Calendar' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Your claims in your calendar' });
  await dialog.getByRole('button', { name: 'Create link' }).press('Enter');
  await expect(dialog.getByRole('button', { name: /^Copy link/ })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(profile).toBeFocused();
});
