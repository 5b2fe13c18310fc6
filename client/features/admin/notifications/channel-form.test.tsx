import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PUBLIC_EVENT_TYPES } from '../../../../shared/schemas/domain-events.ts';
import { changeLanguage } from '../../../i18n.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { aDestination } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { openAdmin, push } from '../test/show-admin.tsx';
import './notifications-tab.tsx';

// Here before the first test, which would otherwise wait for it.

const DISCORD_URL = 'https://discord.com/api/webhooks/1/abc';
const discord = aDestination();
const hook = aDestination({ id: 2, name: 'Bot', kind: 'webhook', url: 'bot.example' });

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  await changeLanguage('en');
});

const field = (label: string | RegExp): HTMLElement =>
  within(screen.getByRole('dialog')).getByLabelText(label);
const press = (name: string): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name }));
const submit = (name: string): Promise<void> =>
  userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name }));
const alerts = (): (string | null)[] =>
  within(screen.getByRole('dialog'))
    .queryAllByRole('alert')
    .map(({ textContent }) => textContent);

async function openNew(...destination: (typeof discord)[]): Promise<void> {
  await openAdmin('/admin/dashboard/settings/notifications', { destination }, 'admin');
  await press('Add channel');
}
async function openEdit(destination = discord): Promise<void> {
  await openAdmin(
    '/admin/dashboard/settings/notifications',
    { destination: [destination] },
    'admin',
  );
  await press(`Edit ${destination.name}`);
}

describe('a new destination', () => {
  test('takes a pasted address, detects its kind and proposes a name', async () => {
    const sent = mockServer({
      'POST /api/admin/destinations': () =>
        ok({ ...discord, id: 3, name: 'Discord 2', url: DISCORD_URL, secret: null }),
    });
    await openNew(discord);
    expect(document.activeElement).toBe(field('Address'));
    // A legend names its fieldset only as a child of it.
    expect(document.querySelector('fieldset > legend')?.textContent).toBe('Notify about');
    await userEvent.paste(DISCORD_URL);
    expect(screen.getByText('Discord webhook.')).toBeTruthy();
    expect(field('Name')).toHaveProperty('value', 'Discord 2');
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByText('Discord 2 gets notifications from now on')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent[0]?.body).toEqual({
      url: DISCORD_URL,
      kind: 'discord',
      name: 'Discord 2',
      language: 'en',
      events: [...PUBLIC_EVENT_TYPES],
      is_enabled: 1,
    });
  });

  test('asks before Escape discards input, and only then', async () => {
    await openNew();
    fireEvent.change(field('Address'), { target: { value: DISCORD_URL } });
    await userEvent.keyboard('{Escape}');
    await userEvent.click(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Cancel' }),
    );
    expect(field('Address')).toHaveProperty('value', DISCORD_URL);
    fireEvent.change(field('Address'), { target: { value: '' } });
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('is sent once while the first answer is under way', async () => {
    const answer = Promise.withResolvers<Response>();
    const sent = mockServer({ 'POST /api/admin/destinations': () => answer.promise });
    await openNew(discord);
    await userEvent.paste(DISCORD_URL);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(sent).toHaveLength(1));
    fireEvent.submit(field('Name'));
    await act(() => new Promise((done) => setTimeout(done, 10)));
    answer.resolve(ok({ ...discord, id: 3, name: 'Discord 2', url: DISCORD_URL, secret: null }));
    expect(await screen.findByText('Discord 2 gets notifications from now on')).toBeTruthy();
    expect(sent).toHaveLength(1);
  });

  test("uses the admin's own language unless another is chosen", async () => {
    await changeLanguage('pt');
    await openAdmin('/admin/dashboard/settings/notifications', {}, 'admin');
    await press('Adicionar canal');
    expect(
      within(screen.getByRole('dialog')).getByRole('radio', { name: 'Português' }),
    ).toHaveProperty('checked', true);
  });

  test('that is a webhook has no language, and its secret is shown once', async () => {
    const made = { ...hook, url: 'https://bot.example/hook', secret: 'whsec_c2VjcmV0' };
    const sent = mockServer({ 'POST /api/admin/destinations': () => ok(made) });
    await openNew();
    await userEvent.paste('https://bot.example/hook');
    expect(screen.getByText('Webhook at bot.example. It receives signed JSON.')).toBeTruthy();
    expect(field('Name')).toHaveProperty('value', 'bot.example');
    expect(screen.queryByRole('radio', { name: 'English' })).toBeNull();
    await userEvent.clear(field('Name'));
    await userEvent.type(field('Name'), '  Our   bot ');
    await userEvent.click(field('Claim changed'));
    await submit('Add channel');
    const dialog = await screen.findByRole('dialog', { name: 'Secret of Bot' });
    expect(within(dialog).getByText('whsec_c2VjcmV0')).toBeTruthy();
    expect(dialog.textContent).not.toContain('The previous secret');
    const body = sent[0]?.body;
    expect(body).toMatchObject({
      kind: 'webhook',
      name: 'Our bot',
      events: PUBLIC_EVENT_TYPES.filter((type) => type !== 'claim.updated'),
    });
  });

  test('needs an address, a name and something to hear', async () => {
    const sent = mockServer({});
    await openNew();
    await press('None');
    await submit('Add channel');
    expect(alerts()).toEqual(
      [
        'A channel name is required',
        'Choose at least one',
        'The address must look like https://example.com/hook, without a user name',
      ].sort((a, b) => alerts().indexOf(a) - alerts().indexOf(b)),
    );
    expect(document.activeElement).toBe(field('Address'));
    await userEvent.paste('https://discord.com/channels/1/2');
    expect(alerts()).toEqual([]);
    await press('All');
    await submit('Add channel');
    expect(alerts()).toEqual(['A Discord webhook looks like https://discord.com/api/webhooks/…']);
    expect(sent).toEqual([]);
  });

  test.each([
    [400, 'destination.private', {}, 'Address', /private network/],
    [409, 'destination.exists', { name: 'Discord' }, 'Name', /already a channel named Discord/],
  ])(
    '%i %s appears at its field, and the input stays',
    async (status, code, params, label, words) => {
      mockServer({ 'POST /api/admin/destinations': () => refused(status, code, params) });
      await openNew();
      await userEvent.paste(DISCORD_URL);
      await submit('Add channel');
      expect((await within(screen.getByRole('dialog')).findByRole('alert')).textContent).toMatch(
        words,
      );
      await waitFor(() => expect(document.activeElement).toBe(field(label)));
      expect(field('Address')).toHaveProperty('value', DISCORD_URL);
    },
  );

  test('keeps the board, also without events; a refused board makes no second channel', async () => {
    const made = { ...discord, id: 3, name: 'Discord 2', url: DISCORD_URL, secret: null };
    const board = { destination_id: 3, category_id: null, sent_at: null, error: null };
    let isRefused = true;
    const sent = mockServer({
      'POST /api/admin/destinations': () => ok(made),
      'PUT /api/admin/destinations/3': () => ok({ ...made, name: 'Tonight' }),
      'PUT /api/admin/destinations/3/board-message': () =>
        isRefused ? refused(404, 'category.notFound') : ok(board),
    });
    await openNew(discord);
    await userEvent.paste(DISCORD_URL);
    await press('None');
    await userEvent.click(field("Keep today's board in one message"));
    expect(await screen.findByText('No claims for the rest of the day.')).toBeTruthy();
    await submit('Add channel');
    expect(await within(screen.getByRole('dialog')).findByRole('alert')).toBeTruthy();
    push({ op: 'put', kind: 'destination', record: { ...made, url: 'discord.com' } });
    expect(field('Name')).toHaveProperty('value', 'Discord 2');
    await userEvent.clear(field('Name'));
    await userEvent.type(field('Name'), 'Tonight');
    isRefused = false;
    await submit('Add channel');
    expect(await screen.findByText('Tonight gets notifications from now on')).toBeTruthy();
    expect(sent.map(({ call }) => call.replace('/api/admin/destinations', ''))).toEqual([
      'POST ',
      'PUT /3/board-message',
      'PUT /3',
      'PUT /3/board-message',
    ]);
    expect(sent[0]?.body).toMatchObject({ events: [], is_enabled: 1 });
  });

  test('refused for another reason shows it and keeps the input', async () => {
    mockServer({
      'POST /api/admin/destinations': () => refused(409, 'destination.tooMany', { max: 20 }),
    });
    await openNew();
    await userEvent.paste(DISCORD_URL);
    await submit('Add channel');
    const alert = await within(screen.getByRole('dialog')).findByRole('alert');
    expect(alert.textContent).toBe(
      "Couldn't add the channel" + 'There are already 20 channels. Delete one first.',
    );
    expect(field('Address')).toHaveProperty('value', DISCORD_URL);
  });
});

test('a webhook has an example of its messages, folded; a Discord channel has none', async () => {
  await openNew();
  await userEvent.paste(DISCORD_URL);
  expect(screen.queryByText(/^Example/)).toBeNull();
  await userEvent.clear(field('Address'));
  await userEvent.click(field('Address'));
  await userEvent.paste('https://bot.example/hook');
  const example = screen.getByText(/^Example: /).closest('details');
  expect(example?.open).toBe(false);
  expect(example?.textContent).toContain('webhook-signature: v1,');
});

describe('editing', () => {
  test("keeps the address, which isn't shown again, and sends only changes", async () => {
    const sent = mockServer({ 'PUT /api/admin/destinations/1': () => ok(discord) });
    await openEdit();
    expect(field('Address')).toHaveProperty('value', '');
    expect(
      screen.getByText("Leave empty to keep the address at discord.com. It isn't shown again."),
    ).toBeTruthy();
    await userEvent.click(field('No-show'));
    await submit('Save');
    expect(await screen.findByText('Channel saved')).toBeTruthy();
    expect(sent[0]?.body).toEqual({
      events: PUBLIC_EVENT_TYPES.filter((type) => type !== 'claim.no_show'),
    });
  });

  test('takes another address', async () => {
    const sent = mockServer({ 'PUT /api/admin/destinations/1': () => ok(discord) });
    await openEdit();
    await userEvent.click(field('Address'));
    await userEvent.paste(DISCORD_URL);
    await submit('Save');
    await waitFor(() => expect(sent[0]?.body).toEqual({ url: DISCORD_URL }));
  });

  test('a webhook does not become Discord', async () => {
    const sent = mockServer({});
    await openEdit(hook);
    await userEvent.click(field('Address'));
    await userEvent.paste(DISCORD_URL);
    await submit('Save');
    expect(alerts()).toEqual(['This is a Discord webhook. Add it as a new channel.']);
    expect(sent).toEqual([]);
  });

  test('does not overwrite another admin before a choice', async () => {
    const sent = mockServer({ 'PUT /api/admin/destinations/1': () => ok(discord) });
    await openEdit();
    await userEvent.clear(field('Name'));
    await userEvent.type(field('Name'), 'Mine');
    push({
      op: 'put',
      kind: 'destination',
      record: { ...discord, name: 'Theirs', language: 'es' },
    });
    expect(screen.getByText('Another admin changed this channel')).toBeTruthy();
    await submit('Save');
    expect(sent).toEqual([]);
    await press('Keep mine');
    expect(field('Name')).toHaveProperty('value', 'Mine');
    await submit('Save');
    await waitFor(() => expect(sent[0]?.body).toEqual({ name: 'Mine' }));
  });

  test('deliveries during an edit cause no conflict', async () => {
    await openEdit();
    await userEvent.type(field('Name'), '!');
    push({
      op: 'put',
      kind: 'destination',
      record: { ...discord, waiting: 4, last_delivery_at: '2026-11-21T18:00:00.000Z' },
    });
    expect(screen.queryByText('Another admin changed this channel')).toBeNull();
    expect(field('Name')).toHaveProperty('value', 'Discord!');
  });
});
