import type { ClaimRow } from '../../shared/schemas/claim.ts';
import type { Respawn } from '../../shared/schemas/respawn.ts';
import { expectNothingSerious } from './axe.ts';
import {
  expect,
  newPerson,
  serverSaveNow,
  signInAsAdmin,
  signInWithKey,
  test,
} from './fixtures.ts';

test('an admin moves and deletes a claim: its owner’s open board says who and why, and no longer shows it as theirs; no other board does', async ({
  board,
  page: owner,
  browser,
}) => {
  const arden = await board.aKey('Arden Vale');
  const sable = await board.aKey('Sable Quinn');
  const spots = await board.asAdmin<Respawn[]>('GET', '/admin/respawns');
  const [spot, other] = ['Cobra Bastion', 'Goroma'].map(
    (name) => spots.find((one) => one.name.startsWith(name)) ?? spots[0],
  );
  const claims = [
    {
      respawn_id: spot?.id,
      character_name: 'Arden Vale',
      date: serverSaveNow().date,
      hour_start: 14,
      hour_end: 18,
    },
  ];
  const [claim] = await board.asAdmin<ClaimRow[]>('POST', '/claims', {
    admin_submission: true,
    claims,
  });
  await signInWithKey(owner, board.url, arden.key_value, '/');
  const stranger = await newPerson(browser, { viewport: { width: 390, height: 844 } });
  await signInWithKey(stranger, board.url, sable.key_value, '/');
  const shelf = owner.getByRole('region', { name: 'Yours' });
  await expect(shelf.getByRole('button', { name: spot?.name ?? '', exact: true })).toBeVisible();
  const admin = await newPerson(browser, { viewport: { width: 1440, height: 900 } });
  await signInAsAdmin(admin, board.url);
  await board.asAdmin('PUT', `/claims/admin/${claim?.id}/respawn`, { respawn_id: other?.id });
  const messages = owner.getByRole('region', { name: 'Messages' });
  await expect(
    messages.getByText(
      /^An admin \(admin\) changed your claim: Cobra Bastion.*SS\+14 to SS\+18\. Now: /,
    ),
  ).toBeVisible();
  await board.asAdmin('DELETE', `/admin/claims/${claim?.id}`);
  await expect(
    messages.getByText(/^An admin \(admin\) deleted your claim: .*SS\+14 to SS\+18\.$/),
  ).toBeVisible();
  await expect(owner.getByRole('complementary', { name: 'My hunts' })).toHaveCount(0);
  await expect(shelf.getByRole('button', { name: spot?.name ?? '', exact: true })).toHaveCount(0);
  await expectNothingSerious(owner, 'what an admin did');
  // The button, and the count of the message before, are below the text.
  const toast = messages.locator('[class*="toast"]').filter({ hasText: 'deleted your claim' });
  const widthOf = async (box: typeof toast) => (await box.boundingBox())?.width ?? 0;
  await expect(toast).toContainText('1 more');
  expect(await widthOf(toast.locator('[class*="text"]'))).toBeGreaterThan(
    0.8 * (await widthOf(toast)),
  );
  await expect(stranger.getByRole('region', { name: 'Messages' })).toHaveText('');
  await messages.getByRole('button', { name: 'My claims' }).last().click();
  await expect(owner).toHaveURL(/\/mine$/);
  await expect(owner.getByText(/Deleted by an admin \(admin\)/)).toBeVisible();
});
