import { expectNothingSerious } from './axe.ts';
import { expect, expectToFit, newPerson, test } from './fixtures.ts';

test('an invited person chooses a password and sees a moderator’s dashboard; the link works once', async ({
  board,
  browser,
}) => {
  const { token } = await board.asAdmin<{ token: string }>('POST', '/admin/invitations', {
    username: 'Bram Oakes',
    role: 'moderator',
  });
  await board.anActiveEvent();
  const link = `${board.url}/invite#${token}`;
  const page = await newPerson(browser, { viewport: { width: 390, height: 844 } });
  await page.goto(link);
  await expect(
    page.getByText(/^Bram Oakes, the guild invites you to be a moderator/),
  ).toBeVisible();
  await expect(page).toHaveTitle('You are invited · Claimboard');
  await expectToFit(page);
  await expectNothingSerious(page, 'an invitation');

  // The dashboard's tabs are a menu on a phone.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByLabel('Password', { exact: true }).fill('hunting-at-night');
  await page.getByLabel('Repeat password', { exact: true }).fill('hunting-at-night');
  await page.getByRole('button', { name: 'Accept and sign in' }).click();
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1, name: /Welcome Bram Oakes/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Double week' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Claims' })).toHaveCount(1);
  await expect(page.getByRole('tab', { name: 'Keys' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Create event' })).toHaveCount(0);

  const late = await newPerson(browser);
  await late.goto(link);
  await expect(
    late.getByRole('heading', { name: 'This invitation is no longer valid' }),
  ).toBeVisible();
  await expectNothingSerious(late, 'an invitation that was used');
  await late.getByRole('link', { name: 'Admin Login' }).click();
  await late.getByLabel('Username').fill('Bram Oakes');
  await late.getByLabel('Password', { exact: true }).fill('hunting-at-night');
  await late.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await expect(late.getByRole('heading', { level: 1, name: /Welcome Bram Oakes/ })).toBeVisible();
});
