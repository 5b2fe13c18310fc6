import type { Event } from '../../shared/schemas/event.ts';
import { type Claimboard, expect, newPerson, signInAsAdmin, test } from './fixtures.ts';

const storedEvent = async (board: Claimboard): Promise<Event | undefined> => (await board.asAdmin<Event[]>('GET', '/events'))[0];

test('of two admins who edit one event, the second to save is asked before anything is overwritten', async ({ board, browser }) => {
  await board.anActiveEvent();
  const [first, second] = [await newPerson(browser), await newPerson(browser)];
  for (const admin of [first, second]) {
    await signInAsAdmin(admin, board.url);
    await admin.getByRole('button', { name: 'Edit Double week' }).click();
  }
  await second.getByRole('dialog').getByLabel('Name').fill('What the second wants');
  await first.getByRole('dialog').getByLabel('Name').fill('What the first wants');
  await first.getByRole('dialog').getByLabel('Type').selectOption('single_claim');
  await first.getByRole('button', { name: 'Save changes' }).click();
  await expect(first.getByText('Event updated successfully')).toBeVisible();

  // The second is told at once, with the first's version, and a save does nothing before the choice.
  const dialog = second.getByRole('dialog');
  await expect(dialog.getByText('Another admin changed this event')).toBeVisible();
  await expect(dialog.getByText('What the first wants')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toBeVisible();
  expect(await storedEvent(board)).toMatchObject({ name: 'What the first wants', type: 'single_claim' });

  // Mine where I typed, theirs where I did not.
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await expect(dialog.getByLabel('Type')).toHaveValue('single_claim');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(second.getByText('Event updated successfully')).toBeVisible();
  expect(await storedEvent(board)).toMatchObject({ name: 'What the second wants', type: 'single_claim' });
  await expect(first.getByRole('heading', { name: 'What the second wants' })).toBeVisible();
});

test('an event that another admin deletes while it is edited cannot be saved, and what was typed can still be read', async ({
  board,
  browser,
}) => {
  const { id } = await board.anActiveEvent();
  const admin = await newPerson(browser);
  await signInAsAdmin(admin, board.url);
  await admin.getByRole('button', { name: 'Edit Double week' }).click();
  await admin.getByRole('dialog').getByLabel('Name').fill('Triple week');
  await board.asAdmin('DELETE', `/events/${id}`);
  await expect(admin.getByRole('alert')).toHaveText('Another admin deleted this event.');
  await expect(admin.getByRole('dialog').getByLabel('Name')).toHaveValue('Triple week');
  await expect(admin.getByRole('button', { name: 'Save changes' })).toBeDisabled();
});
