import type { Page } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import {
  type Answering,
  answering,
  type Received,
  type Receiver,
  startReceiver,
} from '../../server/dev/test/receiver.ts';
import type { PublicEvent } from '../../shared/schemas/domain-events.ts';
import { expectNothingSerious } from './axe.ts';
import {
  type Claimboard,
  expect,
  expectToFit,
  newPerson,
  serverSaveNow,
  signInAsAdmin,
  test as withBoard,
} from './fixtures.ts';

interface Fixtures {
  receiver: Receiver & { answer: (answer: Answering) => void };
}

const test = withBoard.extend<Fixtures>({
  /** A receiver on this machine, which answers 204 until a test sets another answer. */
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
  receiver: async ({}, use) => {
    let now = answering(204);
    const receiver = await startReceiver((...message) => now(...message));
    await use({
      ...receiver,
      answer: (next) => {
        now = next;
      },
    });
    await receiver.close();
  },
});
test.use({ env: { ALLOW_PRIVATE_DESTINATIONS: '1' } });

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const need = (page: Page) => page.getByRole('link', { name: /^Failing: / });

async function openTab(page: Page, board: Claimboard): Promise<void> {
  await signInAsAdmin(page, board.url, '/admin/dashboard/settings/notifications');
}

/** Adds a webhook by its address alone. @returns its secret, which is shown this once */
async function addWebhook(page: Page, url: string, name: string): Promise<string> {
  await press(page, 'Add channel');
  const form = page.getByRole('dialog', { name: 'Add channel' });
  await form.getByLabel('Address').fill(url);
  await expect(
    form.getByText(/^Webhook at 127\.0\.0\.1:\d+\. It receives signed JSON\.$/),
  ).toBeVisible();
  await form.getByLabel('Name').fill(name);
  await form.getByRole('button', { name: 'Add channel' }).click();
  const secretDialog = page.getByRole('dialog', { name: `Secret of ${name}` });
  const secret = await secretDialog.getByText(/^whsec_/).textContent();
  await secretDialog.getByRole('button', { name: "I've stored it" }).click();
  await expect(page.getByText(secret ?? '')).toBeHidden();
  return secret ?? '';
}

/** Claims an hour of today, the first of SS+`hour`, for a new character. */
const claim = (board: Claimboard, character_name: string, hour: number): Promise<unknown> =>
  board.asAdmin('POST', '/claims', {
    admin_submission: true,
    claims: [
      {
        character_name,
        respawn_id: 5,
        date: serverSaveNow().date,
        hour_start: hour,
        hour_end: hour + 1,
      },
    ],
  });

/** The content of a message, after Standard Webhooks' package has verified its signature. */
function verified(secret: string, { body, headers }: Received): PublicEvent {
  const one = (name: string): string => String(headers[name]);
  const signed = {
    'webhook-id': one('webhook-id'),
    'webhook-timestamp': one('webhook-timestamp'),
    'webhook-signature': one('webhook-signature'),
  };
  new Webhook(secret).verify(body, signed);
  return JSON.parse(body);
}

test('a webhook is added, tested, receives a signed claim, and its deletion', async ({
  board,
  page,
  receiver,
}) => {
  await openTab(page, board);
  await expect(page.getByText('Notify a Discord channel')).toBeVisible();
  const secret = await addWebhook(page, receiver.url, 'Loot bot');

  await press(page, 'Test Loot bot');
  await expect(page.getByText('The test reached Loot bot')).toBeVisible();
  await expect(
    page.getByText(/^127\.0\.0\.1:\d+ responded with status 204 after \d+ ms\.$/),
  ).toBeVisible();
  expect(receiver.received).toHaveLength(1);

  await claim(board, 'Riley Ashdown', 20);
  await expect.poll(() => receiver.received.length).toBe(2);
  const [, delivery] = receiver.received;
  const news = delivery && verified(secret, delivery);
  expect(news).toMatchObject({
    type: 'claim.created',
    data: { character_name: 'Riley Ashdown', hour_start: 20, by: 'admin' },
  });

  await press(page, 'Deliveries of Loot bot');
  const deliveries = page.getByRole('region', { name: 'Deliveries of Loot bot' });
  const ofTheClaim = deliveries.getByRole('row').filter({ hasText: 'Claim created' });
  await expect(ofTheClaim).toHaveCount(1);
  await expect(ofTheClaim).toContainText('Delivered');
  // As written there: a message's id may hold the same digits.
  await ofTheClaim.getByText('Status 204', { exact: true }).click();
  await expect(ofTheClaim.getByText(`Message ${delivery?.headers['webhook-id']}`)).toBeVisible();

  receiver.answer(answering(410, {}, 'Nobody lives here any more'));
  await claim(board, 'Sable Quinn', 21);
  const alarm = page
    .getByRole('alert')
    .filter({ hasText: 'Loot bot was turned off. It gets no notifications.' });
  await expect(alarm).toContainText('says the address no longer exists');
  await expect(need(page)).toHaveAccessibleName('Failing: Loot bot');
  await expect(
    deliveries.getByRole('row').filter({ has: page.getByText('Status 410', { exact: true }) }),
  ).toContainText('Channel turned off');

  receiver.answer(answering(204));
  await press(page, 'Turn on again: Loot bot');
  await expect(alarm).toBeHidden();
  await expect(need(page)).toBeHidden();
  await claim(board, 'Old Bram', 22);
  const messages = (): unknown[] =>
    receiver.received.slice(3).map((message) => verified(secret, message));
  await expect
    .poll(messages)
    .toMatchObject([{ type: 'claim.created', data: { character_name: 'Old Bram' } }]);
});

test('a new secret signs beside the old one; a paused channel gets nothing; another admin sees it all', async ({
  board,
  page,
  receiver,
  browser,
}) => {
  await openTab(page, board);
  const secret = await addWebhook(page, receiver.url, 'Loot bot');
  const other = await newPerson(browser);
  await openTab(other, board);
  await press(page, 'New secret for Loot bot');
  await press(page, 'Create new secret');
  const secretDialog = page.getByRole('dialog', { name: 'Secret of Loot bot' });
  const newer = (await secretDialog.getByText(/^whsec_/).textContent()) ?? '';
  expect(newer).not.toBe(secret);
  await page.keyboard.press('Escape');
  await press(page, "I've stored it");
  await claim(board, 'Riley Ashdown', 20);
  await expect.poll(() => receiver.received.length).toBe(1);
  for (const each of [secret, newer])
    for (const message of receiver.received)
      expect(verified(each, message).type).toBe('claim.created');

  await press(page, 'Pause Loot bot');
  await press(page, 'Pause channel');
  await expect(other.getByText('Paused', { exact: true })).toBeVisible();
  await claim(board, 'Sable Quinn', 21);
  await press(other, 'Resume Loot bot');
  await expect(page.getByText('On', { exact: true })).toBeVisible();
  await claim(board, 'Old Bram', 22);
  const names = (): unknown[] =>
    receiver.received.slice(1).map((message) => JSON.parse(message.body).data.character_name);
  await expect.poll(names).toEqual(['Old Bram']);
  await press(page, 'Delete Loot bot');
  await press(page, 'Delete channel');
  await expect(other.getByText('Notify a Discord channel')).toBeVisible();
});

test('axe finds nothing serious on the tab and its dialogs, and they fit, on a dark screen and a light phone', async ({
  board,
  browser,
  receiver,
}) => {
  test.slow();
  const page = await newPerson(browser);
  const onScreen = { colorScheme: 'dark', width: 1440 } as const;
  const onPhone = { colorScheme: 'light', width: 390 } as const;
  const hold = async ({ colorScheme, width }: typeof onScreen | typeof onPhone): Promise<void> => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
  };
  const judge = async (where: string): Promise<void> => {
    await expectNothingSerious(page, where);
    await expectToFit(page, where);
  };
  await openTab(page, board);
  for (const held of [onPhone, onScreen]) {
    const where = `${held.width} px`;
    await hold(held);
    await expect(page.getByText('Notify a Discord channel')).toBeVisible();
    await judge(`nothing yet, ${where}`);
    await press(page, 'Add channel');
    await page.getByLabel('Address').fill('https://discord.com/api/webhooks/1/abc');
    await judge(`a Discord channel, ${where}`);
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByText('Example: ').click();
    await expect(page.getByText('webhook-signature')).toBeVisible();
    await judge(`a webhook, ${where}`);
    await press(page, 'Close');
    await press(page, 'Discard changes');
  }
  await addWebhook(page, receiver.url, 'Loot bot');
  await claim(board, 'Riley Ashdown', 20);
  await press(page, 'Deliveries of Loot bot');
  const delivered = page.getByText('Delivered', { exact: true });
  await expect(delivered).toBeVisible();
  receiver.answer(answering(410));
  await press(page, 'Test Loot bot');
  await expect(page.getByText("The test didn't reach Loot bot")).toBeVisible();
  await claim(board, 'Sable Quinn', 21);
  const off = page.getByText('Loot bot was turned off. It gets no notifications.');
  await expect(off).toBeVisible();
  await judge('turned off, 1440 px');
  await hold(onPhone);
  await expect(off).toBeVisible();
  // What was open stays open on the narrower screen.
  await expect(delivered).toBeVisible();
  await judge('turned off, 390 px');
});
