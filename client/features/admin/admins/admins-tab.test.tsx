import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ActivityAction } from '../../../../shared/activity-actions.ts';
import type { AdminList } from '../../../../shared/schemas/admin.ts';
import { setCredentials } from '../../../api/request.ts';
import { clearBoard, setConnection } from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { aConfig, anEntry } from '../../../test/records.ts';
import { mockServer, ok, refused, type Sent } from '../test/server.ts';
import { goTo, openAdmin, push } from '../test/show-admin.tsx';
// Here before the first test, which would otherwise wait for it.
import './admins-tab.tsx';

const AT = '2026-11-21T17:58:00.000Z';
const thora = { id: 1, username: 'Thora', role: 'owner', created_at: AT } as const;
const kael = { id: 2, username: 'Kael', role: 'moderator', created_at: AT } as const;
const mira = {
  id: 7,
  username: 'Mira',
  role: 'viewer',
  created_by_username: 'Thora',
  created_at: AT,
  expires_at: AT,
} as const;

beforeEach(() => clearBoard());
afterEach(() => vi.unstubAllGlobals());

/** The tab before a server that holds this list, and changes it as the real one does. */
const show = async (
  list: AdminList,
  more: Record<string, (body: unknown) => Response> = {},
): Promise<Sent[]> => {
  const sent = mockServer({ 'GET /api/admin/admins': () => ok(list), ...more });
  await openAdmin('/admin/dashboard/settings/admins');
  await screen.findByRole('region', { name: 'Current admins' });
  return sent;
};
const press = async (name: string): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name }));
const row = (name: string): HTMLElement => {
  const found = screen.getByRole('heading', { level: 3, name }).closest('li');
  if (!found) throw new Error(`no row of ${name}`);
  return found;
};
const reads = (sent: Sent[]): number => sent.filter(({ call }) => call.startsWith('GET')).length;
const writes = (sent: Sent[]): Sent[] => sent.filter(({ call }) => !call.startsWith('GET'));

test('lists each with their permissions; marks the own row, and explains why the last owner stays', async () => {
  await show({ admins: [thora, kael], invitations: [] });
  expect(row('Thora').textContent).toMatch(/You.*Full access.*The last owner can't be changed/);
  expect(within(row('Thora')).queryByRole('button')).toBeNull();
  expect(row('Kael').textContent).toMatch(/Edits and deletes claims.*Admin since 21 Nov 2026/);
  expect(screen.getByText('No pending invitations.')).toBeTruthy();
});

test('more rights are granted at once, fewer only after a confirmation; the list is reloaded', async () => {
  const list: AdminList = { admins: [thora, kael], invitations: [] };
  const sent = await show(list, {
    'PUT /api/admin/admins/2': (body) => {
      list.admins = [thora, { ...kael, ...Object(body) }];
      return ok(list.admins[1]);
    },
  });
  const role = (): HTMLElement => screen.getByLabelText('Role of Kael');
  await userEvent.selectOptions(role(), 'Admin');
  await screen.findByText('Kael now has the role Admin');
  await waitFor(() => expect(row('Kael').textContent).toContain('Manages the guild'));
  await userEvent.selectOptions(role(), 'Viewer');
  expect(writes(sent)).toHaveLength(1);
  expect(role()).toHaveProperty('value', 'admin');
  await press('Change role');
  await waitFor(() => expect(row('Kael').textContent).toContain('Sees what a moderator sees'));
  expect(writes(sent).map(({ body }) => body)).toEqual([{ role: 'admin' }, { role: 'viewer' }]);
  expect(reads(sent)).toBe(3);
});

test('an admin is removed after a confirmation, which shows a refusal', async () => {
  const list: AdminList = { admins: [thora, kael], invitations: [] };
  let answer = (): Response => refused(409, 'admin.lastOwner', { name: 'Kael' });
  await show(list, { 'DELETE /api/admin/admins/2': () => answer() });
  await press('Remove Kael');
  await press('Remove admin');
  expect((await screen.findByRole('alert')).textContent).toContain('Kael is the last owner');
  answer = () => {
    list.admins = [thora];
    return ok();
  };
  await press('Remove admin');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Kael' })).toBeNull());
});

test('an admin who removes themself is warned first, and sent to the login', async () => {
  await show(
    { admins: [thora, { ...kael, role: 'owner' }], invitations: [] },
    { 'DELETE /api/admin/admins/1': () => ok() },
  );
  await press('Remove Thora');
  expect((await screen.findByRole('alertdialog')).textContent).toContain('This is you');
  await press('Remove admin');
  expect(await screen.findByText('Login page')).toBeTruthy();
  expect(useSession.getState().ended).toEqual([]);
});

test('an invitation is made, its link shown once; it is withdrawn after a question', async () => {
  const list: AdminList = { admins: [thora], invitations: [] };
  let answer = (): Response => refused(409, 'admin.nameExists', { name: 'Mira' });
  const sent = await show(list, {
    'POST /api/admin/invitations': () => answer(),
    'DELETE /api/admin/invitations/7': () => {
      list.invitations = [];
      return ok();
    },
  });
  await press('Create link');
  expect(screen.getByRole('alert').textContent).toBe('A name is required');
  await userEvent.type(screen.getByLabelText('Name'), ' Mira ');
  await userEvent.selectOptions(screen.getByLabelText('Role'), 'Viewer');
  await press('Create link');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'There is already an admin named Mira.',
  );
  expect(screen.getByLabelText('Name')).toHaveProperty('value', ' Mira ');
  answer = () => {
    list.invitations = [mira];
    return ok({ ...mira, token: 'secret-token' });
  };
  await press('Create link');
  const dialog = await screen.findByRole('dialog', { name: 'Invitation link for Mira' });
  expect(within(dialog).getByText(`${location.origin}/invite#secret-token`)).toBeTruthy();
  expect(within(dialog).getByRole('button', { name: 'Copy link' })).toBeTruthy();
  expect(dialog.textContent).toContain("If it's lost, invite Mira again.");
  expect(writes(sent).at(-1)?.body).toEqual({ username: 'Mira', role: 'viewer' });
  await press("I've sent it");
  expect(screen.queryByText(/secret-token/)).toBeNull();
  expect(screen.getByLabelText('Name')).toHaveProperty('value', '');
  await press('Withdraw the invitation of Mira');
  await press('Withdraw invitation');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Mira' })).toBeNull());
});

test('the link stays on the screen when another caller makes the list load again, and when that fails', async () => {
  const list: AdminList = { admins: [thora], invitations: [] };
  let away = false;
  await show(list, {
    'GET /api/admin/admins': () =>
      away ? refused(503, 'server.databaseAway', { seconds: 2 }) : ok(list),
    'POST /api/admin/invitations': () => ok({ ...mira, token: 'secret-token' }),
  });
  await userEvent.type(screen.getByLabelText('Name'), 'Mira');
  await press('Create link');
  await screen.findByText(/secret-token/);
  away = true;
  act(() => setCredentials({ access_key: null, admin_token: 'another' }));
  await waitFor(() =>
    expect(screen.queryByText("Admins couldn't be loaded.", { exact: false })).toBeTruthy(),
  );
  expect(screen.getByText(/secret-token/)).toBeTruthy();
  setCredentials({ access_key: null, admin_token: null });
});

test('returning to the page reloads the list; a failed reload shows an error and keeps the last list', async () => {
  const list: AdminList = { admins: [thora], invitations: [] };
  let away = false;
  await show(list, {
    'GET /api/admin/admins': () =>
      away ? refused(503, 'server.databaseAway', { seconds: 2 }) : ok(list),
  });
  list.admins = [thora, kael];
  act(() => void window.dispatchEvent(new Event('focus')));
  expect(await screen.findByRole('heading', { name: 'Kael' })).toBeTruthy();
  away = true;
  act(() => void window.dispatchEvent(new Event('focus')));
  expect((await screen.findByRole('alert')).textContent).toContain("Admins couldn't be loaded.");
  expect(row('Kael')).toBeTruthy();
  away = false;
  await press('Try again');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('shows another owner’s changes at once', async () => {
  const list: AdminList = { admins: [thora], invitations: [] };
  const sent = await show(list);
  const logged = (id: number, action: ActivityAction): void =>
    push({ op: 'put', kind: 'activity', record: anEntry({ id, action }) });
  list.invitations = [mira];
  logged(1, 'admin_invited');
  expect(await screen.findByRole('heading', { name: 'Mira' })).toBeTruthy();
  list.admins = [thora, { ...kael, username: 'Mira' }];
  list.invitations = [];
  logged(2, 'admin_added');
  await screen.findByText('No pending invitations.');
  expect(row('Mira').textContent).toContain('Admin since 21 Nov 2026');
  const before = reads(sent);
  logged(3, 'claim_deleted');
  logged(4, 'admin_login');
  expect(reads(sent)).toBe(before);
  list.admins = [thora];
  logged(5, 'admin_removed');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Mira' })).toBeNull());
});

test("after a reconnection, shows other admins' changes", async () => {
  const list: AdminList = { admins: [thora], invitations: [] };
  await show(list);
  act(() => setConnection('offline'));
  list.admins = [thora, kael];
  act(() => setConnection('live'));
  expect(await screen.findByRole('heading', { name: 'Kael' })).toBeTruthy();
});

test('only owners have the section', async () => {
  await show({ admins: [thora], invitations: [] });
  act(() => useSession.setState(({ admin }) => ({ admin: admin && { ...admin, role: 'admin' } })));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Admins' })).toBeNull());
  expect(screen.queryByRole('region', { name: 'Current admins' })).toBeNull();
});

test('a half-filled invitation is there again after another tab was open', async () => {
  mockServer({ 'GET /api/admin/admins': () => ok({ admins: [thora], invitations: [] }) });
  await openAdmin('/admin/dashboard/settings/admins', { config: [aConfig()] });
  await screen.findByRole('region', { name: 'Current admins' });
  const form = (): HTMLElement => screen.getByRole('form', { name: 'Invite an admin' });
  await userEvent.type(within(form()).getByLabelText('Name'), 'Mira');
  await userEvent.selectOptions(within(form()).getByLabelText('Role'), 'Viewer');
  goTo('/admin/dashboard/settings/guild');
  await screen.findByLabelText('Guild name');
  await userEvent.type(screen.getByLabelText('Guild name'), 'Night Watch');
  goTo('/admin/dashboard/settings/admins');
  expect(
    await within(await screen.findByRole('form', { name: 'Invite an admin' })).findByDisplayValue(
      'Mira',
    ),
  ).toBeTruthy();
  expect(within(form()).getByLabelText('Role')).toHaveProperty('value', 'viewer');
  goTo('/admin/dashboard/settings/guild');
  expect(await screen.findByDisplayValue('Night Watch')).toBeTruthy();
});

test('the checklist leads to an invitation with the role of an owner', async () => {
  mockServer({ 'GET /api/admin/admins': () => ok({ admins: [thora], invitations: [] }) });
  await openAdmin('/admin/dashboard/settings/admins?role=owner');
  expect(await screen.findByLabelText('Role')).toHaveProperty('value', 'owner');
});
