import type { Locator, Page } from '@playwright/test';
import { expectNothingSerious, namesWithoutWhatIsWritten } from './axe.ts';
import {
  expect,
  expectToFit,
  newPerson,
  serverSaveNow,
  signInAsAdmin,
  signInWithKey,
  test,
} from './fixtures.ts';

const SPOT = 'Cobra Bastion';
const panel = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('region', { name, exact: true });

test('a member states a weekly claim on a phone by keyboard, its claims are on the board, and an admin ends it', async ({
  board,
  browser,
  page: admin,
}) => {
  // Two people, each with a page of their own.
  test.slow();
  const key = await board.aKey('Riley Ashdown');
  const phone = await newPerson(browser, { viewport: { width: 390, height: 844 } });
  await signInWithKey(phone, board.url, key.key_value, '/mine');
  await expect(panel(phone, 'Waitlist')).toBeVisible();
  await expect(panel(phone, 'Every week')).toHaveCount(0);

  // The settings are live: the section comes without a reload.
  await board.asAdmin('PUT', '/admin/config', { standing_enabled: 1 });
  await panel(phone, 'Every week')
    .getByRole('button', { name: 'New weekly claim…' })
    .press('Enter');
  const form = phone.getByRole('dialog', { name: 'New weekly claim' });
  await form.getByRole('combobox', { name: 'Spot' }).fill(SPOT);
  await form.getByRole('combobox', { name: 'Spot' }).press('Enter');
  // Every day, so that whatever the day is, seven claims are due besides today's.
  for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
    await form.getByRole('checkbox', { name: day }).press(' ');
  await form.getByLabel('Start').selectOption({ label: 'SS+20' });
  await form.getByLabel('End').selectOption({ label: 'SS+22' });
  await expect(form.getByText('Claimed now').first()).toBeVisible();
  await expect(form.getByText(/^then every /)).toBeVisible();
  await expectNothingSerious(phone);
  expect(await namesWithoutWhatIsWritten(phone)).toEqual([]);
  await expectToFit(phone);
  await form.getByRole('button', { name: 'Save weekly claim' }).press('Enter');
  await expect(phone.getByText(`Weekly claim saved: ${SPOT}`)).toBeVisible();
  await expect(form).toHaveCount(0);
  await expect(panel(phone, 'Every week')).toContainText('SS+20 to SS+22');
  await expect(panel(phone, 'Every week')).toContainText('Next: ');
  const row = await panel(phone, 'Every week').getByRole('listitem').first().boundingBox();
  expect(row?.height).toBeLessThanOrEqual(120);
  await expect(panel(phone, 'Coming up').locator('[data-weekly]')).toHaveCount(8);
  await expectNothingSerious(phone);
  await expectToFit(phone);

  await signInAsAdmin(admin, board.url, '/admin/dashboard/claims?view=weekly');
  const list = panel(admin, 'Weekly claims');
  await expect(list).toContainText('Riley Ashdown');
  await list.getByRole('button', { name: `Pause Riley Ashdown, ${SPOT}` }).click();
  await expect(panel(phone, 'Every week')).toContainText('Paused');
  await expectNothingSerious(admin);
  await list.getByRole('button', { name: `End… Riley Ashdown, ${SPOT}` }).click();
  const question = admin.getByRole('alertdialog');
  await question.getByRole('radio', { name: 'Keep 8 claims' }).press('ArrowRight');
  await expect(question.getByRole('radio', { name: 'Release 8 claims' })).toBeChecked();
  await question.getByRole('button', { name: 'End weekly claim' }).click();
  await expect(list).toContainText('No weekly claims');
  await expect(panel(phone, 'Every week')).toContainText('You have no weekly claims');
  await expect(panel(phone, 'Coming up').locator('[data-weekly]')).toHaveCount(0);

  const { date } = serverSaveNow();
  await admin.goto(`${board.url}/?search=cobra+bastion&date=${date}`);
  await expect(
    admin.getByRole('article').filter({ hasText: SPOT }).locator('[data-weekly]'),
  ).toHaveCount(0);
});
