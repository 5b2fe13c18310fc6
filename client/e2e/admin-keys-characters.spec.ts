import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectNothingSerious, expectNothingSeriousInBothThemes } from './axe.ts';
import {
  chooseAction,
  expect,
  expectToFit,
  goInApp,
  newPerson,
  signInAsAdmin,
  signInWithKey,
  test,
} from './fixtures.ts';

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('a key is made, found, retyped, exported, revoked, enabled and deleted', async ({
  board,
  page,
}) => {
  await board.aKey('Sable Quinn', 'elite');
  await signInAsAdmin(page, board.url, '/admin/dashboard/keys');
  await page.getByLabel('Character name').fill('Riley Ashdown');
  await press(page, 'Generate key');
  await expect(page.getByText('Access key created for Riley Ashdown')).toBeVisible();

  await page.getByLabel('Search characters').fill('riley');
  await expect(page.getByText('1 of 2 characters')).toBeVisible();
  await press(page, 'Edit member type of Riley Ashdown');
  await page.getByRole('combobox', { name: 'Member type of Riley Ashdown' }).selectOption('vice');
  await page.keyboard.press('Enter');
  await expect(row(page, 'Riley Ashdown').getByText('vice')).toBeVisible();

  const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Export CSV')]);
  expect(file.suggestedFilename()).toMatch(/^access-keys-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(/^"Riley Ashdown","Not verified","vice",.*"[A-Z0-9-]{14}",/);

  await chooseAction(page, 'Riley Ashdown', 'Revoke access');
  await press(page, 'Revoke access');
  await expect(row(page, 'Riley Ashdown').getByText('Revoked')).toBeVisible();
  await chooseAction(page, 'Riley Ashdown', 'Restore access');
  await expect(row(page, 'Riley Ashdown').getByText('Not verified')).toBeVisible();
  await chooseAction(page, 'Riley Ashdown', 'Delete key');
  await press(page, 'Delete key');
  await expect(page.getByText('No matching characters')).toBeVisible();
});

test('a member is added, banned without a verification, unbanned and verified, and another admin sees it', async ({
  board,
  page,
  browser,
}) => {
  await signInAsAdmin(page, board.url, '/admin/dashboard/verified');
  const other = await newPerson(browser);
  await signInAsAdmin(other, board.url, '/admin/dashboard/verified?status=banned');

  await page.getByLabel('Character name').fill('Riley Ashdown');
  await press(page, 'Generate key');
  await expect(row(page, 'Riley Ashdown').getByText('Not verified')).toBeVisible();

  await chooseAction(page, 'Riley Ashdown', 'Ban');
  await expect(page.getByRole('alertdialog')).toContainText('signed out at once');
  await press(page, 'Ban character');
  await expect(row(page, 'Riley Ashdown').getByText('Banned', { exact: true })).toBeVisible();
  await expect(row(other, 'Riley Ashdown').getByText('Banned', { exact: true })).toBeVisible();
  await chooseAction(page, 'Riley Ashdown', 'Unban');
  await press(page, 'Unban character');
  await expect(row(page, 'Riley Ashdown').getByText('Not verified')).toBeVisible();
  await chooseAction(page, 'Riley Ashdown', 'Verify');
  await expect(row(page, 'Riley Ashdown').getByText('Verified', { exact: true })).toBeVisible();
  await chooseAction(page, 'Riley Ashdown', 'Delete record');
  await press(page, 'Delete record');
  await expect(row(page, 'Riley Ashdown').getByText('Not verified')).toBeVisible();
});

test('of thousands of keys only some are rendered, and a new one above does not scroll the list', async ({
  board,
  page,
}) => {
  test.slow();
  for (let at = 0; at < 150; at += 1) await board.aKey(`Riley the ${at + 1}th`);
  await signInAsAdmin(page, board.url, '/admin/dashboard/keys');
  await expect(page.getByText('150 characters')).toBeVisible();
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  await page.mouse.move(600, 400);
  await page.mouse.wheel(0, 2_000);
  const read = row(page, 'Riley the 105th');
  await expect(read).toBeInViewport();
  const before = await read.boundingBox();
  await board.aKey('Sable Quinn');
  await expect(page.getByText('151 characters')).toBeAttached();
  expect((await read.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
});

test('an admin closes claims: a board says so at once and leads nowhere, until Undo', async ({
  board,
  page,
  browser,
}) => {
  const key = await board.aKey('Riley Ashdown');
  const member = await newPerson(browser);
  await signInWithKey(member, board.url, key.key_value, '/?search=cobra+bastion');
  const name = member.getByRole('link', { name: /Cobra Bastion/ }).first();
  await expect(name).toHaveAttribute('href', /\/input/);
  await signInAsAdmin(page, board.url);
  const claims = page
    .getByRole('region', { name: 'Guild status' })
    .getByRole('button', { name: /^Claims/ });
  await expect(claims).toHaveText('Claims open');
  await claims.click();
  await page.getByRole('menuitem', { name: 'Close claims…' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(
    '1 character with an active access key',
  );
  await expect(page.getByRole('alertdialog')).toContainText('2 people are on the board right now');
  await press(page, 'Close claims');
  await expect(claims).toHaveText('Claims closed');

  await expect(member.getByText('Claims are closed.', { exact: true })).toBeVisible();
  await expect(name).toHaveAttribute('aria-disabled', 'true');
  await name.click({ force: true });
  await expect(member.getByRole('tooltip')).toHaveText('Claims are closed');
  expect(new URL(member.url()).pathname).toBe('/');
  await expectNothingSerious(member);

  await member.mouse.move(0, 0);
  await press(page, 'Undo');
  await expect(claims).toHaveText('Claims open');
  await expect(name).toHaveAttribute('href', /\/input/);
  await expect(member.getByText('Claims are closed.', { exact: true })).toHaveCount(0);
});

test('keys, characters and settings are accessible in both themes, and fit a phone', async ({
  board,
  browser,
}) => {
  test.slow();
  await board.asAdmin('POST', '/admin/verify-character', { character_name: 'Riley Ashdown' });
  await board.asAdmin('POST', '/admin/verify-character', { character_name: 'Sable Quinn' });
  await board.asAdmin('POST', '/admin/revoke-character-access', { character_name: 'Sable Quinn' });
  await board.asAdmin('POST', '/admin/ban-character', { character_name: 'Kael Morrow' });
  const page = await newPerson(browser, { viewport: { width: 1440, height: 900 } });
  await signInAsAdmin(page, board.url, '/admin/dashboard/keys');
  for (const place of ['keys', 'verified', 'settings/guild', 'settings/rules']) {
    await goInApp(page, `/admin/dashboard/${place}`);
    const content = {
      'settings/guild': page.getByRole('button', { name: 'Save' }),
      'settings/rules': page.getByRole('switch').first(),
    };
    await expect(
      place === 'settings/guild' || place === 'settings/rules'
        ? content[place]
        : page.getByRole('table'),
    ).toBeVisible();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNothingSeriousInBothThemes(page, `${place} at ${width} px`);
      await expectToFit(page, `${place} at ${width} px`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }
});

test('a member’s page is opened from a key, acts on it, leads back to the list, and has an address to share', async ({
  board,
  page,
}) => {
  await board.aKey('Sable Quinn', 'elite');
  await signInAsAdmin(page, board.url, '/admin/dashboard/keys?type=elite');
  await page.getByRole('link', { name: 'Details of Sable Quinn' }).click();
  await expect(page.getByRole('heading', { name: 'Sable Quinn' })).toBeVisible();
  await expectNothingSerious(page);
  await chooseAction(page, 'Sable Quinn', 'Verify');
  await expect(
    page.getByRole('region', { name: 'Access key' }).locator('dd').getByText('Verified'),
  ).toBeVisible();
  await chooseAction(page, 'Sable Quinn', 'Revoke access');
  await press(page, 'Revoke access');
  await expect(
    page.getByRole('region', { name: 'Access key' }).getByText('Revoked', { exact: true }),
  ).toBeVisible();

  const { pathname } = new URL(page.url());
  await page.getByRole('link', { name: 'Keys' }).click();
  await expect(page).toHaveURL(/\/admin\/dashboard\/keys\?type=elite$/);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(board.url + pathname);
  await expect(page.getByRole('heading', { name: 'Sable Quinn' })).toBeVisible();
  await expectToFit(page);
});
