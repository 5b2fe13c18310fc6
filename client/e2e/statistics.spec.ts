import { readFile } from 'node:fs/promises';
import { expectNothingSerious } from './axe.ts';
import {
  BOARD_OF_CLAIMS,
  eventAroundToday,
  expect,
  expectToFit,
  serverSaveNow,
  signInWithKey,
  test,
} from './fixtures.ts';

test('a member reads who hunted how much, of the event and on other dates, and saves a table', async ({
  board,
  page,
}) => {
  const event = await board.anActiveEvent();
  const { key_value } = await board.aKey('Sable Quinn');
  await board.aKey('Riley Ashdown');
  const { date } = serverSaveNow();
  const claims = [
    { respawn_id: 5, character_name: 'Sable Quinn', hour_start: 8, hour_end: 12, date },
    { respawn_id: 6, character_name: 'Riley Ashdown', hour_start: 20, hour_end: 23, date },
  ];
  for (const claim of claims)
    await board.asAdmin('POST', '/claims', { admin_submission: true, claims: [claim] });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));

  await signInWithKey(page, board.url, key_value, BOARD_OF_CLAIMS);
  await expect(page.getByRole('heading', { name: /Vouchers from/ })).toBeVisible();
  // Plots are loaded with the page that uses them.
  const isOfPage = (path: string): boolean => path.includes('/statistics-page-');
  expect(requests.filter(isOfPage)).toEqual([]);
  await page.getByRole('banner').getByRole('button', { name: 'Sable Quinn' }).click();
  await page.getByRole('menuitem', { name: 'Statistics' }).click();

  const members = page.getByRole('region', { name: 'Hours by member', exact: true });
  await members.getByText('Table', { exact: true }).click();
  await expect(members.getByRole('row').nth(1)).toHaveText(/Sable Quinn.*member.*4/);
  await expect(members.getByRole('img').locator('svg')).toBeVisible();
  await expect(
    page
      .getByRole('region', { name: 'Hours by hour of the day', exact: true })
      .getByRole('img')
      .locator('svg'),
  ).toBeVisible();
  expect(requests.filter(isOfPage).length).toBeGreaterThan(0);
  await expect(page.getByLabel('Period')).toHaveValue(String(event.id));
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNothingSerious(page);
  }
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    members.getByRole('button', { name: 'Download CSV: Hours by member' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^hours-by-member-.+\.csv$/);
  expect(await readFile(await download.path(), 'utf8')).toContain('"Riley Ashdown","member","3"');

  await page.getByLabel('Period').selectOption('Date range');
  await expect(page.getByLabel('From')).toHaveValue(eventAroundToday().start_date);
  await page.getByLabel('To', { exact: true }).fill(eventAroundToday().start_date);
  await expect(page.getByText('No data for these dates')).toBeVisible();
  await expect(page).toHaveURL(/from=.+&to=/);
  await page.getByLabel('To', { exact: true }).fill(date);
  await members.getByText('Table', { exact: true }).click();
  await expect(members.getByRole('row')).toHaveCount(3);

  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await expectNothingSerious(page);
});
