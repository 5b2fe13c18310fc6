import type { Locator, Page } from '@playwright/test';
import {
  BOARD_OF_CLAIMS,
  expect,
  goInApp,
  newPerson,
  serverSaveNow,
  signInWithKey,
  test,
} from './fixtures.ts';

const hourIn = (page: Page, hour: number): Locator =>
  page.getByRole('button', { name: new RegExp(`^SS\\+${hour},`) });
const card = (page: Page, spot: string): Locator =>
  page.getByRole('article').filter({ hasText: spot });

test('a member choosing hours is named on the card and in the form, blocks no one, and disappears with the page', async ({
  board,
  page: sable,
  browser,
}) => {
  await board.anActiveEvent();
  const sableKey = await board.aKey('Sable Quinn');
  const rileyKey = await board.aKey('Riley Ashdown');
  const bramKey = await board.aKey('Old Bram');
  const [spot] = await board.asAdmin<{ id: number; name: string }[]>('GET', '/admin/respawns');
  if (!spot) throw new Error('the catalogue has spots');
  const date = serverSaveNow().date;
  const bram = {
    respawn_id: spot.id,
    character_name: 'Old Bram',
    date,
    hour_start: 2,
    hour_end: 6,
  };
  const claimed = await fetch(`${board.url}/api/claims`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ access_key: bramKey.key_value, claims: [bram] }),
  });
  expect(claimed.status).toBe(201);

  // Two members on the board, and the first one's second page: two people.
  await signInWithKey(sable, board.url, sableKey.key_value, BOARD_OF_CLAIMS);
  await expect(sable.getByText('1 watching')).toBeVisible();
  const secondPage = await sable.context().newPage();
  await secondPage.goto(board.url + BOARD_OF_CLAIMS);
  await expect(secondPage.getByText('1 watching')).toBeVisible();
  const riley = await newPerson(browser);
  await signInWithKey(riley, board.url, rileyKey.key_value);
  await expect(sable.getByText('2 watching')).toBeVisible();
  await secondPage.close();

  // Riley chooses; Sable sees it on the card.
  await goInApp(riley, `/input?respawn=${spot.id}&date=${date}`);
  await hourIn(riley, 10).click();
  await card(sable, spot.name).scrollIntoViewIfNeeded();
  const line = card(sable, spot.name)
    .getByRole('listitem')
    .filter({ hasText: 'Riley Ashdown is choosing' });
  await expect(line.getByRole('button')).toHaveText('SS+10 to SS+14');
  await expect(card(riley, spot.name)).toHaveCount(0);
  await expect(riley.getByText(/is choosing/)).toHaveCount(0);

  // In the form, too, named and still to be had: Sable claims those very hours.
  await goInApp(sable, `/input?respawn=${spot.id}&date=${date}`);
  await expect(hourIn(sable, 12)).toHaveAccessibleName(
    /Riley Ashdown is choosing it too\. You can still choose it\.$/,
  );
  await expect(sable.getByText('Riley Ashdown is choosing').first()).toBeVisible();
  await expect(hourIn(sable, 9)).toHaveAccessibleName(/your time$/);
  await hourIn(sable, 10).click();
  await expect(hourIn(riley, 10)).toHaveAccessibleName(/Sable Quinn is choosing it too/);
  await sable.getByRole('button', { name: 'Submit 1 claim' }).click();
  await expect(sable.getByText('Claims Submitted Successfully!')).toBeVisible();

  // Riley's choice is lost and Sable's is a claim now: neither is shown.
  await expect(riley.getByText('Time conflict with existing claims')).toBeVisible();
  await expect(riley.getByText(/is choosing/)).toHaveCount(0);
  await sable.getByRole('link', { name: 'View Claims on Main Page' }).click();
  await card(sable, spot.name).scrollIntoViewIfNeeded();
  await expect(card(sable, spot.name).getByText('Sable Quinn')).toBeVisible();
  await expect(line).toHaveCount(0);

  // Another choice is shown until Riley leaves the form, and the page.
  await hourIn(riley, 17).click();
  await expect(line.getByRole('button')).toHaveText('SS+17 to SS+21');
  await riley.getByRole('link', { name: 'Home' }).click();
  await expect(line).toHaveCount(0);
  await expect(sable.getByText('2 watching')).toBeVisible();
  await riley.context().close();
  await expect(sable.getByText('1 watching')).toBeVisible();
});
