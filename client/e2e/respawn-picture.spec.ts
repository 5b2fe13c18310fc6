import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, newPerson, signInAsAdmin, signInWithKey, test } from './fixtures.ts';

test.use({ pictures: true });

const A_GIF = path.resolve(import.meta.dirname, '../../data/catalogue/images/amazon-camp.gif');
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

test('a respawn with a real GIF is on a member’s board at once, with its picture', async ({
  board,
  browser,
}) => {
  test.slow();
  await board.anActiveEvent();
  const member = await newPerson(browser);
  const { key_value } = await board.aKey('Sable Quinn');
  await signInWithKey(member, board.url, key_value, '/');
  await expect(member.getByText('Live', { exact: true })).toBeVisible();
  const admin = await newPerson(browser);
  await signInAsAdmin(admin, board.url, '/admin/dashboard/respawns');
  const form = admin.getByRole('form', { name: 'New spot' });
  await form.getByLabel('Name').fill('Hidden Nest');
  await form.getByLabel('Picture').setInputFiles(A_GIF);
  await form.getByRole('button', { name: 'Create spot' }).click();
  await expect(admin.getByText('Respawn created successfully')).toBeVisible();

  const tile = member.getByRole('link', { name: /Hidden Nest/ });
  await member.getByText('Hidden Nest').scrollIntoViewIfNeeded();
  await expect(tile).toBeVisible();
  const picture = member.getByRole('listitem').filter({ has: tile }).locator('img').last();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);

  // In place: renamed with Enter, then disabled, which takes it from the members.
  await admin.getByLabel('Search spots').fill('hidden');
  await admin.getByRole('button', { name: 'Edit Hidden Nest' }).click();
  await admin.getByLabel('Name of Hidden Nest').fill('Secret Nest');
  await admin.getByLabel('Name of Hidden Nest').press('Enter');
  await expect(admin.getByText('Respawn updated successfully')).toBeVisible();
  await expect(member.getByRole('link', { name: /Secret Nest/ })).toBeVisible();
  await admin.getByLabel('Search spots').fill('secret');
  await admin.getByRole('button', { name: 'Edit Secret Nest' }).click();
  await admin.getByLabel('Secret Nest is enabled').uncheck();
  await admin.getByRole('button', { name: 'Save Secret Nest' }).click();
  await expect(member.getByRole('link', { name: /Secret Nest/ })).toBeHidden();
});

test('a PNG that is called .gif is refused with the sentence, and the form keeps everything', async ({
  board,
  page,
}) => {
  await signInAsAdmin(page, board.url, '/admin/dashboard/respawns');
  const form = page.getByRole('form', { name: 'New spot' });
  await form.getByLabel('Name').fill('Hidden Nest');
  const buffer = Buffer.concat([PNG_START, await readFile(A_GIF)]);
  await form
    .getByLabel('Picture')
    .setInputFiles({ name: 'nest.gif', mimeType: 'image/gif', buffer });
  await form.getByRole('button', { name: 'Create spot' }).click();
  await expect(form.getByRole('alert')).toHaveText(
    'Failed to create respawn: 415 Only .gif images are accepted.',
  );
  await expect(form.getByLabel('Name')).toHaveValue('Hidden Nest');
  await expect(form).toContainText('nest.gif');
});
