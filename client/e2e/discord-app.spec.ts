import type { Page } from '@playwright/test';
import {
  APPLICATION_ID,
  aCommand,
  anInteraction,
  BOT_TOKEN,
  type Discord,
  GUILD_ID,
  startDiscord,
} from '../../server/notifications/discord-app/test/stand-in.ts';
import { expectNothingSerious } from './axe.ts';
import {
  type Claimboard,
  expect,
  expectToFit,
  goInApp,
  newPerson,
  signInAsAdmin,
  signInWithKey,
  test,
} from './fixtures.ts';

const discord = await startDiscord();
test.use({ env: { DISCORD_API_URL: discord.url, ALLOW_PRIVATE_DESTINATIONS: '1' } });

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Sends a signed interaction, as Discord does. */
async function interact(
  board: Claimboard,
  { signed }: Discord,
  interaction: object,
): Promise<{ data?: { content?: string } }> {
  const body = JSON.stringify(interaction);
  const headers = { 'Content-Type': 'application/json', ...signed(body, new Date()) };
  const answer = await fetch(`${board.url}/api/discord/interactions`, {
    method: 'POST',
    headers,
    body,
  });
  return answer.json();
}

/** Opens the dialog from the profile menu. */
async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Riley Ashdown/ }).click();
  await page.getByRole('menuitem', { name: 'Connect Discord' }).click();
}

test('an owner sets the app up, and removes it; a member connects live, chooses direct messages and disconnects', async ({
  board,
  page,
  browser,
}) => {
  const { key_value } = await board.aKey('Riley Ashdown');
  const member = await newPerson(browser);
  await signInWithKey(member, board.url, key_value, '/notifications');
  await expect(member.getByRole('switch', { name: 'Confirm now' })).toBeVisible();
  await expect(member.getByText('Discord')).toHaveCount(0);

  await signInAsAdmin(page, board.url, '/admin/dashboard/settings/notifications');
  const section = page.getByRole('region', { name: 'Discord app' });
  await expect(section.getByText('The board has no public address')).toBeVisible();
  await press(page, 'Set up Discord app');
  const form = page.getByRole('dialog', { name: 'Set up Discord app' });
  await expectNothingSerious(page, 'the form of the app');
  await form.getByLabel('Application ID').fill(APPLICATION_ID);
  await form.getByLabel('Public key').fill(discord.public_key);
  await form.getByLabel('Bot token', { exact: true }).fill(`${BOT_TOKEN}-wrong`);
  await form.getByLabel('Server ID (optional)').fill(GUILD_ID);
  await form.getByRole('button', { name: 'Save and register commands' }).click();
  const commands = section
    .locator('[data-state]')
    .filter({ has: page.getByRole('heading', { name: 'Commands registered' }) });
  await expect(commands).toHaveAttribute('data-state', 'failed');
  await expect(commands.getByText('Discord rejects the bot token.')).toBeVisible();
  await press(page, 'Edit Discord app');
  await page.getByLabel('Bot token', { exact: true }).fill(BOT_TOKEN);
  await press(page, 'Save and register commands');
  await expect(commands).toHaveAttribute('data-state', 'done');
  const endpoint = section
    .locator('[data-state]')
    .filter({ has: page.getByRole('heading', { name: 'Interactions Endpoint URL' }) });
  await expect(endpoint).toHaveAttribute('data-state', 'waiting');
  await interact(board, discord, anInteraction({ type: 1 }));
  await expect(endpoint).toHaveAttribute('data-state', 'done');
  await expectNothingSerious(page, 'the steps of the app');

  // The member's page follows without a reload.
  await expect(member.getByText("Riley Ashdown isn't connected to Discord")).toBeVisible();
  await openDialog(member);
  const dialog = member.getByRole('dialog', { name: 'Connect Discord' });
  await expect(dialog.getByRole('timer')).toHaveText(/^Valid for (10:00|9:\d\d)$/);
  const command = (await dialog.getByText(/^\/link code:/).textContent()) ?? '';
  await expectNothingSerious(member, 'the code');
  const code = command.replace('/link code:', '');
  const { data } = await interact(board, discord, aCommand('link', { code }));
  expect(data?.content).toContain('Riley Ashdown');
  await expect(dialog.getByText('Connected as Thora')).toBeVisible();
  await expect(section.getByText('1 character is connected.')).toBeVisible();
  await member.keyboard.press('Escape');

  await expect(member.getByText('Direct messages go to Thora in Discord')).toBeVisible();
  const starts = member
    .getByRole('group', { name: 'Your hunt starts' })
    .getByRole('switch', { name: 'Direct message' });
  await starts.click();
  await expect(member.getByText('Saved')).toBeVisible();
  await member.setViewportSize({ width: 390, height: 844 });
  await expectToFit(member);
  await expectNothingSerious(member, 'the notifications of a connected character');
  await member.setViewportSize({ width: 1280, height: 800 });
  await member.reload();
  await expect(starts).toBeChecked();

  await section.getByRole('link', { name: 'Show' }).click();
  await expect(page.getByRole('row', { name: /Riley Ashdown/ }).getByText('Thora')).toBeVisible();

  await openDialog(member);
  await press(member, 'Disconnect: Riley Ashdown');
  await member.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(dialog.getByText('Not connected to Discord')).toBeVisible();
  await expect(page.getByText('No matching characters')).toBeVisible();

  // An app that is removed disappears from the profile menu.
  await member.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await goInApp(page, '/admin/dashboard/settings/notifications');
  await press(page, 'Remove Discord app');
  await press(page, 'Remove app');
  await expect(page.getByRole('heading', { name: 'Discord app' })).toBeFocused();
  await member.getByRole('button', { name: /^Riley Ashdown/ }).click();
  await expect(member.getByRole('menuitem', { name: 'Calendar' })).toBeVisible();
  await expect(member.getByRole('menuitem', { name: 'Connect Discord' })).toHaveCount(0);
});
