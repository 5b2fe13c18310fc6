import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Destination } from '../../../../shared/schemas/destination.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { aConfig, aDestination } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { openAdmin, push } from '../test/show-admin.tsx';
import './notifications-tab.tsx';

// Here before the first test, which would otherwise wait for it.

const discord = aDestination();
const hook = aDestination({
  id: 2,
  name: 'Bot',
  kind: 'webhook',
  url: 'bot.example',
  events: ['claim.created', 'hold.offered'],
});

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const show = (...destination: Destination[]): Promise<void> =>
  openAdmin('/admin/dashboard/settings/notifications', { destination }, 'admin');
const list = (): HTMLElement => screen.getByRole('region', { name: 'Notification channels' });
const row = (name: string): HTMLElement => {
  const found = within(list())
    .getAllByRole('listitem')
    .find((item) => within(item).queryByRole('heading', { name, level: 2 }));
  if (!found) throw new Error(`no row of ${name}`);
  return found;
};
const names = (): (string | null)[] =>
  within(list())
    .getAllByRole('heading', { level: 2 })
    .map((name) => name.textContent);
const press = (name: string): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name }));

describe('the first state', () => {
  test('offers the next step; its dialog explains how to create a webhook in Discord', async () => {
    await show();
    expect(screen.getByText('Notify a Discord channel')).toBeTruthy();
    expect(within(list()).queryAllByRole('listitem')).toEqual([]);
    await press('Add channel');
    const dialog = within(screen.getByRole('dialog', { name: 'Add channel' }));
    expect(dialog.getByText("Open the channel's settings")).toBeTruthy();
  });
});

describe('the list', () => {
  test("shows each channel's host, events and status, turned-off ones first", async () => {
    const gone = aDestination({ id: 3, name: 'Old channel', switched_off: 'gone' });
    const stuck = {
      ...hook,
      waiting: 3,
      last_error: 'timeout',
      next_try_at: '2026-11-21T18:05:00.000Z',
    };
    await show({ ...discord, last_delivery_at: '2026-11-21T17:59:07.000Z' }, stuck, gone);
    expect(names()).toEqual(['Old channel', 'Bot', 'Discord']);
    expect(row('Discord').textContent).toMatch(
      /DiscordDiscordOndiscord\.comEnglishlast delivery .*07Notifies about everything/,
    );
    expect(row('Bot').textContent).toMatch(
      /Retryingbot\.examplenothing sent yetNotifies about: Claim created, Hours offered3 messages pending/,
    );
    expect(row('Bot').textContent).toMatch(
      /next attempt .*Last error: no response within 15 seconds/,
    );
  });

  test('follows live changes', async () => {
    await show(discord);
    push({
      op: 'put',
      kind: 'destination',
      record: {
        ...discord,
        waiting: 1,
        last_error: 'HTTP 500',
        next_try_at: '2026-11-21T18:05:00.000Z',
      },
    });
    expect(row('Discord').textContent).toMatch(
      /1 message pending.*Last error: responded with status 500/,
    );
    push({ op: 'put', kind: 'destination', record: { ...discord, is_enabled: 0 } });
    expect(row('Discord').textContent).toContain('Paused');
    push({ op: 'put', kind: 'destination', record: hook });
    expect(names()).toEqual(['Bot', 'Discord']);
    push(
      { op: 'remove', kind: 'destination', id: 1 },
      { op: 'remove', kind: 'destination', id: 2 },
    );
    expect(screen.getByText('Notify a Discord channel')).toBeTruthy();
  });

  test('says after a restore that every channel is paused, also one that was retried', async () => {
    await show(
      { ...discord, last_error: 'HTTP 500', next_try_at: '2026-11-21T18:05:00.000Z' },
      hook,
    );
    push({ op: 'put', kind: 'config', record: aConfig({ notifications_paused: 1 }) });
    for (const name of ['Discord', 'Bot'])
      expect(row(name).textContent).toMatch(/^\w+(Discord|Webhook)Paused/);
    expect(within(list()).getByRole('alert').textContent).toMatch(
      /^Notifications are pausedMessages wait until an owner/,
    );
    push({ op: 'put', kind: 'config', record: aConfig() });
    expect(row('Bot').textContent).toMatch(/^BotWebhookOn/);
  });

  test('at twenty it takes no more, and says so', async () => {
    const twenty = Array.from({ length: 20 }, (_, at) =>
      aDestination({ id: at + 1, name: `Channel ${at + 1}` }),
    );
    await show(...twenty);
    const reason = 'The limit of 20 channels is reached. Delete one to add another.';
    expect(screen.getByText(reason)).toBeTruthy();
    await press('Add channel');
    expect(screen.queryByRole('dialog')).toBeNull();
    push({ op: 'remove', kind: 'destination', id: 20 });
    expect(screen.queryByText(reason)).toBeNull();
    await press('Add channel');
    expect(screen.getByRole('dialog')).toBeTruthy();
  });
});

describe('one that the server switched off', () => {
  const gone = aDestination({ switched_off: 'gone' });

  test('raises an alert in the status line of every tab, and in its section with the fix', async () => {
    await openAdmin('/admin/dashboard/keys', { destination: [discord] });
    expect(screen.queryByRole('link', { name: 'Failing: Discord' })).toBeNull();
    push({ op: 'put', kind: 'destination', record: gone });
    await userEvent.click(screen.getByRole('link', { name: 'Failing: Discord' }));
    const alarm = await within(
      await screen.findByRole('region', { name: 'Notification channels' }),
    ).findByRole('alert');
    expect(alarm.textContent).toContain('Discord was turned off. It gets no notifications.');
    expect(alarm.textContent).toContain('discord.com says the address no longer exists.');
    expect(alarm.textContent).toContain('Create a new one there, press Edit and paste its address');
  });

  test('is switched on again by a press', async () => {
    const sent = mockServer({ 'PUT /api/admin/destinations/1': () => ok(discord) });
    await show(gone);
    expect(screen.queryByRole('button', { name: 'Pause Discord' })).toBeNull();
    await press('Turn on again: Discord');
    expect(await screen.findByText('Discord gets notifications again')).toBeTruthy();
    expect(sent[0]?.body).toEqual({ is_enabled: 1 });
    push({ op: 'put', kind: 'destination', record: discord });
    expect(within(list()).queryByRole('alert')).toBeNull();
    expect(screen.queryByRole('link', { name: 'Failing: Discord' })).toBeNull();
  });

  test('a rejecting receiver has its own sentence; a failure to turn it on is shown', async () => {
    mockServer({ 'PUT /api/admin/destinations/1': () => refused(404, 'destination.notFound') });
    await show(aDestination({ switched_off: 'refused' }));
    expect(within(list()).getByRole('alert').textContent).toContain(
      'discord.com rejects our messages.',
    );
    await press('Turn on again: Discord');
    expect(
      await screen.findByText("Couldn't turn the channel on: This channel no longer exists"),
    ).toBeTruthy();
  });
});

describe('pausing', () => {
  test('shows the pending messages that are discarded, live; resuming needs no confirmation', async () => {
    const sent = mockServer({ 'PUT /api/admin/destinations/1': () => ok(discord) });
    await show(discord);
    await press('Pause Discord');
    const dialog = await screen.findByRole('alertdialog', { name: 'Pause Discord?' });
    expect(dialog.textContent).toContain('Nothing is sent while it is paused');
    expect(dialog.textContent).not.toContain('discarded');
    push({ op: 'put', kind: 'destination', record: { ...discord, waiting: 2 } });
    expect(dialog.textContent).toContain('2 pending messages are discarded.');
    await press('Pause channel');
    expect(await screen.findByText('Discord paused')).toBeTruthy();
    push({ op: 'put', kind: 'destination', record: { ...discord, is_enabled: 0 } });
    await press('Resume Discord');
    await waitFor(() =>
      expect(sent.map(({ body }) => body)).toEqual([{ is_enabled: 0 }, { is_enabled: 1 }]),
    );
  });
});

describe('deleting', () => {
  test('is confirmed, and the focus stays on the list', async () => {
    mockServer({ 'DELETE /api/admin/destinations/1': () => ok() });
    await show(discord);
    await press('Delete Discord');
    expect(screen.getByRole('alertdialog').textContent).toContain('An undo restores both.');
    await press('Delete channel');
    expect(await screen.findByText('Discord deleted')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy();
    expect(document.activeElement).toBe(list());
  });

  test('that fails stays in the dialog with its reason', async () => {
    mockServer({ 'DELETE /api/admin/destinations/1': () => refused(404, 'destination.notFound') });
    await show(discord);
    await press('Delete Discord');
    await press('Delete channel');
    expect((await screen.findByRole('alert')).textContent).toBe(
      "Couldn't delete the channel: This channel no longer exists",
    );
  });
});

describe('a new secret', () => {
  test('is for webhooks, confirmed, and shown once, while both are valid', async () => {
    mockServer({
      'POST /api/admin/destinations/2/rotate-secret': () => ok({ secret: 'whsec_bmV3' }),
    });
    await show(discord, hook);
    expect(screen.queryByRole('button', { name: 'New secret for Discord' })).toBeNull();
    await press('New secret for Bot');
    expect(screen.getByRole('alertdialog').textContent).toContain(
      'Both secrets sign messages for 24 hours',
    );
    await press('Create new secret');
    const dialog = await screen.findByRole('dialog', { name: 'Secret of Bot' });
    expect(dialog.textContent).toContain('whsec_bmV3');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Copy secret'));
    expect(dialog.textContent).toContain('The previous secret also works for another 24 hours.');
    expect(dialog.textContent).toContain('HMAC-SHA256');
    // The secret is shown only once: neither Escape nor a press outside closes it.
    await userEvent.keyboard('{Escape}');
    expect(screen.getByText('whsec_bmV3')).toBeTruthy();
    expect(within(dialog).queryByRole('button', { name: 'Close' })).toBeNull();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Copy secret' }));
    expect(await navigator.clipboard.readText()).toBe('whsec_bmV3');
    await press("I've stored it");
    expect(screen.queryByText('whsec_bmV3')).toBeNull();
    expect(document.activeElement).toBe(list());
  });
});

describe('a test', () => {
  test.each([
    [
      { ok: true, status: 204, error: null, ms: 180 },
      'The test reached Discord',
      'discord.com responded with status 204 after 180 ms.',
    ],
    [
      { ok: false, status: 404, error: null, ms: 90 },
      "The test didn't reach Discord",
      /responded with status 404.*deleted in Discord/,
    ],
    [
      { ok: false, status: 429, error: null, ms: 90 },
      "The test didn't reach Discord",
      /is rate-limiting us/,
    ],
    [
      { ok: false, status: 500, error: null, ms: 90 },
      "The test didn't reach Discord",
      /The receiver has a problem/,
    ],
    [
      { ok: false, status: 301, error: null, ms: 90 },
      "The test didn't reach Discord",
      /redirects to another one/,
    ],
    [
      { ok: false, status: 400, error: null, ms: 90 },
      "The test didn't reach Discord",
      /rejected the message/,
    ],
    [
      { ok: false, status: null, error: 'timeout', ms: 15_000 },
      "The test didn't reach Discord",
      'no response within 15 seconds',
    ],
  ])('shows the outcome in words: %o', async (answer, title, words) => {
    mockServer({ 'POST /api/admin/destinations/1/test': () => ok(answer) });
    await show(discord);
    await press('Test Discord');
    expect(await screen.findByText(title)).toBeTruthy();
    expect(screen.getByText(words)).toBeTruthy();
    await userEvent.click(within(row('Discord')).getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(title)).toBeNull();
  });

  test('is sent once however often it is pressed, and says when the server cannot be reached', async () => {
    let fail: (error: Error) => void = () => {};
    const never = new Promise<Response>((_, reject) => {
      fail = reject;
    });
    const sent = mockServer({ 'POST /api/admin/destinations/1/test': () => never });
    await show(discord);
    await press('Test Discord');
    await press('Test Discord');
    expect(sent).toHaveLength(1);
    fail(new TypeError('Failed to fetch'));
    expect((await within(list()).findByRole('alert')).textContent).toContain('Network error');
  });
});
