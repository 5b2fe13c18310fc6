import type { Locator, Page } from '@playwright/test';
import { expectNothingSerious } from './axe.ts';
import {
  expect,
  expectToFit,
  newPerson,
  serverSaveNow,
  signInAsAdmin,
  signInWithKey,
  test,
} from './fixtures.ts';

interface Spot {
  id: number;
  name: string;
}

const { date: today } = serverSaveNow();
const panel = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('region', { name, exact: true });

test('a member releases the rest of a claim, the next on the waitlist takes it, and an admin sees the end reason', async ({
  board,
  page,
  browser,
}) => {
  // Three people, each with a page of their own.
  test.slow();
  await board.anActiveEvent();
  await board.asAdmin('PUT', '/admin/config', { release_enabled: 1 });
  const [spot] = await board.asAdmin<Spot[]>('GET', '/admin/respawns');
  if (!spot) throw new Error('the catalogue has spots');
  const riley = await board.aKey('Riley Ashdown');
  const sable = await board.aKey('Sable Quinn');
  // SS+0 is running, so a release keeps it.
  const claim = {
    respawn_id: spot.id,
    character_name: 'Riley Ashdown',
    date: today,
    hour_start: 0,
    hour_end: 4,
  };
  await board.asAdmin('POST', '/claims', {
    admin_submission: true,
    member_type: 'member',
    claims: [claim],
  });
  const wait = {
    respawn_id: spot.id,
    date: today,
    hour_start: 1,
    hour_end: 4,
    character_name: 'Sable Quinn',
    member_type: 'member',
  };
  await board.asAdmin('POST', '/waits', wait);

  const other = await newPerson(browser, { viewport: { width: 390, height: 844 } });
  await signInWithKey(other, board.url, sable.key_value, '/mine');
  await expect(panel(other, 'Waitlist')).toContainText("You're number 1");

  // By the navigation, as a person comes here.
  await signInWithKey(page, board.url, riley.key_value);
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL(/\/mine$/);
  await expect(panel(page, 'Last 30 days')).toContainText('No changes');
  await panel(page, 'Coming up')
    .getByRole('button', { name: `Release the rest, ${spot.name}` })
    .click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Comes free');
  await expect(question).toContainText('SS+0 to SS+1');
  await question.getByRole('button', { name: 'Release SS+1 to SS+4' }).click();
  await expect(panel(page, 'Coming up').getByRole('listitem')).toContainText('SS+0 to SS+1');
  await expect(panel(page, 'Last 30 days').getByRole('listitem')).toContainText(
    /SS\+1 to SS\+4.*Released/,
  );
  await expectNothingSerious(page);
  await expectToFit(page);

  const offer = other.getByRole('region', { name: 'Held for you' });
  await expect(offer).toContainText('SS+1 to SS+4');
  await expectToFit(other);
  await offer.getByRole('button', { name: `Take hours: ${spot.name}` }).click();
  await expect(panel(other, 'Coming up').getByRole('listitem')).toContainText('SS+1 to SS+4');
  await expect(offer).toHaveCount(0);

  const admin = await newPerson(browser);
  await signInAsAdmin(
    admin,
    board.url,
    '/admin/dashboard/activity?action=claim_history&search=riley',
  );
  const row = admin.getByRole('row', { name: /Riley Ashdown/ });
  await expect(row).toContainText('Claim released');
  await expect(row).toContainText(spot.name);
  await admin.getByLabel('Action').selectOption('No-show');
  await expect(admin.getByText('No matching entries')).toBeVisible();
  await expectNothingSerious(admin);
});
