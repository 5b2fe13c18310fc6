import {
  BOARD_OF_CLAIMS,
  EVERYWHERE,
  expect,
  KILLS,
  newPerson,
  PHONE,
  serverSaveNow,
  signInWithKey,
  test,
} from './fixtures.ts';

test('a lost connection is announced, and the board catches up when the server is back', {
  tag: [KILLS, EVERYWHERE, PHONE],
}, async ({ board, page, browser }) => {
  await board.anActiveEvent();
  const watching = await board.aKey('Sable Quinn');
  const hunting = await board.aKey('Riley Ashdown');
  await signInWithKey(page, board.url, watching.key_value, BOARD_OF_CLAIMS);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();

  await board.kill();
  await expect(page.getByText('Offline', { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('heading', { name: /Vouchers from/ })).toBeVisible();

  await board.restart();
  const claim = {
    respawn_id: 3,
    character_name: 'Riley Ashdown',
    hour_start: 8,
    hour_end: 12,
    date: serverSaveNow().date,
  };
  const answer = await fetch(`${board.url}/api/claims`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ access_key: hunting.key_value, claims: [claim] }),
  });
  expect(answer.status).toBe(201);
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('article').getByText('Riley Ashdown').first()).toBeVisible();

  // A new window sees the same.
  const fresh = await newPerson(browser);
  await signInWithKey(fresh, board.url, watching.key_value, BOARD_OF_CLAIMS);
  await expect(fresh.getByRole('article').getByText('Riley Ashdown').first()).toBeVisible();
});

test('where WebSocket is blocked, the board refreshes every ten seconds and says so', async ({
  board,
  page,
}) => {
  await board.anActiveEvent();
  const watching = await board.aKey('Sable Quinn');
  const hunting = await board.aKey('Riley Ashdown');
  await page.addInitScript(() => {
    Object.assign(window, {
      WebSocket: class {
        constructor() {
          throw new Error('blocked');
        }
      },
    });
  });
  await signInWithKey(page, board.url, watching.key_value, BOARD_OF_CLAIMS);
  await expect(page.getByText(/10 s|ten seconds/i).first()).toBeVisible({ timeout: 20_000 });
  const claim = {
    respawn_id: 3,
    character_name: 'Riley Ashdown',
    hour_start: 8,
    hour_end: 12,
    date: serverSaveNow().date,
  };
  await fetch(`${board.url}/api/claims`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ access_key: hunting.key_value, claims: [claim] }),
  });
  await expect(page.getByRole('article').getByText('Riley Ashdown').first()).toBeVisible({
    timeout: 20_000,
  });
});

test('a key that is revoked closes the board at once and says why', async ({ board, page }) => {
  await board.anActiveEvent();
  const key = await board.aKey('Sable Quinn');
  await signInWithKey(page, board.url, key.key_value, BOARD_OF_CLAIMS);
  await expect(page.getByRole('heading', { name: /Vouchers from/ })).toBeVisible();
  await board.asAdmin('PUT', `/admin/access-keys/${key.id}/revoke`);
  await expect(
    page.getByText('This access key has been revoked. Please contact an admin.').first(),
  ).toBeVisible();
  await expect(page.getByRole('heading', { name: /Vouchers from/ })).toBeHidden();
});
