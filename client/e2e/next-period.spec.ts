import { addDays } from '../../shared/rules/server-save.ts';
import type { ClaimRow } from '../../shared/schemas/claim.ts';
import type { Event } from '../../shared/schemas/event.ts';
import { expectNothingSerious } from './axe.ts';
import { eventAroundToday, expect, expectToFit, signInAsAdmin, test } from './fixtures.ts';

test('a leader makes the next week from the last one, undoes it, makes it again and activates it', async ({
  board,
  page,
}) => {
  const { end_date } = eventAroundToday();
  await board.anActiveEvent({ name: 'Week 12' });
  const claim = (character_name: string, respawn_id: number, date: string) => ({
    character_name,
    respawn_id,
    date,
    hour_start: 10,
    hour_end: 14,
  });
  const submit = (...claims: object[]) =>
    board.asAdmin<ClaimRow[]>('POST', '/claims', {
      claims,
      member_type: 'member',
      admin_submission: true,
    });
  await submit(claim('Mira', 1, end_date));
  await submit(claim('Aldo', 2, end_date));
  const [event] = await board.asAdmin<Event[]>('GET', '/events');
  await board.asAdmin('POST', `/events/${event?.id}/deactivate`);
  // The event has fourteen days: a claim a fortnight after Aldo's conflicts with its copy.
  await submit(claim('Thief', 2, addDays(end_date, 14)));

  await signInAsAdmin(page, board.url);
  // It arrives after the events and would push an open menu out of view.
  await page.getByRole('button', { name: 'Dismiss the list' }).click();
  await expect(page.getByRole('region', { name: 'Set up your guild' })).toHaveCount(0);
  await page.getByRole('button', { name: 'More actions for Week 12' }).click();
  await page.getByRole('menuitem', { name: 'Copy Week 12' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy Week 12' });
  await expect(dialog.getByLabel('Name')).toHaveValue('Week 13');
  await dialog.getByRole('radio', { name: 'All' }).check({ force: true });
  await expect(dialog.getByText('1 claim is copied. 1 is skipped.')).toBeVisible();
  await expect(dialog.getByText(/Taken by Thief/)).toBeVisible();
  await expectNothingSerious(page, 'the copy of an event');
  await expectToFit(page, 'the copy of an event');
  await dialog.getByRole('button', { name: 'Create with 1 claim' }).click();
  await expect(
    page.getByText("Event 'Week 13' created with 1 claim. 1 was skipped."),
  ).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Week 13' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(page.getByRole('heading', { name: 'Week 13' })).toHaveCount(0);

  await page.getByRole('button', { name: 'More actions for Week 12' }).click();
  await page.getByRole('menuitem', { name: 'Copy Week 12' }).click();
  await dialog.getByRole('radio', { name: 'All' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Create with 1 claim' }).click();
  await page.getByRole('button', { name: 'Activate', exact: true }).last().click();
  const question = page.getByRole('alertdialog', { name: 'Activate Week 13?' });
  await expect(question.getByLabel('Take 1 claim into the event')).toBeChecked();
  await question.getByRole('button', { name: 'Activate event' }).click();
  await expect(page.getByText('Event activated successfully')).toBeVisible();
  const events = await board.asAdmin<Event[]>('GET', '/events');
  expect(events.map(({ name, is_active, claim_count }) => [name, is_active, claim_count])).toEqual([
    ['Week 13', 1, 2],
    ['Week 12', 0, 2],
  ]);
});
