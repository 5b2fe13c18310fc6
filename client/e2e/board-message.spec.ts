import { startDiscord } from '../../server/notifications/discord-app/test/stand-in.ts';
import { expectNothingSerious } from './axe.ts';
import { expect, expectToFit, serverSaveNow, signInAsAdmin, test } from './fixtures.ts';

const discord = await startDiscord();
test.use({ env: { ALLOW_PRIVATE_DESTINATIONS: '1' } });

const messages = (): string[] =>
  [...(discord.webhook.messages ?? new Map()).values()].map((body) => JSON.stringify(body));

test("a channel keeps today's board in one message, as its form shows it, until it is turned off", async ({
  board,
  page,
}) => {
  // The form takes Discord's own addresses only.
  await board.asAdmin('POST', '/admin/destinations', {
    name: 'Tonight',
    kind: 'discord',
    url: discord.webhook.url,
    events: ['event.activated'],
    language: 'en',
    is_enabled: 1,
  });
  const { date } = serverSaveNow();
  await board.asAdmin('POST', '/claims', {
    admin_submission: true,
    claims: [
      { character_name: 'Riley Ashdown', respawn_id: 5, date, hour_start: 23, hour_end: 24 },
    ],
  });
  await signInAsAdmin(page, board.url, '/admin/dashboard/settings/notifications');
  const edit = page.getByRole('button', { name: 'Edit Tonight' });
  const form = page.getByRole('dialog', { name: 'Edit Tonight' });
  const keep = form.getByLabel("Keep today's board in one message");

  await edit.click();
  await keep.check();
  const picture = form.getByRole('figure', { name: 'The message right now' });
  await expect(picture).toContainText('Riley Ashdown');
  await form.getByLabel('Spots').selectOption('All spots');
  await expectNothingSerious(page, 'the form of a channel that keeps the board');
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await page.setViewportSize({ width, height });
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Channel saved')).toBeVisible();
  await expect(page.getByText("Keeps today's board in one message")).toBeVisible();
  await expect.poll(messages).toEqual([expect.stringContaining('Riley Ashdown')]);

  await edit.click();
  await expect(keep).toBeChecked();
  await keep.uncheck();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(messages)
    .toEqual([expect.stringContaining('This board is no longer updated.')]);
});
