import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearBoard } from '../../../state/board-store.ts';
import { aKey, aType } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { push, showAdmin } from '../test/show-admin.tsx';
// Here before the first test, which would otherwise wait for it.
import './members-tab.tsx';

const vice = aType('vice', {
  background_color: '#e53e3e',
  guild_ranks: ['Vice Leader'],
  voucher_duration_hours: 6,
});
const scout = aType('scout', { background_color: '#fbd38d', is_system: 0, can_submit: 0 });

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function show(): Promise<void> {
  const access_key = [
    aKey({ member_type: 'scout' }),
    aKey({ id: 2, member_type: 'scout', character_name: 'Mira' }),
  ];
  showAdmin('/admin/dashboard/members', { member_type: [vice, scout], access_key });
  await screen.findByRole('region', { name: 'Member types' });
}
const cards = (): HTMLElement[] =>
  within(screen.getByRole('region', { name: 'Member types' })).getAllByRole('listitem');
const cardOf = (name: string): HTMLElement => {
  const card = cards().find((one) => within(one).queryByRole('heading', { name }));
  if (!card) throw new Error(`no card of ${name}`);
  return card;
};
const form = (): HTMLElement => screen.getByRole('form', { name: 'New member type' });
const field = (label: string): HTMLElement => within(form()).getByLabelText(label);
const enter = (label: string, value: string): void =>
  void fireEvent.change(field(label), { target: { value } });
const create = (): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name: 'Create member type' }));
const alerts = (): (string | null)[] =>
  screen.queryAllByRole('alert').map((alert) => alert.textContent);

describe('the cards', () => {
  test('show the permissions of each type, and how many use it', async () => {
    await show();
    expect(cardOf('vice').textContent).toContain('System');
    expect(cardOf('vice').textContent).toContain('Voucher hours6 hours');
    expect(cardOf('vice').textContent).toContain('Vice Leader');
    expect(cardOf('vice').textContent).toContain('0 keys, 0 claims on the board');
    expect(cardOf('scout').textContent).not.toContain('System');
    expect(cardOf('scout').textContent).toContain('Can submit claimsno');
    expect(cardOf('scout').textContent).toContain('2 keys, 0 claims on the board');
    // R5.5: only elite and vice can have them.
    expect(cardOf('vice').textContent).toContain('Can make secondary claimsyes');
    expect(cardOf('scout').textContent).not.toContain('secondary');
    const keys = within(cardOf('scout')).getByRole('link', { name: '2 keys' });
    expect(keys.getAttribute('href')).toBe('/admin/dashboard/keys?type=scout');
  });

  test('show the badge in white or black text, by the brightness of its colour (R6.2)', async () => {
    await show();
    const badge = (name: string): HTMLElement | null => {
      const [, text] = within(cardOf(name)).getAllByText(name);
      return text?.parentElement ?? null;
    };
    expect(badge('vice')?.style.color).toBe('#ffffff');
    expect(badge('scout')?.style.color).toBe('#000000');
  });

  test('follow another admin’s changes', async () => {
    await show();
    push({ op: 'put', kind: 'member_type', record: aType('bard', { is_system: 0 }) });
    expect(cardOf('bard')).toBeTruthy();
  });
});

describe('a new type', () => {
  test('is proposed with four hours, from today, in the default colour', async () => {
    await show();
    expect(field('Voucher hours')).toHaveProperty('value', '4');
    expect(field('Can submit from')).toHaveProperty('value', '2026-11-21');
    expect(field('Badge colour')).toHaveProperty('value', '#3182ce');
    expect(field('Can submit claims')).toHaveProperty('checked', true);
    expect(screen.queryByLabelText('Can make secondary claims')).toBeNull();
  });

  test('needs a name, 1 to 24 hours and a colour of 3 or 6 digits', async () => {
    const sent = mockServer({});
    await show();
    enter('Voucher hours', '25');
    enter('Badge colour', '#12');
    await create();
    await waitFor(() =>
      expect(alerts()).toEqual([
        'Member type name is required',
        'The colour must be a hex colour of 3 or 6 digits',
        'The voucher duration must be between 1 and 24 hours',
      ]),
    );
    enter('Voucher hours', '');
    await waitFor(() =>
      expect(alerts()).toContain('The voucher duration must be between 1 and 24 hours'),
    );
    enter('Can submit from', '');
    await waitFor(() => expect(alerts()).toContain('The field “Can submit from” is not valid.'));
    // One of a list's values.
    enter('Guild ranks that get this type', `Leader, ${'x'.repeat(61)}`);
    await waitFor(() =>
      expect(alerts()).toContain('The field “Guild ranks that get this type” is not valid.'),
    );
    expect(sent).toEqual([]);
  });

  test('shows its badge while it is made; the palette and the text are one colour', async () => {
    await show();
    enter('Name', 'bard');
    enter('Badge colour', '#abc');
    const badge = within(form()).getByText('bard').parentElement;
    expect(badge?.style.backgroundColor).toBe('#abc');
    expect(field('Pick a colour')).toHaveProperty('value', '#aabbcc');
    enter('Pick a colour', '#102030');
    expect(field('Badge colour')).toHaveProperty('value', '#102030');
    expect(badge?.style.color).toBe('#ffffff');
    await userEvent.clear(field('Badge colour'));
    await userEvent.type(field('Badge colour'), 'fff{Tab}');
    expect(field('Badge colour')).toHaveProperty('value', '#fff');
  });

  test('is created with all that was chosen, and named in the message', async () => {
    const sent = mockServer({
      'POST /api/admin/member-types': (body) => ok({ ...scout, ...Object(body) }),
    });
    await show();
    enter('Name', '  night   bard ');
    enter('Voucher hours', '8');
    enter('Guild ranks that get this type', 'Bard,  Old Bard, ');
    await create();
    expect(await screen.findByText("Member type 'night bard' created successfully")).toBeTruthy();
    expect(sent[0]?.body).toEqual({
      member_type: 'night bard',
      voucher_duration_hours: 8,
      can_submit: 1,
      earliest_submission_date: '2026-11-21',
      allow_secondary_claims: 1,
      background_color: '#3182ce',
      guild_ranks: ['Bard', 'Old Bard'],
      max_hours_per_day: null,
      max_hours_per_event: null,
    });
    expect(field('Name')).toHaveProperty('value', '');
  });

  test('that is refused stays as typed, with the reason at the field', async () => {
    mockServer({
      'POST /api/admin/member-types': () => refused(409, 'memberType.nameExists', { name: 'vice' }),
    });
    await show();
    enter('Name', 'Vice');
    await create();
    expect(await screen.findByText('Failed to create member type')).toBeTruthy();
    expect(field('Name')).toHaveProperty('value', 'Vice');
    expect(alerts()).toContain('There is already a member type named vice.');
  });

  test('whose rank earns another type is refused at the ranks', async () => {
    mockServer({
      'POST /api/admin/member-types': () =>
        refused(409, 'memberType.rankTaken', { rank: 'Bard', member_type: 'vice' }),
    });
    await show();
    enter('Name', 'bard');
    enter('Guild ranks that get this type', 'Bard');
    await create();
    await waitFor(() =>
      expect(alerts()).toContain('The guild rank Bard already gives the member type vice.'),
    );
    expect(field('Guild ranks that get this type').getAttribute('aria-invalid')).toBe('true');
  });

  test('says so when the network fails', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    await show();
    enter('Name', 'bard');
    await create();
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Failed to create member typeNetwork error. Please check your connection.',
    );
  });
});

describe('deleting', () => {
  const press = (name: string): Promise<void> =>
    userEvent.click(screen.getByRole('button', { name }));

  test('is not offered for system types', async () => {
    await show();
    expect(screen.queryByRole('button', { name: 'Delete vice' })).toBeNull();
    expect(cardOf('vice').textContent).toContain("Can't be deleted");
  });

  test('takes two steps, the first of which explains what keeps the name', async () => {
    const sent = mockServer({ 'DELETE /api/admin/member-types/scout': () => ok() });
    await show();
    await press('Delete scout');
    expect(sent).toEqual([]);
    expect(cardOf('scout').textContent).toContain(
      "2 keys and 0 claims on the board keep this type's name.",
    );
    expect(screen.getByRole('button', { name: 'Confirm Delete scout' }).textContent).toBe(
      'Confirm Delete',
    );
    await press('Confirm Delete scout');
    expect(await screen.findByText("Member type 'scout' deleted successfully")).toBeTruthy();
  });

  test('returns to the first step on Escape and on blur', async () => {
    await show();
    await press('Delete scout');
    await userEvent.keyboard('{Escape}');
    await press('Delete scout');
    await userEvent.tab();
    expect(screen.getByRole('button', { name: 'Delete scout' })).toBeTruthy();
  });

  test('reverts after a while', async () => {
    await show();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    fireEvent.click(screen.getByRole('button', { name: 'Delete scout' }));
    act(() => void vi.advanceTimersByTime(7_900));
    expect(screen.getByRole('button', { name: 'Confirm Delete scout' })).toBeTruthy();
    act(() => void vi.advanceTimersByTime(200));
    expect(screen.getByRole('button', { name: 'Delete scout' })).toBeTruthy();
  });

  test('a double click is not two steps', async () => {
    const sent = mockServer({});
    await show();
    fireEvent.click(screen.getByRole('button', { name: 'Delete scout' }), { detail: 1 });
    fireEvent.click(screen.getByRole('button', { name: 'Confirm Delete scout' }), { detail: 2 });
    expect(sent).toEqual([]);
  });

  test('that fails says why in the card', async () => {
    mockServer({
      'DELETE /api/admin/member-types/scout': () => refused(404, 'memberType.notFound'),
    });
    await show();
    await press('Delete scout');
    await press('Confirm Delete scout');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Failed to delete member typeThere is no such member type.',
    );
  });
});
