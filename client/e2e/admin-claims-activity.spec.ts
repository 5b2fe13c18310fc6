import type { Page } from '@playwright/test';
import type { ClaimRow } from '../../shared/schemas/claim.ts';
import type { RespawnWithClaims } from '../../shared/schemas/respawn.ts';
import { expectNothingSeriousInBothThemes } from './axe.ts';
import {
  ALL_SPOTS,
  BOARD_OF_CLAIMS,
  type Claimboard,
  eventAroundToday,
  expect,
  expectToFit,
  goInApp,
  newPerson,
  serverSaveNow,
  signInAsAdmin,
  signInWithKey,
  test,
} from './fixtures.ts';

interface Scene {
  admin: Page;
  member: Page;
  spot: RespawnWithClaims;
  date: string;
  claim: (character_name: string, hour_start: number, hour_end: number) => Promise<ClaimRow[]>;
}

/** An admin at the claims, and a member who watches the board, on the second date of an event. */
async function aScene(board: Claimboard, admin: Page, member: Page): Promise<Scene> {
  await board.anActiveEvent();
  const key = await board.aKey('Sable Quinn');
  const { date } = serverSaveNow();
  const respawns: RespawnWithClaims[] = await (
    await fetch(`${board.url}/api/respawns`, { headers: { 'X-Access-Key': key.key_value } })
  ).json();
  const spot = respawns[0];
  if (!spot) throw new Error('there are no respawns');
  await signInWithKey(member, board.url, key.key_value, BOARD_OF_CLAIMS);
  await signInAsAdmin(admin, board.url);
  await admin.getByRole('tab', { name: 'Claims' }).click();
  const claim: Scene['claim'] = (character_name, hour_start, hour_end) =>
    board.asAdmin('POST', '/claims', {
      admin_submission: true,
      claims: [{ respawn_id: spot.id, character_name, hour_start, hour_end, date }],
    });
  return { admin, member, spot, date, claim };
}

const onBoard = (member: Page, name: string) => member.getByRole('article').getByText(name).first();

test('moving, deleting, clearing and undoing show at once on the board of a member; the log restores no hours that were taken since', async ({
  board,
  page,
  browser,
}) => {
  const { admin, member, spot, claim } = await aScene(board, page, await newPerson(browser));
  await claim('Riley Ashdown', 8, 11);
  await expect(onBoard(member, 'Riley Ashdown')).toBeVisible();
  await claim('Nim Farrow', 14, 16);

  await admin.getByRole('button', { name: /^Edit… Riley Ashdown/ }).click();
  const dialog = admin.getByRole('dialog', { name: 'Edit claim' });
  await expect(dialog.getByText('Nim Farrow')).toBeVisible();
  await dialog.getByLabel('Start (SS+)').fill('15');
  await dialog.getByLabel('End (SS+)').fill('18');
  await expect(
    dialog.getByText('Already claimed by Nim Farrow. Choose other hours.'),
  ).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save changes' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await dialog.getByLabel('Start (SS+)').fill('16');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(admin.getByText('Claim updated successfully')).toBeVisible();
  await expect(admin.getByRole('button', { name: /^Edit… Riley Ashdown/ })).toBeFocused();
  await expect(member.getByRole('article').getByText('SS+16 to SS+18').first()).toBeVisible();

  await admin.getByRole('button', { name: /^Delete claim of Riley Ashdown/ }).click();
  await admin.getByRole('button', { name: 'Delete claim', exact: true }).click();
  await expect(admin.getByText('Claim deleted successfully')).toBeVisible();
  await expect(onBoard(member, 'Riley Ashdown')).toBeHidden();
  await admin.getByRole('button', { name: 'Undo' }).click();
  await expect(admin.getByText('Restored 1 claim')).toBeVisible();
  await expect(onBoard(member, 'Riley Ashdown')).toBeVisible();
  await expect(member.getByRole('article').getByText('SS+16 to SS+18').first()).toBeVisible();
  await expect(onBoard(member, 'Nim Farrow')).toBeVisible();

  await admin.getByRole('button', { name: new RegExp(`^Clear All .* of ${spot.name}$`) }).click();
  await expect(admin.getByRole('alertdialog').getByText('Riley Ashdown')).toBeVisible();
  await admin.getByRole('button', { name: 'Clear 2 claims' }).click();
  await expect(admin.getByText(`Successfully cleared 2 claims for ${spot.name}`)).toBeVisible();
  await expect(onBoard(member, 'Nim Farrow')).toBeHidden();

  const [taken] = await claim('Kael Morrow', 17, 18);
  await admin.getByRole('tab', { name: 'Activity Log' }).click();
  const restore = async (): Promise<void> => {
    await admin.getByRole('button', { name: /^Restore: Claims cleared/ }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  };
  await restore();
  await expect(admin.getByRole('list', { name: 'Conflicting claims' })).toContainText(
    'Kael Morrow',
  );
  await expect(onBoard(member, 'Nim Farrow')).toBeHidden();
  await admin.getByRole('button', { name: 'Cancel' }).click();

  await board.asAdmin('DELETE', `/admin/claims/${taken?.id}`);
  await restore();
  await expect(admin.getByText('Restored 2 claims')).toBeVisible();
  await expect(onBoard(member, 'Riley Ashdown')).toBeVisible();
  await expect(onBoard(member, 'Nim Farrow')).toBeVisible();
  await expect(
    admin.getByRole('row', { name: /Claims cleared/ }).getByText('Restored', { exact: true }),
  ).toBeVisible();
});

test('entries that arrive above keep the scroll position and the focus', {
  tag: ALL_SPOTS,
}, async ({ board, page }) => {
  test.slow();
  await board.anActiveEvent();
  const { date } = serverSaveNow();
  const forty = Array.from({ length: 40 }, (_, i) => i + 1);
  const claims = forty.map((respawn_id) => ({
    respawn_id,
    character_name: `Hunter ${respawn_id}`,
    hour_start: 8,
    hour_end: 11,
    date,
  }));
  await board.asAdmin('POST', '/claims', { admin_submission: true, claims });
  await signInAsAdmin(page, board.url, '/admin/dashboard/claims');
  await expect(
    page.getByRole('tabpanel').getByText('40 claims', { exact: true }).last(),
  ).toBeVisible();
  const button = page.locator('[data-index="40"]').getByRole('button').first();
  await page.mouse.wheel(0, 2400);
  await button.focus();
  const name = await button.getAttribute('aria-label');
  const before = await page.locator(':focus').boundingBox();

  const above = await firstByName(board);
  for (const hour_start of [4, 16, 20]) {
    const late = {
      respawn_id: above.id,
      character_name: `Late ${hour_start}`,
      hour_start,
      hour_end: hour_start + 2,
      date,
    };
    await board.asAdmin('POST', '/claims', { admin_submission: true, claims: [late] });
  }
  await expect(
    page.getByRole('tabpanel').getByText('43 claims', { exact: true }).last(),
  ).toBeAttached();
  await expect(page.locator(':focus')).toHaveAttribute('aria-label', name ?? '');
  const after = await page.locator(':focus').boundingBox();
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(3);
});

/** The first respawn in the list, among the first forty. */
async function firstByName(board: Claimboard): Promise<{ id: number }> {
  const respawns = await board.asAdmin<{ id: number; name: string }[]>('GET', '/admin/respawns');
  const [first] = respawns
    .filter(({ id }) => id <= 40)
    .sort((a, b) => a.name.localeCompare(b.name));
  if (!first) throw new Error('there are no respawns');
  return first;
}

/** Claims of every kind, with and without an event, and a log with everything that can be restored. */
async function everyKind(board: Claimboard): Promise<void> {
  const { start_date } = eventAroundToday();
  const claim = (character_name: string, more: object) =>
    board.asAdmin<ClaimRow[]>('POST', '/claims', {
      admin_submission: true,
      claims: [{ character_name, date: start_date, ...more }],
    });
  const [gone] = await claim('Riley Ashdown', { respawn_id: 3, hour_start: 8, hour_end: 12 });
  await board.asAdmin('DELETE', `/admin/claims/${gone?.id}`);
  await claim('Nim Farrow', { respawn_id: 3, hour_start: 4, hour_end: 8 });
  const parts = [1, 2].map((part_number) => ({
    part_number,
    respawn_id: 2 + part_number,
    hour_start: 10 + 4 * part_number,
    duration: 2,
  }));
  await claim('Mira Stormcrow', { respawn_id: 3, is_split_claim: 1, split_parts: parts });
}

test('axe finds nothing serious in the claims and the log, in both themes, and nothing is wider than a phone', async ({
  board,
  browser,
}) => {
  test.slow();
  await everyKind(board);
  const page = await newPerson(browser, { viewport: { width: 390, height: 844 } });
  await signInAsAdmin(page, board.url, '/admin/dashboard/claims?day=all');
  const look = async (what: string): Promise<void> => {
    await expectNothingSeriousInBothThemes(page, what);
    await expectToFit(page, what);
  };
  await expect(page.getByText('No active event - showing all claims')).toBeVisible();
  await expect(page.getByText('part 2 of 2')).toBeVisible();
  await look('claims');
  await page.getByRole('button', { name: /^Edit… Nim/ }).click();
  await expect(page.getByRole('list', { name: 'Other claims that day' })).toBeVisible();
  await look('edit claim');
  await goInApp(page, '/admin/dashboard/activity');
  await page.getByRole('button', { name: /^Restore: Claim deleted/ }).click();
  await look('restore');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await look('activity');
});
