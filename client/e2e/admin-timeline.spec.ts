import type { Locator, Page } from '@playwright/test';
import { expectNothingSerious } from './axe.ts';
import {
  EVERYWHERE,
  expect,
  newPerson,
  serverSaveNow,
  signInAsAdmin,
  signInWithKey,
  test,
} from './fixtures.ts';

const SPOT = 'Cobra Bastion';
const barOf = (page: Page, name: string, start: number, end: number): Locator =>
  page.getByRole('button', { name: new RegExp(`^${name}, SS\\+${start} to SS\\+${end}, `) });
const rowOf = (page: Page, spot: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: spot, exact: true }) });

test('an admin edits, moves and deletes a claim from its bar in the timeline, and takes the deletion back', {
  tag: EVERYWHERE,
}, async ({ board, page, browser }) => {
  await board.anActiveEvent();
  const { date } = serverSaveNow();
  const spots = await board.asAdmin<{ id: number; name: string }[]>('GET', '/admin/respawns');
  const here = spots.find(({ name }) => name === SPOT);
  const there = spots.find(({ name }) => name !== SPOT);
  const claim = (
    character_name: string,
    respawn_id: number | undefined,
    hour_start: number,
    hour_end: number,
  ) =>
    board.asAdmin('POST', '/claims', {
      admin_submission: true,
      claims: [{ respawn_id, character_name, date, hour_start, hour_end }],
    });
  await claim('Riley Ashdown', here?.id, 10, 14);
  await claim('Old Bram', here?.id, 16, 20);
  await claim('Nim Farrow', there?.id, 20, 23);
  const key = await board.aKey('Sable Quinn');
  const member = await newPerson(browser, { viewport: { width: 1440, height: 900 } });
  await signInWithKey(member, board.url, key.key_value, '/?view=timeline&show=claimed');
  await page.setViewportSize({ width: 1440, height: 900 });
  await signInAsAdmin(page, board.url, '/?view=timeline&show=claimed');

  await barOf(page, 'Riley Ashdown', 10, 14).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Edit…' })).toBeFocused();
  await expectNothingSerious(page);
  await page.keyboard.press('Enter');
  const end = page.getByRole('slider', { name: 'End of the claim' });
  const box = await end.boundingBox();
  const track = await end.locator('..').boundingBox();
  if (!box || !track) throw new Error('the handle is not drawn');
  const dragTo = async (hour: number): Promise<void> => {
    await end.hover();
    await page.mouse.down();
    await page.mouse.move(track.x + (track.width * hour) / 24, box.y + box.height / 2, {
      steps: 4,
    });
    await page.mouse.up();
  };
  await dragTo(18);
  const save = page.getByRole('button', { name: 'Save changes' });
  await expect(page.getByText('Already claimed by Old Bram. Choose other hours.')).toBeVisible();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await dragTo(15);
  await expect(save).not.toHaveAttribute('aria-disabled');
  await save.click();
  await expect(barOf(page, 'Riley Ashdown', 10, 15)).toBeFocused();

  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  await page.getByRole('combobox', { name: 'Spot', exact: true }).fill(there?.name ?? '');
  await page
    .getByRole('option', { name: there?.name ?? '' })
    .first()
    .click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(
    rowOf(page, there?.name ?? '').getByRole('button', { name: /^Riley Ashdown, / }),
  ).toBeVisible();

  await barOf(page, 'Riley Ashdown', 10, 15).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete claim' }).click();
  await expect(barOf(page, 'Riley Ashdown', 10, 15)).toHaveCount(0);
  await expect(page.getByText('Claim deleted successfully')).toBeVisible();
  // One message is in view: the move can be undone when the deletion's is gone.
  await expect(page.getByText('1 more', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(barOf(page, 'Riley Ashdown', 10, 15)).toBeVisible();

  // An end of the bar itself is dragged, and asks with the new hours filled in.
  const bar = barOf(page, 'Riley Ashdown', 10, 15);
  await bar.scrollIntoViewIfNeeded();
  const dragEnd = async (hour: number): Promise<void> => {
    const at = await bar.boundingBox();
    if (!at) throw new Error('the bar is not drawn');
    const width = (at.width + 3) / 5;
    await page.mouse.move(at.x + at.width - 3, at.y + at.height / 2);
    await page.mouse.down();
    await page.mouse.move(at.x + width * (hour - 10), at.y + at.height / 2, { steps: 4 });
  };
  await dragEnd(21);
  await expect(page.getByText(/^SS\+10 to SS\+21 · .* · taken by Nim Farrow$/)).toBeVisible();
  await page.mouse.up();
  await expect(
    page
      .getByRole('dialog', { name: 'Edit claim' })
      .getByText('Already claimed by Nim Farrow. Choose other hours.'),
  ).toBeVisible();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await expect(bar).toBeFocused();
  await dragEnd(13);
  await page.mouse.up();
  await expect(page.getByRole('slider', { name: 'End of the claim' })).toHaveAttribute(
    'aria-valuenow',
    '13',
  );
  await save.click();
  await expect(barOf(page, 'Riley Ashdown', 10, 13)).toBeFocused();

  // A member sees whose bar it is, and a press offers the waitlist alone.
  await barOf(member, 'Riley Ashdown', 10, 13).hover();
  await expect(member.getByRole('tooltip')).toContainText('Riley Ashdown');
  await expect(member.getByRole('menuitem', { name: 'Edit…' })).toHaveCount(0);
  await barOf(member, 'Riley Ashdown', 10, 13).click();
  await expect(member.getByRole('dialog', { name: `Waitlist: ${there?.name}` })).toBeVisible();
  await expect(member.getByRole('menuitem', { name: 'Edit…', includeHidden: true })).toHaveCount(0);
});
