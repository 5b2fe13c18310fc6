import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearBoard } from '../../../state/board-store.ts';
import { applyPresence, clearPresence } from '../../../state/presence-store.ts';
import { aConfig, aKey } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { openAdmin, push } from '../test/show-admin.tsx';
// Loaded already, so that no test waits for it.
import '../people/people-list.tsx';

const AT = '/admin/dashboard/settings/guild';
beforeEach(clearBoard);
afterEach(() => {
  vi.unstubAllGlobals();
  clearPresence();
});

const status = (): HTMLElement => screen.getByRole('region', { name: 'Guild status' });
const claims = (): HTMLElement => within(status()).getByRole('button', { name: /^Claims/ });
const choose = async (name: string): Promise<void> => {
  await userEvent.click(claims());
  await userEvent.click(await screen.findByRole('menuitem', { name }));
};
const guildName = (): HTMLElement => screen.getByLabelText('Guild name');
const save = (): HTMLElement => screen.getByRole('button', { name: 'Save' });
const open = async (change = {}): Promise<void> => {
  await openAdmin(AT, { config: [aConfig(change)] });
};

describe('opening and closing claims', () => {
  test('is on every tab, asks with the numbers before it closes claims, and changes when the server has stored it', async () => {
    const sent = mockServer({
      'PUT /api/admin/config': () => ok(aConfig({ submission_enabled: 0 })),
    });
    applyPresence({ op: 'state', watching: 14, choosers: [] });
    const keys = [
      aKey({ id: 1 }),
      aKey({ id: 2, character_name: 'Old Bram' }),
      aKey({ id: 3, character_name: 'Sable', is_revoked: 1 }),
    ];
    await openAdmin('/admin/dashboard/keys', { config: [aConfig()], access_key: keys });
    expect(claims().textContent).toBe('Claims open');
    await choose('Close claims…');
    const question = await screen.findByRole('alertdialog', {
      name: 'Close claims for all members?',
    });
    expect(question.textContent).toContain("2 characters with an active access key can't submit");
    expect(question.textContent).toContain('14 people are on the board right now');
    push({ op: 'put', kind: 'access_key', record: aKey({ id: 4, character_name: 'Dara Holt' }) });
    expect(question.textContent).toContain('3 characters with an active access key');
    expect(sent).toEqual([]);
    await userEvent.click(within(question).getByRole('button', { name: 'Close claims' }));
    expect(sent).toEqual([{ call: 'PUT /api/admin/config', body: { submission_enabled: 0 } }]);
    expect(await screen.findByText('Configuration saved successfully!')).toBeTruthy();
    expect(screen.getByText('Claims are closed.')).toBeTruthy();
    push({ op: 'put', kind: 'config', record: aConfig({ submission_enabled: 0 }) });
    expect(claims().textContent).toBe('Claims closed');
    // Or the next test would find two Undo buttons.
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  });

  test('is taken back by one press; opening asks nothing', async () => {
    const sent = mockServer({ 'PUT /api/admin/config': () => ok(aConfig()) });
    await openAdmin(AT, { config: [aConfig()] });
    await choose('Close claims…');
    await userEvent.click(await screen.findByRole('button', { name: 'Close claims' }));
    push({ op: 'put', kind: 'config', record: aConfig({ submission_enabled: 0 }) });
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(sent.map(({ body }) => body)).toEqual([
        { submission_enabled: 0 },
        { submission_enabled: 1 },
      ]),
    );
    await choose('Open claims');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await waitFor(() => expect(sent).toHaveLength(3));
  });

  test('asks, and Cancel leaves claims open', async () => {
    const sent = mockServer({});
    await openAdmin(AT, { config: [aConfig()] });
    await choose('Close claims…');
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(sent).toEqual([]);
    expect(document.activeElement).toBe(claims());
  });

  test('stays unchanged when the server refuses, and says why', async () => {
    mockServer({ 'PUT /api/admin/config': () => refused(503, 'server.stopping') });
    await openAdmin(AT, { config: [aConfig({ submission_enabled: 0 })] });
    await choose('Open claims');
    expect(await screen.findByText(/^Couldn't save the configuration: /)).toBeTruthy();
    expect(claims().textContent).toBe('Claims closed');
  });
});

describe('the guild name', () => {
  test('is saved, and only it is sent', async () => {
    const sent = mockServer({
      'PUT /api/admin/config': () => ok(aConfig({ guild_name: 'Night Watch' })),
    });
    await open();
    expect(screen.getByText(/^Anyone can verify a character/)).toBeTruthy();
    expect(save().getAttribute('aria-disabled')).toBe('true');
    await userEvent.type(guildName(), 'Night Watch{Enter}');
    await waitFor(() =>
      expect(sent).toEqual([
        { call: 'PUT /api/admin/config', body: { guild_name: 'Night Watch' } },
      ]),
    );
    push({ op: 'put', kind: 'config', record: aConfig({ guild_name: 'Night Watch' }) });
    expect(screen.getByText(/^Only members of Night Watch/)).toBeTruthy();
  });

  test('that is refused keeps the input', async () => {
    mockServer({ 'PUT /api/admin/config': () => refused(500, 'server.failed') });
    await open({ guild_name: 'Night Watch' });
    await userEvent.type(guildName(), 'ers{Enter}');
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /^Couldn't save the configuration: /,
    );
    expect(guildName()).toHaveProperty('value', 'Night Watchers');
  });

  test('that is typed on during a save stays, and the save is no other admin’s change', async () => {
    const answer = Promise.withResolvers<Response>();
    mockServer({ 'PUT /api/admin/config': () => answer.promise });
    await open({ guild_name: 'Night Watch' });
    await userEvent.type(guildName(), 'ers{Enter}');
    await userEvent.type(guildName(), '!');
    const saved = aConfig({ guild_name: 'Night Watchers' });
    push({ op: 'put', kind: 'config', record: saved });
    answer.resolve(ok(saved));
    await waitFor(() => expect(save().getAttribute('aria-busy')).not.toBe('true'));
    expect(guildName()).toHaveProperty('value', 'Night Watchers!');
    expect(screen.queryByText(/Another admin changed/)).toBeNull();
    expect(save().getAttribute('aria-disabled')).toBeNull();
  });

  test('follows another admin’s changes until the user types; then it keeps the input, and says so', async () => {
    await open({ guild_name: 'Night Watch' });
    push({ op: 'put', kind: 'config', record: aConfig({ guild_name: 'Day Watch' }) });
    expect(guildName()).toHaveProperty('value', 'Day Watch');
    await userEvent.type(guildName(), 'ers');
    push({ op: 'put', kind: 'config', record: aConfig({ guild_name: 'Dusk Watch' }) });
    expect(guildName()).toHaveProperty('value', 'Day Watchers');
    expect(
      screen.getByText('Another admin changed this to Dusk Watch. Saving overwrites it.'),
    ).toBeTruthy();
  });
});

test('shows the settings of the environment, read-only', async () => {
  await open({ ss_time_zone: 'Europe/Berlin', ss_hour: 10, character_check: 'manual' });
  const facts = screen.getByRole('region', { name: 'Server settings' });
  for (const fact of [
    'Europe/Berlin',
    '10:00',
    'Members and admins only',
    'Manually by an admin',
  ]) {
    expect(within(facts).getByText(fact)).toBeTruthy();
  }
});
