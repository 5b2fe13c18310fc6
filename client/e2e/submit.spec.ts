import type { Locator, Page } from '@playwright/test';
import type { ClaimRow } from '../../shared/schemas/claim.ts';
import {
  EVERYWHERE,
  expect,
  loginAsAdmin,
  newPerson,
  PHONE,
  serverSaveNow,
  signInWithKey,
  test,
} from './fixtures.ts';

const hourIn = (where: Page | Locator, hour: number): Locator =>
  where.getByRole('button', { name: new RegExp(`^SS\\+${hour},`) });

async function chooseSpot(where: Page | Locator, label: string, spot: string): Promise<void> {
  const box = where.getByRole('combobox', { name: label, exact: true });
  await box.click();
  await box.fill(spot);
  await where.getByRole('option', { name: spot, exact: true }).click();
}

/** The claims of a character, as the admin's list has them: a split one with a row for each part. */
async function claimsOf(
  board: { asAdmin: <T>(method: 'GET', path: string) => Promise<T> },
  character_name: string,
): Promise<ClaimRow[]> {
  const claims = await board.asAdmin<ClaimRow[]>('GET', '/admin/claims');
  return claims.filter((claim) => claim.character_name === character_name);
}

test('a split claim: two spots on one date, one claim, on both cards of the board', {
  tag: [EVERYWHERE, PHONE],
}, async ({ board, page }) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  await signInWithKey(page, board.url, key.key_value);
  await chooseSpot(page, 'Spot', 'Cobra Bastion');
  await page.getByRole('button', { name: 'Split in two' }).click();

  const dialog = page.getByRole('dialog', { name: /^Split claim/ });
  const second = dialog.getByRole('group', { name: /^Part 2/ });
  const apply = dialog.getByRole('button', { name: 'Use these two parts' });
  await expect(apply).toBeDisabled();
  await chooseSpot(second, 'Spot, part 2', 'Asura Mirror');
  await hourIn(second, 11).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'Overlap between Part 1 (SS+10-12) and Part 2 (SS+11-13). A player cannot be in two places at the same time.',
  );
  await expect(apply).toBeDisabled();
  await hourIn(second, 15).click();
  await apply.click();

  await expect(page.getByRole('list', { name: 'Split claim' })).toHaveText(
    /Part 1Cobra Bastion.*Part 2Asura Mirror/,
  );
  await page.getByRole('button', { name: 'Submit 1 claim' }).click();
  await expect(page.getByText('Claims Submitted Successfully!')).toBeVisible();
  const claims = await claimsOf(board, 'Riley Ashdown');
  expect(
    claims.map(({ respawn_name, hour_start, hour_end, is_split_claim }) => [
      respawn_name,
      hour_start,
      hour_end,
      is_split_claim,
    ]),
  ).toEqual([
    ['Cobra Bastion', 10, 12, 1],
    ['Asura Mirror', 15, 17, 1],
  ]);

  await page.getByRole('link', { name: 'View Claims on Main Page' }).click();
  for (const spot of ['Cobra Bastion', 'Asura Mirror']) {
    const card = page.getByRole('article').filter({ hasText: spot }).first();
    await card.scrollIntoViewIfNeeded();
    await expect(card.getByText('Riley Ashdown')).toBeVisible();
  }
});

test('a secondary claim with priority 5 can be made on hours of another member', {
  tag: EVERYWHERE,
}, async ({ board, page }) => {
  await board.anActiveEvent();
  const key = await board.aKey('Mira Stormcrow', 'elite');
  await signInWithKey(page, board.url, key.key_value);
  await chooseSpot(page, 'Spot', 'Cobra Bastion');
  await hourIn(page, 14).click();
  const chosen = page.getByRole('checkbox', { checked: true });
  await expect(chosen).toHaveCount(1);
  const today = serverSaveNow().date;
  const spot = await respawnId(board, 'Asura Mirror');
  await board.asAdmin('POST', '/claims', {
    admin_submission: true,
    claims: [
      { respawn_id: spot, character_name: 'Arden Vale', hour_start: 2, hour_end: 6, date: today },
    ],
  });

  await page.getByRole('button', { name: 'Add secondary claim' }).click();
  const dialog = page.getByRole('dialog', { name: /^Secondary claim/ });
  const apply = dialog.getByRole('button', { name: 'Use this secondary claim' });
  await apply.click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'Please select a respawn for the secondary claim',
  );
  await chooseSpot(dialog, 'Spot of the secondary claim', 'Asura Mirror');
  await expect(hourIn(dialog, 3)).toHaveAccessibleName(/taken, .* your time/);
  await hourIn(dialog, 3).click();
  await expect(dialog.getByText(/Claimed by Arden Vale/)).toBeVisible();
  await apply.click();

  await page.getByRole('button', { name: 'Submit 2 claims' }).click();
  await expect(page.getByText('Claims Submitted Successfully!')).toBeVisible();
  await expect(page.getByText('P5', { exact: true })).toBeVisible();
  const secondary = (await claimsOf(board, 'Mira Stormcrow')).filter(
    (claim) => claim.is_secondary_claim,
  );
  expect(secondary).toMatchObject([
    { respawn_id: spot, hour_start: 3, hour_end: 7, secondary_priority: 5 },
  ]);
});

test('in a single_claim event one claim covers every day, and a conflict on any of them counts', async ({
  board,
  page,
}) => {
  const key = await board.aKey('Riley Ashdown');
  await signInWithKey(page, board.url, key.key_value);
  await chooseSpot(page, 'Spot', 'Cobra Bastion');
  // An open form turns into the event's when it is activated.
  await board.anActiveEvent({
    type: 'single_claim',
    single_claim_template: 'Bring your own potions',
  });
  await expect(page.getByText('Bring your own potions')).toBeVisible();
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await chooseSpot(page, 'Spot', 'Cobra Bastion');
  await hourIn(page, 9).click();
  await page.getByRole('button', { name: 'Submit 1 claim' }).click();
  await expect(page.getByText('Claims Submitted Successfully!')).toBeVisible();
  expect(await claimsOf(board, 'Riley Ashdown')).toMatchObject([
    { date: null, hour_start: 9, hour_end: 13 },
  ]);

  const other = await board.aKey('Sable Quinn');
  await page.context().clearCookies();
  await signInWithKey(page, board.url, other.key_value);
  await chooseSpot(page, 'Spot', 'Cobra Bastion');
  await expect(hourIn(page, 9)).toHaveAccessibleName(
    'SS+9, taken: conflicts with existing claim (Riley Ashdown, SS+9 to SS+13)',
  );
  await expect(hourIn(page, 8)).toHaveAccessibleName('SS+8, max 1h available');
});

test('hours taken while the form is open turn red, and the selection stays', async ({
  board,
  page,
  browser,
}) => {
  await board.anActiveEvent();
  const slow = await board.aKey('Riley Ashdown');
  const fast = await board.aKey('Late Lena');
  await signInWithKey(page, board.url, slow.key_value);
  await chooseSpot(page, 'Spot', 'Cobra Bastion');
  await hourIn(page, 14).click();
  await expect(page.getByRole('button', { name: 'Submit 1 claim' })).toBeEnabled();

  const rival = await newPerson(browser);
  await signInWithKey(rival, board.url, fast.key_value);
  await chooseSpot(rival, 'Spot', 'Cobra Bastion');
  await hourIn(rival, 16).click();
  await rival.getByRole('button', { name: 'Submit 1 claim' }).click();
  await expect(rival.getByText('Claims Submitted Successfully!')).toBeVisible();

  await expect(page.getByRole('alert')).toContainText(
    /Time conflict detected for \w+,? \d+ \w+ at SS\+14\./,
  );
  await expect(page.getByRole('alert')).toContainText(
    'Late Lena has SS+16 to SS+20. Your choice is kept',
  );
  await expect(page.getByText('Time conflict with existing claims')).toBeVisible();
  await expect(hourIn(page, 14)).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('button', { name: 'Submit 1 claim' })).toBeDisabled();
  await page.getByRole('radio', { name: '2 h' }).check({ force: true });
  await page.getByRole('button', { name: 'Submit 1 claim' }).click();
  await expect(page.getByText('Claims Submitted Successfully!')).toBeVisible();
});

test('an admin enters a claim for a character without a key', async ({ board, page }) => {
  await board.anActiveEvent();
  await page.goto(`${board.url}/admin/input`);
  await expect(page).toHaveURL(/admin\/login/);
  await loginAsAdmin(page, board.url, /admin\/input/);
  await chooseSpot(page, 'Spot', 'Cobra Bastion');
  await hourIn(page, 14).click();
  await page.getByRole('button', { name: 'Submit 1 claim' }).click();
  await expect(page.getByText('Character name is required')).toBeVisible();
  await page.getByLabel('Character name').fill('Old Bram');
  await page.getByLabel('Member type').selectOption('vice');
  await page.getByRole('button', { name: 'Submit 1 claim' }).click();
  await expect(
    page.getByRole('heading', { name: 'Successfully submitted 1 claim(s) for Old Bram!' }),
  ).toBeVisible();
  expect(await claimsOf(board, 'Old Bram')).toMatchObject([
    { member_type: 'vice', hour_start: 14, hour_end: 18 },
  ]);

  // The same name again is warned, spelled as it may be.
  await page.getByRole('button', { name: 'Submit More Claims' }).click();
  await page.getByLabel('Character name').fill(' old  bram');
  await expect(
    page.getByRole('alert').getByText('CHARACTER ALREADY HAS A CLAIM FOR THIS DATE'),
  ).toBeVisible();
  await expect(page.getByText('Cobra Bastion, SS+14 to SS+18')).toBeVisible();
  await expect(hourIn(page, 3)).toBeDisabled();
});

async function respawnId(
  board: { asAdmin: <T>(method: 'GET', path: string) => Promise<T> },
  name: string,
): Promise<number> {
  const respawns = await board.asAdmin<{ id: number; name: string }[]>('GET', '/admin/respawns');
  const found = respawns.find((respawn) => respawn.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found.id;
}
