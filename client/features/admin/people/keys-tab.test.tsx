import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../../../api/query.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { aConfig, aKey } from '../../../test/records.ts';
import { savedFiles } from '../test/saved-files.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { chooseAction, goTo, openAdmin, push } from '../test/show-admin.tsx';
// Loaded already, so that no test waits for it.
import './people-list.tsx';

const arden = aKey();
const mira = aKey({
  id: 2,
  character_name: 'Mira Stormcrow',
  key_value: 'H6VB-7JQP-2MEX',
  member_type: 'elite',
  created_at: '2026-11-16T12:00:00Z',
});
const jorun = aKey({
  id: 3,
  character_name: 'Jorun Pike',
  created_by_username: null,
  created_at: '2026-11-18T12:00:00Z',
  is_revoked: 1,
});
const all = { access_key: [arden, mira, jorun] };

beforeEach(clearBoard);
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const rowOf = (name: string): HTMLElement => screen.getByRole('row', { name: new RegExp(name) });
const names = (): (string | null | undefined)[] =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector('td')?.textContent);
const press = async (name: string | RegExp): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name }));
const address = (): string | null => screen.getByLabelText('address').textContent;
const generate = (): HTMLElement => screen.getByRole('button', { name: 'Generate key' });

describe('making a key', () => {
  test('needs a character name', async () => {
    await openAdmin('/admin/dashboard/keys', all);
    expect(generate()).toHaveProperty('disabled', true);
    await userEvent.type(screen.getByLabelText('Character name'), '  {Enter}');
    expect(screen.getByRole('alert').textContent).toBe('Character name is required');
    expect(screen.getByLabelText('Member type')).toHaveProperty('value', 'member');
  });

  test('a refusal disappears when another name is typed or another type chosen', async () => {
    mockServer({
      'POST /api/admin/access-keys': () =>
        refused(409, 'accessKey.characterHasKey', { character_name: 'Arden Vale' }),
    });
    await openAdmin('/admin/dashboard/keys', all);
    const name = screen.getByLabelText('Character name');
    await userEvent.type(name, 'Arden Vale');
    await userEvent.click(generate());
    expect(await screen.findByText('Failed to create access key')).toBeTruthy();
    await userEvent.type(name, 's');
    expect(screen.queryByText('Failed to create access key')).toBeNull();
    await userEvent.click(generate());
    expect(await screen.findByText('Failed to create access key')).toBeTruthy();
    await userEvent.selectOptions(screen.getByLabelText('Member type'), 'vice');
    expect(screen.queryByText('Failed to create access key')).toBeNull();
  });

  test('keeps the name and the member type while another page is open', async () => {
    await openAdmin('/admin/dashboard/keys', all);
    await userEvent.selectOptions(screen.getByLabelText('Member type'), 'elite');
    await userEvent.type(screen.getByLabelText('Character name'), 'Tessa Wynn');
    goTo('/admin/dashboard/member/Arden%20Vale');
    await waitFor(() => expect(screen.queryByLabelText('Character name')).toBeNull());
    goTo('/admin/dashboard/keys');
    expect(await screen.findByLabelText('Character name')).toHaveProperty('value', 'Tessa Wynn');
    expect(screen.getByLabelText('Member type')).toHaveProperty('value', 'elite');
    queryClient.clear();
  });

  test('shows the key, to be copied', async () => {
    const made = aKey({
      id: 9,
      character_name: 'Tessa Wynn',
      key_value: 'AAAA-BBBB-CCCC',
      member_type: 'vice',
    });
    const sent = mockServer({ 'POST /api/admin/access-keys': () => ok(made) });
    const user = userEvent.setup();
    await openAdmin('/admin/dashboard/keys', all);
    await user.type(screen.getByLabelText('Character name'), 'Tessa  Wynn');
    await user.selectOptions(screen.getByLabelText('Member type'), 'vice');
    await user.click(generate());
    expect(await screen.findByText('Access key created for Tessa Wynn')).toBeTruthy();
    expect(sent[0]?.body).toEqual({ characterName: 'Tessa Wynn', memberType: 'vice' });
    await user.click(screen.getByRole('button', { name: 'Copy access key of Tessa Wynn' }));
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe('AAAA-BBBB-CCCC');
    expect(screen.getByLabelText('Character name')).toHaveProperty('value', '');
  });

  test('has a message to send, with the address and the key', async () => {
    const made = aKey({ id: 9, character_name: 'Tessa Wynn', key_value: 'AAAA-BBBB-CCCC' });
    mockServer({ 'POST /api/admin/access-keys': () => ok(made) });
    const user = userEvent.setup();
    await openAdmin('/admin/dashboard/keys', all);
    await user.type(screen.getByLabelText('Character name'), 'Tessa Wynn{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Copy message' }));
    const copied = await navigator.clipboard.readText();
    expect(copied).toContain(`${window.location.origin}/login`);
    expect(copied).toContain('Your access key: AAAA-BBBB-CCCC');
  });

  test('takes a pasted list to a dialog of its own, where more can be pasted', async () => {
    const user = userEvent.setup();
    await openAdmin('/admin/dashboard/keys', all);
    await user.click(screen.getByLabelText('Character name'));
    await user.paste('Tessa Wynn\nNim Farrow');
    const names = screen.getByLabelText('Character names');
    expect(names).toHaveProperty('value', 'Tessa Wynn\nNim Farrow');
    await user.clear(names);
    await user.click(names);
    await user.paste('Tessa Wynn\nOld Bram\nUna Vale');
    expect(names).toHaveProperty('value', 'Tessa Wynn\nOld Bram\nUna Vale');
    expect(screen.getByRole('button', { name: 'Create 3 keys' })).toBeTruthy();
  });

  test('keeps input while the previous key is being created', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    mockServer({ 'POST /api/admin/access-keys': () => promise });
    await openAdmin('/admin/dashboard/keys', all);
    const field = screen.getByLabelText('Character name');
    await userEvent.type(field, 'Tessa Wynn{Enter}');
    await userEvent.clear(field);
    await userEvent.type(field, 'Nim Farrow');
    resolve(ok(aKey({ id: 9, character_name: 'Tessa Wynn' })));
    expect(await screen.findByText('Access key created for Tessa Wynn')).toBeTruthy();
    expect(field).toHaveProperty('value', 'Nim Farrow');
  });

  test('that is refused says why and keeps the input', async () => {
    mockServer({
      'POST /api/admin/access-keys': () =>
        refused(409, 'key.exists', { character_name: 'Arden Vale' }),
    });
    await openAdmin('/admin/dashboard/keys', all);
    await userEvent.type(screen.getByLabelText('Character name'), 'arden vale{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Failed to create access keyArden Vale already has an access key.',
    );
    expect(screen.getByLabelText('Character name')).toHaveProperty('value', 'arden vale');
  });
});

describe('the table', () => {
  test('lists by creation, the newest first, with the status in words', async () => {
    await openAdmin('/admin/dashboard/keys', all);
    expect(names()).toEqual(['Arden Vale', 'Jorun Pike', 'Mira Stormcrow']);
    expect(rowOf('Arden Vale').textContent).toContain('K7QM-2F9A-XW3C');
    expect(within(rowOf('Arden Vale')).getByText('Not verified')).toBeTruthy();
    expect(within(rowOf('Jorun Pike')).getByText('Revoked')).toBeTruthy();
    expect(screen.getByText('3 characters')).toBeTruthy();
  });

  test('sorts by its headings, and the address keeps it', async () => {
    await openAdmin('/admin/dashboard/keys', all);
    await press(/^Character/);
    expect(names()).toEqual(['Arden Vale', 'Jorun Pike', 'Mira Stormcrow']);
    expect(screen.getByRole('columnheader', { name: 'Character' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    await press(/^Character/);
    expect(names()).toEqual(['Mira Stormcrow', 'Jorun Pike', 'Arden Vale']);
    await waitFor(() => expect(address()).toBe('/admin/dashboard/keys?sort=-name'));
  });

  test('is searched and filtered, and the address keeps both', async () => {
    await openAdmin('/admin/dashboard/keys', all);
    await userEvent.type(screen.getByLabelText('Search characters'), 'storm');
    await userEvent.click(screen.getByLabelText('Only show active keys'));
    expect(names()).toEqual(['Mira Stormcrow']);
    expect(screen.getByText('1 of 3 characters')).toBeTruthy();
    await waitFor(() => expect(address()).toBe('/admin/dashboard/keys?search=storm&active=1'));
  });

  test('is filtered by member type, as the links of the member types do', async () => {
    await openAdmin('/admin/dashboard/keys?type=elite', all);
    expect(names()).toEqual(['Mira Stormcrow']);
    await userEvent.selectOptions(screen.getByLabelText('Type'), 'All member types');
    expect(names()).toHaveLength(3);
  });

  test.each(['H6VB-7JQP-2MEX', 'jqp', 'mira h6vb', 'K9QX-4TRW-8MNA', 'KQXN TRWY MNAB'])(
    'a search for the key %s works and is never written to the address',
    async (key) => {
      await openAdmin('/admin/dashboard/keys?search=mira', all);
      await userEvent.clear(screen.getByLabelText('Search characters'));
      await userEvent.paste(key);
      await userEvent.click(screen.getByLabelText('Only show active keys'));
      await waitFor(() => expect(address()).toBe('/admin/dashboard/keys?active=1'));
      expect(screen.getByLabelText('Search characters')).toHaveProperty('value', key);
      expect(screen.queryByText('Mira Stormcrow') !== null).toBe(/h6vb|jqp/i.test(key));
      await userEvent.clear(screen.getByLabelText('Search characters'));
      expect(names()).toHaveLength(2);
    },
  );

  test('is shown as the address says', async () => {
    await openAdmin('/admin/dashboard/keys?active=1&sort=-name', all);
    expect(names()).toEqual(['Mira Stormcrow', 'Arden Vale']);
    expect(screen.getByLabelText('Only show active keys')).toHaveProperty('checked', true);
  });

  test('offers a way back when nothing matches', async () => {
    await openAdmin('/admin/dashboard/keys?search=nobody', all);
    expect(screen.getByText('No matching characters')).toBeTruthy();
    await press('Clear search and filter');
    expect(names()).toHaveLength(3);
  });

  test('shows of very many those in view, and says how many there are', async () => {
    const many = Array.from({ length: 2_000 }, (_, at) =>
      aKey({ id: at + 1, character_name: `Character ${at + 1}` }),
    );
    await openAdmin('/admin/dashboard/keys', { access_key: many });
    expect(names().length).toBeLessThan(100);
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('2001');
    expect(screen.getByText('2000 characters')).toBeTruthy();
  });

  test('is exported as it is filtered and sorted, dated as the server save', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T05:00:00Z') });
    const saved = savedFiles();
    await openAdmin('/admin/dashboard/keys?active=1&sort=-name', {
      access_key: [arden, mira, jorun, aKey({ id: 4, character_name: '=Zed, "x"' })],
    });
    await press('Export CSV');
    await waitFor(() => expect(saved[0]?.text).toBeTruthy());
    expect(saved).toEqual([
      {
        name: 'access-keys-2026-11-21.csv',
        text: [
          '\u{FEFF}"Character","Status","Type","Created","Verified","Access key","Created by","Last claim"',
          '"Mira Stormcrow","Not verified","elite","2026-11-16T12:00:00Z","","H6VB-7JQP-2MEX","Thora",""',
          '"Arden Vale","Not verified","member","2026-11-19T12:00:00Z","","K7QM-2F9A-XW3C","Thora",""',
          '"\'=Zed, ""x""","Not verified","member","2026-11-19T12:00:00Z","","K7QM-2F9A-XW3C","Thora",""',
          '',
        ].join('\r\n'),
      },
    ]);
  });

  test('shows who is connected to Discord, to be found, filtered and exported; without an app or links there is no column', async () => {
    const saved = savedFiles();
    await openAdmin('/admin/dashboard/keys', all);
    expect(screen.queryByRole('columnheader', { name: /Discord/ })).toBeNull();
    push({
      op: 'put',
      kind: 'access_key',
      record: { ...mira, discord_user_id: '323456789012345678', discord_name: 'mirabelle' },
    });
    expect(within(rowOf('Mira Stormcrow')).getByText('mirabelle')).toBeTruthy();
    await userEvent.type(screen.getByLabelText('Search characters'), 'mirabelle');
    expect(names()).toEqual(['Mira Stormcrow']);
    await userEvent.clear(screen.getByLabelText('Search characters'));
    expect(names()).toHaveLength(3);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Connected to Discord' }));
    expect(names()).toEqual(['Mira Stormcrow']);
    await press('Export CSV');
    await waitFor(() =>
      expect(saved[0]?.text).toContain(
        '"Mira Stormcrow","Not verified","elite","2026-11-16T12:00:00Z","","H6VB-7JQP-2MEX","Thora","","mirabelle"',
      ),
    );
    push({ op: 'put', kind: 'access_key', record: mira });
    expect(screen.queryByRole('columnheader', { name: /Discord/ })).toBeNull();
    push({ op: 'put', kind: 'config', record: aConfig({ has_discord_app: 1 }) });
    expect(screen.getByText('No matching characters')).toBeTruthy();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Connected to Discord' }));
    expect(screen.getByRole('columnheader', { name: /Discord/ })).toBeTruthy();
  });

  test('shows another admin’s changes live', async () => {
    await openAdmin('/admin/dashboard/keys', all);
    push({ op: 'put', kind: 'access_key', record: { ...arden, is_revoked: 1 } });
    expect(within(rowOf('Arden Vale')).getByText('Revoked')).toBeTruthy();
  });
});

describe('revoking, enabling, deleting', () => {
  test('revoking is confirmed and says that live sessions end', async () => {
    mockServer({ 'PUT /api/admin/access-keys/1/revoke': () => ok({ ...arden, is_revoked: 1 }) });
    await openAdmin('/admin/dashboard/keys', all);
    await chooseAction('Arden Vale', 'Revoke access of Arden Vale');
    expect((await screen.findByRole('alertdialog')).textContent).toContain('signed out at once');
    await press('Revoke access');
    expect(await screen.findByText('Access key revoked successfully')).toBeTruthy();
  });

  test('a refusal stays in the dialog', async () => {
    mockServer({ 'PUT /api/admin/access-keys/1/revoke': () => refused(404, 'key.notFound') });
    await openAdmin('/admin/dashboard/keys', all);
    await chooseAction('Arden Vale', 'Revoke access of Arden Vale');
    await press('Revoke access');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Failed to revoke access key: Access key not found',
    );
  });

  test('a revoked key can be enabled again, and its button keeps the focus', async () => {
    mockServer({ 'PUT /api/admin/access-keys/3/enable': () => ok({ ...jorun, is_revoked: 0 }) });
    await openAdmin('/admin/dashboard/keys', all);
    await chooseAction('Jorun Pike', 'Restore access of Jorun Pike');
    push({ op: 'put', kind: 'access_key', record: { ...jorun, is_revoked: 0 } });
    expect(await screen.findByText('Access key re-enabled successfully')).toBeTruthy();
    expect(document.activeElement).toBe(
      screen.getByRole('button', { name: 'More actions for Jorun Pike' }),
    );
  });

  test('deleting lists the records that are deleted as well', async () => {
    mockServer({ 'DELETE /api/admin/access-keys/1': () => ok() });
    await openAdmin('/admin/dashboard/keys', all);
    await chooseAction('Arden Vale', 'Delete access key of Arden Vale');
    expect((await screen.findByRole('alertdialog')).textContent).toContain(
      "the character's verification records",
    );
    expect((await screen.findByRole('alertdialog')).textContent).toContain(
      'You can restore the key and the records from the activity log',
    );
    await press('Delete key');
    expect(await screen.findByText('Access key deleted successfully')).toBeTruthy();
  });
});
