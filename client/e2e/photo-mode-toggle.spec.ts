import { EVERYWHERE, expect, serverSaveNow, signInWithKey, test } from './fixtures.ts';

// Beside photo-mode.spec.ts, whose browser shows pictures: Firefox would be started once more for this test.
test('photo mode is for screens wider than 768 px, kept in the address, and one press in and out', {
  tag: EVERYWHERE,
}, async ({ board, page }) => {
  await board.anActiveEvent();
  const { date } = serverSaveNow();
  const claim = { respawn_id: 5, character_name: 'Old Bram', date, hour_start: 8, hour_end: 12 };
  await board.asAdmin('POST', '/claims', {
    admin_submission: true,
    member_type: 'member',
    claims: [claim],
  });
  const taker = page.getByRole('button', { name: /^Screenshot:/ });
  await page.setViewportSize({ width: 700, height: 900 });
  await signInWithKey(
    page,
    board.url,
    (await board.aKey('Riley Ashdown')).key_value,
    `/?photoMode=true&date=${date}`,
  );
  const toggle = page.getByRole('button', { name: 'Photo mode' });
  await expect(page.getByRole('list', { name: /^Unclaimed spots/ }).first()).toBeVisible();
  await expect(taker).toHaveCount(0);
  const leave = page.getByRole('button', { name: 'Leave photo mode' });
  await expect(toggle.or(leave)).toHaveCount(0);
  await page.setViewportSize({ width: 768, height: 900 });
  await expect(toggle.or(leave)).toHaveCount(0);

  await page.setViewportSize({ width: 769, height: 900 });
  await expect(taker).toBeVisible();
  await leave.click();
  await expect(taker).toHaveCount(0);
  await expect(page).not.toHaveURL(/photoMode/);
  await toggle.click();
  await expect(page).toHaveURL(/photoMode=true/);
  await page.reload();
  await expect(taker).toBeVisible();
});
