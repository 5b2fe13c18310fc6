import type { Event } from '../../shared/schemas/event.ts';
import {
  type Claimboard,
  closeByEscape,
  expect,
  goInApp,
  newPerson,
  signInAsAdmin,
  test,
} from './fixtures.ts';

const storedEvent = async (board: Claimboard): Promise<Event | undefined> =>
  (await board.asAdmin<Event[]>('GET', '/events'))[0];

test('when two admins edit one event, or one key’s type, the second to save is asked before overwriting; what is deleted meanwhile stays readable', async ({
  board,
  browser,
}) => {
  const { id } = await board.anActiveEvent();
  await board.aKey('Mira Stormcrow');
  const first = await newPerson(browser);
  const second = await newPerson(browser);
  for (const admin of [first, second]) {
    await signInAsAdmin(admin, board.url);
    await admin.getByRole('button', { name: 'Edit Double week' }).click();
  }
  await second.getByRole('dialog').getByLabel('Name').fill('What the second wants');
  await first.getByRole('dialog').getByLabel('Name').fill('What the first wants');
  await first.getByRole('dialog').getByLabel('Type').selectOption('single_claim');
  await first.getByRole('button', { name: 'Save changes' }).click();
  await expect(first.getByText('Event updated successfully')).toBeVisible();

  // The second sees the first's version at once, and must choose before saving.
  const dialog = second.getByRole('dialog');
  await expect(dialog.getByText('Another admin changed this event')).toBeVisible();
  await expect(dialog.getByText('What the first wants')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toBeVisible();
  expect(await storedEvent(board)).toMatchObject({
    name: 'What the first wants',
    type: 'single_claim',
  });

  // Mine where I typed, theirs where I did not.
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await expect(dialog.getByLabel('Type')).toHaveValue('single_claim');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(second.getByText('Event updated successfully')).toBeVisible();
  expect(await storedEvent(board)).toMatchObject({
    name: 'What the second wants',
    type: 'single_claim',
  });
  await expect(first.getByRole('heading', { name: 'What the second wants' })).toBeVisible();

  await test.step('a key', async () => {
    for (const [admin, type] of [
      [second, 'vice'],
      [first, 'elite'],
    ] as const) {
      await goInApp(admin, '/admin/dashboard/keys');
      await admin.getByRole('button', { name: 'Edit member type of Mira Stormcrow' }).click();
      await admin
        .getByRole('combobox', { name: 'Member type of Mira Stormcrow' })
        .selectOption(type);
    }
    const save = 'Save member type of Mira Stormcrow';
    await first.getByRole('button', { name: save }).click();
    await expect(second.getByText('Another admin changed this key')).toBeVisible();
    await second.getByRole('button', { name: save }).click();
    const typeNow = async () =>
      (await board.asAdmin<{ member_type: string }[]>('GET', '/admin/access-keys'))[0]?.member_type;
    expect(await typeNow()).toBe('elite');
    await second.getByRole('button', { name: 'Keep mine' }).click();
    await second.getByRole('button', { name: save }).click();
    await expect.poll(typeNow).toBe('vice');
  });

  await test.step('a deletion', async () => {
    await goInApp(first, '/admin/dashboard/events');
    await first.getByRole('button', { name: 'Edit What the second wants' }).click();
    await first.getByRole('dialog').getByLabel('Name').fill('Triple week');
    await board.asAdmin('DELETE', `/events/${id}`);
    await expect(first.getByRole('alert')).toHaveText('Another admin deleted this event.');
    await expect(first.getByRole('dialog').getByLabel('Name')).toHaveValue('Triple week');
    await expect(first.getByRole('button', { name: 'Save changes' })).toBeDisabled();
  });
});

test('Back asks before typed text in a dialog is lost, and then leads back in one step', async ({
  board,
  browser,
}) => {
  await board.anActiveEvent();
  const admin = await newPerson(browser);
  await signInAsAdmin(admin, board.url, '/admin/dashboard/keys');
  await admin.getByRole('tab', { name: 'Events' }).click();
  await admin.getByRole('button', { name: 'Edit Double week' }).click();
  const name = admin.getByRole('dialog').getByLabel('Name');
  await name.fill('Triple week');
  // Playwright is faster than the page.
  await expect.poll(() => admin.evaluate(() => 'guardsForm' in (history.state ?? {}))).toBe(true);
  await admin.goBack();
  const question = admin.getByRole('alertdialog', { name: 'Discard what you typed?' });
  await expect(question).toBeVisible();
  await closeByEscape(admin, question);
  await expect(name).toHaveValue('Triple week');
  await admin.goBack();
  await admin.getByRole('button', { name: 'Discard changes' }).click();
  await expect(admin.getByRole('dialog')).toBeHidden();
  await expect(admin).toHaveURL(/\/admin\/dashboard\/events$/);
  await admin.goBack();
  await expect(admin).toHaveURL(/\/admin\/dashboard\/keys$/);
});
