import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearBoard } from '../../../state/board-store.ts';
import { aType } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { push, showAdmin } from '../test/show-admin.tsx';
// Here before the first test, which would otherwise wait for it.
import './members-tab.tsx';

const vice = aType('vice', { background_color: '#e53e3e', guild_ranks: ['Vice Leader'] });

beforeEach(clearBoard);
afterEach(() => vi.unstubAllGlobals());

const editor = (): HTMLElement => screen.getByRole('form', { name: 'Edit vice' });
const field = (label: string): HTMLElement => within(editor()).getByLabelText(label);
const enter = (label: string, value: string): void =>
  void fireEvent.change(field(label), { target: { value } });
const press = (name: string): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name }));

async function open(): Promise<void> {
  showAdmin('/admin/dashboard/members', { member_type: [vice] });
  await userEvent.click(await screen.findByRole('button', { name: 'Edit vice' }));
}

test('Save sends each changed field only, and gives the focus back', async () => {
  const sent = mockServer({ 'PUT /api/admin/member-types/vice': () => ok(vice) });
  await open();
  expect(document.activeElement).toBe(field('Badge colour'));
  enter('Voucher hours', '6');
  await userEvent.click(field('Can make secondary claims'));
  await press('Save vice');
  expect(await screen.findByText('Member type updated successfully')).toBeTruthy();
  expect(sent).toEqual([
    {
      call: 'PUT /api/admin/member-types/vice',
      body: { voucher_duration_hours: 6, allow_secondary_claims: 0 },
    },
  ]);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit vice' }));
});

test('Enter saves; ranks are sent as a list', async () => {
  const sent = mockServer({ 'PUT /api/admin/member-types/vice': () => ok(vice) });
  await open();
  await userEvent.type(field('Guild ranks that get this type'), ', Right Hand{Enter}');
  await waitFor(() =>
    expect(sent[0]?.body).toEqual({ guild_ranks: ['Vice Leader', 'Right Hand'] }),
  );
});

test('nothing changed, nothing is sent', async () => {
  const sent = mockServer({});
  await open();
  enter('Badge colour', '#E53E3E');
  await press('Save vice');
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Edit vice' })).toBeNull());
  expect(sent).toEqual([]);
});

test('Cancel and Escape discard the input', async () => {
  const sent = mockServer({});
  await open();
  enter('Voucher hours', '9');
  await press('Cancel editing vice');
  await press('Edit vice');
  expect(field('Voucher hours')).toHaveProperty('value', '4');
  enter('Voucher hours', '9');
  field('Voucher hours').focus();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('form', { name: 'Edit vice' })).toBeNull();
  expect(sent).toEqual([]);
});

test('a refusal keeps the input and says why', async () => {
  mockServer({ 'PUT /api/admin/member-types/vice': () => refused(404, 'memberType.notFound') });
  await open();
  enter('Voucher hours', '9');
  await press('Save vice');
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Failed to update member typeThere is no such member type.',
  );
  expect(field('Voucher hours')).toHaveProperty('value', '9');
});

test('a change by another admin is not overwritten before a choice', async () => {
  const sent = mockServer({ 'PUT /api/admin/member-types/vice': () => ok(vice) });
  await open();
  enter('Voucher hours', '9');
  push({
    op: 'put',
    kind: 'member_type',
    record: { ...vice, voucher_duration_hours: 12, can_submit: 0 },
  });
  const notice = (await screen.findByText('Another admin changed this member type')).parentElement;
  expect(notice?.textContent).toContain('Voucher hours12 hours');
  expect(notice?.textContent).toContain('Can submit claimsno');
  await press('Save vice');
  expect(sent).toEqual([]);
  await press('Keep mine');
  expect(field('Voucher hours')).toHaveProperty('value', '9');
  expect(field('Can submit claims')).toHaveProperty('checked', false);
  await press('Save vice');
  await waitFor(() =>
    expect(sent.map(({ body }) => body)).toEqual([{ voucher_duration_hours: 9 }]),
  );
});

test('an untouched form follows', async () => {
  await open();
  push({ op: 'put', kind: 'member_type', record: { ...vice, voucher_duration_hours: 12 } });
  await waitFor(() => expect(field('Voucher hours')).toHaveProperty('value', '12'));
  expect(
    screen.getByText("Another admin just changed this member type. You're seeing the new version."),
  ).toBeTruthy();
});

test('a type that is deleted while it is edited stays to be read, and cannot be saved', async () => {
  await open();
  enter('Voucher hours', '9');
  push({ op: 'remove', kind: 'member_type', id: 'vice' });
  expect(screen.getByRole('alert').textContent).toBe('Another admin deleted this member type.');
  expect(field('Voucher hours')).toHaveProperty('value', '9');
  expect(screen.getByRole('button', { name: 'Save vice' })).toHaveProperty('disabled', true);
  await press('Cancel editing vice');
  expect(screen.queryByRole('heading', { name: 'vice' })).toBeNull();
});
