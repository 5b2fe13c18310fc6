import { expectNothingSerious } from './axe.ts';
import { expect, expectToFit, signInAsAdmin, test } from './fixtures.ts';

/** Both are made by processes that let others go first: on a busy machine the others are many. */
const DONE = { timeout: 60_000 };

test('an owner makes a backup and has everything looked at, and reads both when they are done', async ({
  board,
  page,
}) => {
  await signInAsAdmin(page, board.url);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'System' }).click();
  const backups = page.getByRole('region', { name: 'Backups' });
  await expect(backups.getByText('No backups yet.')).toBeVisible();
  await backups.getByRole('button', { name: 'Back up now' }).click();
  await expect(backups.getByText(/^Latest: /)).toBeVisible(DONE);

  const checks = page.getByRole('region', { name: 'Health check' });
  await checks.getByRole('button', { name: 'Check now' }).click();
  await expect(checks.getByText(/^Last run: /)).toBeVisible(DONE);
  await checks.getByText(/^OK · /).click();
  const checkOf = (name: string) =>
    checks.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
  await expect(checkOf('Backup')).toContainText('intact');
  await expect(checkOf('Database integrity')).toContainText('The database is intact.');

  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page, 'the system');
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNothingSerious(page, `the system, ${colorScheme}`);
  }
});
