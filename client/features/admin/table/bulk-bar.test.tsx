import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearBoard } from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { aKey } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { openAdmin, push } from '../test/show-admin.tsx';
// Loaded already, so that no test waits for it.
import '../people/people-list.tsx';

const NAMES = ['Arden', 'Brisa', 'Corvin', 'Dalla', 'Edric'];
// The newest first, as the table lists them.
const keys = NAMES.map((character_name, at) =>
  aKey({ id: 10 - at, character_name, key_value: `KEY-${at}`, is_revoked: at === 4 ? 1 : 0 }),
);

beforeEach(clearBoard);
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const box = (name: string): HTMLElement => screen.getByRole('checkbox', { name: `Select ${name}` });
const selected = (): string[] => NAMES.filter((name) => (box(name) as HTMLInputElement).checked);
const bar = () => within(screen.getByRole('region', { name: 'Selection' }));
const status = (): string | null => bar().getByRole('status').textContent;
const press = (name: string): Promise<void> => userEvent.click(bar().getByRole('button', { name }));
const open = () => openAdmin('/admin/dashboard/keys?sort=name', { access_key: keys });

test('Shift takes all from the last one to this, Ctrl+A all that are listed, Escape none', async () => {
  const user = userEvent.setup();
  await open();
  await user.click(box('Brisa'));
  await user.keyboard('{Shift>}');
  await user.click(box('Dalla'));
  await user.keyboard('{/Shift}');
  expect(selected()).toEqual(['Brisa', 'Corvin', 'Dalla']);
  expect(status()).toBe('3 selected');
  await user.keyboard('{Control>}a{/Control}');
  expect(selected()).toEqual(NAMES);
  await user.keyboard('{Escape}');
  expect(selected()).toEqual([]);
  expect(status()).toBe('');
});

test('arrows go from box to box, and with Shift take the next row along; the space bar ticks', async () => {
  const user = userEvent.setup();
  await open();
  box('Arden').focus();
  await user.keyboard(' {Shift>}{ArrowDown}{ArrowDown}{/Shift}{ArrowDown}');
  expect(selected()).toEqual(['Arden', 'Brisa', 'Corvin']);
  expect(document.activeElement).toBe(box('Dalla'));
});

test('the box of all is half ticked where some are, and takes all and none', async () => {
  const user = userEvent.setup();
  await open();
  const all = screen.getByRole('checkbox', { name: 'Select all 5 listed' }) as HTMLInputElement;
  await user.click(box('Corvin'));
  expect([all.checked, all.indeterminate]).toEqual([false, true]);
  await user.click(all);
  expect([selected().length, all.checked, all.indeterminate]).toEqual([5, true, false]);
  await user.click(all);
  expect(selected()).toEqual([]);
});

test('rows hidden by the filter stay selected, with a note; deleted rows are deselected', async () => {
  const user = userEvent.setup();
  await open();
  for (const name of ['Arden', 'Brisa', 'Corvin']) await user.click(box(name));
  await user.type(screen.getByRole('searchbox'), 'arden');
  await waitFor(() => expect(status()).toBe('3 selected2 of them are not listed now'));
  push({ op: 'remove', kind: 'access_key', id: 9 });
  await waitFor(() => expect(status()).toBe('2 selected1 of them is not listed now'));
  push({ op: 'put', kind: 'access_key', record: keys[1] ?? aKey() });
  expect(status()).toBe('2 selected1 of them is not listed now');
});

test('a bulk action names how many and who, sends only those it changes, and can be undone from its toast', async () => {
  const sent = mockServer({
    'POST /api/admin/access-keys/bulk': () => ok({ changed: 2, unchanged: 0, activity_id: 77 }),
    'POST /api/admin/activity-log/77/undo': () => ok({ restored_claims: 0, left_claims: 0 }),
  });
  const user = userEvent.setup();
  await open();
  for (const name of ['Arden', 'Brisa', 'Edric']) await user.click(box(name));
  await press('Revoke');
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Revoke 2 keys' }));
  expect(dialog.getByText('Arden, Brisa')).toBeTruthy();
  expect(dialog.getByText('1 selected row stays unchanged.')).toBeTruthy();
  expect(dialog.getByText(/These members are signed out at once/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Revoke 2 keys' }));
  expect(await screen.findByText('2 keys revoked')).toBeTruthy();
  expect(sent[0]?.body).toEqual({ ids: [10, 9], command: { do: 'revoke' } });
  expect(selected()).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Change undone')).toBeTruthy();
});

test('a refusal is shown in the dialog, in words, and the selection is kept', async () => {
  mockServer({ 'POST /api/admin/access-keys/bulk': () => refused(409, 'key.notActive') });
  const user = userEvent.setup();
  await open();
  await user.click(box('Arden'));
  await press('Change type');
  const dialog = within(
    await screen.findByRole('alertdialog', { name: 'Change the type of 1 key' }),
  );
  await user.selectOptions(dialog.getByLabelText('Member type'), 'elite');
  await user.click(dialog.getByRole('button', { name: 'Change the type of 1 key' }));
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'Nothing was changed: Only active keys can have their member type edited.',
  );
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(selected()).toEqual(['Arden']);
});

test('more than the limit of one action are not sent, and the reason is shown', async () => {
  const many = Array.from({ length: 2_001 }, (_, at) =>
    aKey({ id: at + 1, character_name: `Hunter ${at}`, key_value: `K${at}` }),
  );
  await openAdmin('/admin/dashboard/keys', { access_key: many });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all 2001 listed' }));
  expect(status()).toBe('2001 selected');
  expect(bar().getByRole('button', { name: 'Revoke' }).getAttribute('aria-disabled')).toBe('true');
});

test('an admin who may not change keys cannot select any', async () => {
  mockServer({});
  await open();
  expect(screen.queryByRole('checkbox', { name: 'Select Arden' })).toBeTruthy();
  useSession.setState({ admin: { username: 'Thora', token: 'token', role: 'moderator' } });
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Select Arden' })).toBeNull());
});
