import {
  EVERYWHERE,
  eventAroundToday,
  expect,
  goInApp,
  loginAsAdmin,
  loginWithKey,
  newPerson,
  test,
} from './fixtures.ts';

test('a claim that a member makes in one browser appears in the admin’s, and in every other, without a reload', {
  tag: EVERYWHERE,
}, async ({ board, browser }) => {
  const admin = await newPerson(browser);
  await loginAsAdmin(admin, board.url);

  // The admin creates and activates an event.
  await admin.getByRole('button', { name: 'Create event' }).first().click();
  const dialog = admin.getByRole('dialog', { name: 'Create event' });
  const { start_date, end_date } = eventAroundToday();
  await dialog.getByLabel('Name').fill('Double week');
  await dialog.getByLabel('Start').fill(start_date);
  await dialog.getByLabel('End').fill(end_date);
  await dialog.getByRole('button', { name: 'Create event' }).click();
  await expect(admin.getByText("Event 'Double week' created successfully")).toBeVisible();
  await admin.getByRole('button', { name: 'Activate Double week' }).click();
  await admin.getByRole('button', { name: 'Activate event' }).click();
  await expect(admin.getByText('Event activated successfully')).toBeVisible();

  // Makes a key for a character, and looks at the board.
  await admin.getByRole('tab', { name: 'Keys' }).click();
  await admin.getByLabel('Character name').fill('Riley Ashdown');
  await admin.getByRole('button', { name: 'Generate key' }).click();
  const shownKey = admin.getByText(/^[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$/).first();
  await expect(shownKey).toBeVisible();
  const key = (await shownKey.textContent()) ?? '';
  await admin.getByRole('link', { name: 'Home' }).click();
  await expect(admin.getByRole('heading', { name: /Vouchers from/ })).toBeVisible();
  await admin.evaluate(() => Object.assign(window, { neverReloaded: true }));

  // A member who only watches, on a phone.
  const watcher = await newPerson(browser, { viewport: { width: 390, height: 844 } });
  const other = await board.aKey('Sable Quinn');
  await loginWithKey(watcher, board.url, other.key_value);
  await goInApp(watcher, '/');
  await expect(watcher.getByRole('heading', { name: /Vouchers from/ })).toBeVisible();

  // The member logs in with the key, picks a spot, two dates, a start hour and a duration, and submits.
  const member = await newPerson(browser);
  await loginWithKey(member, board.url, key);
  await member.getByRole('combobox', { name: 'Spot' }).click();
  await member.getByRole('combobox', { name: 'Spot' }).fill('cobra bastion');
  await member
    .getByRole('option', { name: /^Cobra Bastion\b(?! -)/ })
    .first()
    .click();
  await member
    .getByRole('group', { name: /^Start hour/ })
    .getByRole('button', { name: /SS\+14,/ })
    .click();
  await member.getByRole('button', { name: 'Configure the next day' }).click();
  await expect(member.getByText('SS+14 to SS+18').nth(1)).toBeVisible();
  await member.getByRole('button', { name: 'Submit 2 claims' }).click();
  await expect(member.getByText('Claims Submitted Successfully!')).toBeVisible();

  // It is there at once in the admin's window, and in every other.
  for (const page of [admin, watcher]) {
    const card = page.getByRole('article').filter({ hasText: 'Cobra Bastion' }).first();
    await expect(card.getByText('Riley Ashdown').first()).toBeVisible();
    await expect(card.getByText('SS+14 to SS+18').first()).toBeVisible();
  }
  expect(await admin.evaluate(() => 'neverReloaded' in window)).toBe(true);
});
