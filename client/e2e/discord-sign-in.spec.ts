import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Page } from '@playwright/test';
import {
  APPLICATION_ID,
  BOT_TOKEN,
  CLIENT_SECRET,
  startDiscord,
} from '../../server/notifications/discord-app/test/stand-in.ts';
import { expectNothingSerious } from './axe.ts';
import { expect, expectToFit, newPerson, signInAsAdmin, test } from './fixtures.ts';

const discord = await startDiscord();
/** Discord leads back to the public address, so it must be known before the server starts. */
const PORT = String(await freePort());
test.use({
  env: {
    PORT,
    PUBLIC_URL: `http://127.0.0.1:${PORT}`,
    DISCORD_API_URL: discord.url,
    DISCORD_AUTHORIZE_URL: discord.authorizeUrl,
    ALLOW_PRIVATE_DESTINATIONS: '1',
  },
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address instanceof Object ? address.port : 0;
}

const continueWith = (page: Page) =>
  page.getByRole('main').getByRole('link', { name: 'Continue with Discord' });
const authorize = (page: Page) => page.getByRole('link', { name: 'Authorize' }).click();

test('an owner turns it on; a member connects once, and from then on signs in, also in two tabs', async ({
  board,
  page,
  browser,
}) => {
  const { key_value } = await board.aKey('Riley Ashdown');
  await board.asAdmin('PUT', '/admin/discord', {
    application_id: APPLICATION_ID,
    public_key: discord.public_key,
    bot_token: BOT_TOKEN,
  });
  await signInAsAdmin(page, board.url, '/admin/dashboard/settings/notifications');
  const section = page.getByRole('region', { name: 'Sign in with Discord' });
  await expect(section.getByText(`${board.url}/api/discord/callback`)).toBeVisible();
  await section.getByLabel('Client secret', { exact: true }).fill('too short');
  await section.getByRole('button', { name: 'Turn on' }).click();
  await expect(section.getByText("This isn't a client secret.")).toBeVisible();
  await section.getByLabel('Client secret', { exact: true }).fill(CLIENT_SECRET);
  await section.getByRole('button', { name: 'Turn on' }).click();
  await expect(section.getByText('No member has signed in with Discord yet.')).toBeVisible();
  await expectNothingSerious(page, 'the steps of the sign-in');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);

  const member = await newPerson(browser);
  await member.goto(board.url);
  await continueWith(member).click();
  await member.getByRole('link', { name: 'Cancel' }).click();
  await expect(member.getByRole('alert')).toHaveText('You canceled the sign-in at Discord.');
  await expect(member).toHaveURL(`${board.url}/login`);
  await continueWith(member).click();
  await authorize(member);
  const sentence = member.getByText("You're signed in to Discord as Thora");
  await expect(sentence).toBeVisible();
  await expect(member).toHaveURL(`${board.url}/login`);
  await expectNothingSerious(member, 'the sign-in of a Discord user without a character');
  await member.setViewportSize({ width: 390, height: 844 });
  await expectToFit(member);
  // It is the tab's, also after a reload, and on the way to the verification.
  await member.reload();
  await expect(sentence).toBeVisible();
  await member.getByRole('main').getByRole('link', { name: 'Verify Character' }).click();
  await expect(sentence).toBeVisible();
  await member.goBack();
  await member.getByLabel('Access key', { exact: true }).fill(key_value);
  await member.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await expect(member.getByText('Riley Ashdown is connected to Discord as Thora.')).toBeVisible();
  await expect(section.getByText('A member signed in for the first time')).toBeVisible({
    timeout: 20_000,
  });

  // On another device, without the key: two tabs at Discord at the same time.
  const elsewhere = await newPerson(browser);
  const tab = await elsewhere.context().newPage();
  await elsewhere.goto(`${board.url}/login`);
  await tab.goto(`${board.url}/mine`);
  await tab.getByRole('main').getByRole('link', { name: 'Sign in with an access key' }).click();
  await continueWith(elsewhere).click();
  await continueWith(tab).click();
  await authorize(tab);
  // The page that asked for the sign-in opens.
  await expect(tab).toHaveURL(/\/mine$/);
  await authorize(elsewhere);
  await expect(elsewhere).toHaveURL(/submit-claims/);
  await expect(elsewhere.getByRole('button', { name: /^Riley Ashdown/ })).toBeVisible();
});
