import { expectNothingSerious } from './axe.ts';
import {
  BOARD_OF_CLAIMS,
  expect,
  expectToFit,
  serverSaveNow,
  signInWithKey,
  test,
} from './fixtures.ts';

test('a second screen shows current hunters and changes, in full screen, and leads back to the board', async ({
  board,
  page,
}) => {
  await board.anActiveEvent();
  const watching = await board.aKey('Sable Quinn');
  const hunting = await board.aKey('Riley Ashdown');
  await signInWithKey(page, board.url, watching.key_value, BOARD_OF_CLAIMS);
  await page.getByRole('link', { name: 'Watch mode' }).click();
  await expect(page.getByText('No changes.')).toBeVisible({ timeout: 20_000 });

  const { date, hour } = serverSaveNow();
  const claims = [
    { respawn_id: 3, character_name: 'Riley Ashdown', hour_start: hour, hour_end: hour + 4, date },
  ];
  const body = JSON.stringify({ access_key: hunting.key_value, claims });
  const answer = await fetch(`${board.url}/api/claims`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  expect(answer.status).toBe(201);
  await expect(page.getByRole('log').getByText('Riley Ashdown')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText(/^Riley Ashdown, .* left$/)).toBeVisible();
  await expect(page.getByText('1 hunting now')).toBeVisible();
  await expectNothingSerious(page);
  await expectToFit(page);

  await page.getByRole('button', { name: 'Sound: off' }).click();
  await expect(page.getByRole('button', { name: 'Sound: on' })).toHaveAttribute(
    'aria-pressed',
    'true',
    { timeout: 20_000 },
  );
  await page.getByRole('button', { name: 'Full screen' }).click();
  await expect(page.getByRole('button', { name: 'Leave full screen' })).toBeVisible();
  await page.getByRole('button', { name: 'Leave full screen' }).click();
  await expect(page.getByRole('button', { name: 'Full screen', exact: true })).toBeVisible();
  // Only the board it leads back to has a navigation.
  await expect(page.getByRole('navigation')).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await page.getByRole('link', { name: 'Back to the board' }).click();
  await expect(page.getByRole('article').getByText('Riley Ashdown').first()).toBeVisible({
    timeout: 20_000,
  });
  await page.goBack();
  await expect(page.getByText('1 hunting now')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('article').getByText('Riley Ashdown').first()).toBeVisible();
});
