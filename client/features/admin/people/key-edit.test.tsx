import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearBoard } from '../../../state/board-store.ts';
import { aKey } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { openAdmin, push } from '../test/show-admin.tsx';
// Loaded already, so that no test waits for it.
import './people-list.tsx';

const arden = aKey();
const jorun = aKey({ id: 3, character_name: 'Jorun Pike', is_revoked: 1 });

beforeEach(clearBoard);
afterEach(() => vi.unstubAllGlobals());

const types = (): HTMLElement | null => screen.queryByLabelText('Member type of Arden Vale');
const editButton = (): HTMLElement =>
  screen.getByRole('button', { name: 'Edit member type of Arden Vale' });

async function startEdit(address = '/admin/dashboard/keys'): Promise<HTMLElement> {
  await openAdmin(address, { access_key: [arden, jorun] });
  await userEvent.click(editButton());
  return screen.getByLabelText('Member type of Arden Vale');
}

test('only active keys have their type edited', async () => {
  await openAdmin('/admin/dashboard/keys', { access_key: [arden, jorun] });
  expect(screen.queryByRole('button', { name: 'Edit member type of Jorun Pike' })).toBeNull();
});

test('the row starts at its type, and Enter saves', async () => {
  const sent = mockServer({
    'PUT /api/admin/access-keys/1/member-type': () => ok({ ...arden, member_type: 'elite' }),
  });
  const select = await startEdit();
  expect(document.activeElement).toBe(select);
  await userEvent.selectOptions(select, 'elite');
  select.focus();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByText('Access key member type updated successfully')).toBeTruthy();
  expect(sent[0]?.body).toEqual({ memberType: 'elite' });
  expect(types()).toBeNull();
  expect(document.activeElement).toBe(editButton());
});

test('Escape cancels and gives the focus back', async () => {
  const sent = mockServer({});
  const select = await startEdit();
  await userEvent.selectOptions(select, 'elite');
  await userEvent.keyboard('{Escape}');
  expect(types()).toBeNull();
  expect(sent).toEqual([]);
  expect(document.activeElement).toBe(editButton());
});

test('Save and Cancel are buttons', async () => {
  mockServer({ 'PUT /api/admin/access-keys/1/member-type': () => ok(arden) });
  await startEdit();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel editing Arden Vale' }));
  expect(types()).toBeNull();
  await userEvent.click(editButton());
  await userEvent.click(screen.getByRole('button', { name: 'Save member type of Arden Vale' }));
  await waitFor(() => expect(types()).toBeNull());
});

test('a refusal is shown below the row, which keeps its old value', async () => {
  mockServer({ 'PUT /api/admin/access-keys/1/member-type': () => refused(409, 'key.notActive') });
  await userEvent.selectOptions(await startEdit(), 'vice');
  await userEvent.click(screen.getByRole('button', { name: 'Save member type of Arden Vale' }));
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Failed to update access key member type: Only active keys can have their member type edited.',
  );
  expect(types()).toHaveProperty('value', 'vice');
});

test('live changes do not lose an open row, not even ones that filter it out', async () => {
  const select = await startEdit('/admin/dashboard/keys?active=1');
  await userEvent.selectOptions(select, 'vice');
  push(
    { op: 'put', kind: 'access_key', record: aKey({ id: 8, character_name: 'Tessa Wynn' }) },
    { op: 'put', kind: 'access_key', record: { ...arden, is_revoked: 1 } },
  );
  expect(types()).toBe(select);
  expect(types()).toHaveProperty('value', 'vice');
});

describe('a key that another admin changes during the edit', () => {
  test('is not overwritten before a choice', async () => {
    const sent = mockServer({
      'PUT /api/admin/access-keys/1/member-type': () => ok({ ...arden, member_type: 'vice' }),
    });
    const select = await startEdit();
    await userEvent.selectOptions(select, 'vice');
    push({ op: 'put', kind: 'access_key', record: { ...arden, member_type: 'elite' } });
    const notice = screen.getByText('Another admin changed this key').parentElement;
    expect(notice?.textContent).toContain('Typeelite');
    await userEvent.click(screen.getByRole('button', { name: 'Save member type of Arden Vale' }));
    expect(sent).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Use theirs' }));
    expect(types()).toHaveProperty('value', 'elite');
    await userEvent.selectOptions(select, 'vice');
    await userEvent.click(screen.getByRole('button', { name: 'Save member type of Arden Vale' }));
    await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ memberType: 'vice' }]));
  });

  test('is followed while its type was not touched', async () => {
    await startEdit();
    push({ op: 'put', kind: 'access_key', record: { ...arden, member_type: 'elite' } });
    await waitFor(() => expect(types()).toHaveProperty('value', 'elite'));
    expect(
      screen.getByText("Another admin just changed this key. You're seeing the new version."),
    ).toBeTruthy();
  });

  test('keeps the choice when its record is deleted, and can’t be saved', async () => {
    await userEvent.selectOptions(await startEdit(), 'vice');
    push({ op: 'remove', kind: 'access_key', id: 1 });
    expect(screen.getByRole('alert').textContent).toBe('Another admin deleted this key.');
    expect(types()).toHaveProperty('value', 'vice');
    expect(screen.getByRole('button', { name: 'Save member type of Arden Vale' })).toHaveProperty(
      'disabled',
      true,
    );
  });
});

test('another row is not opened over an unsaved choice', async () => {
  await openAdmin('/admin/dashboard/keys', {
    access_key: [arden, aKey({ id: 4, character_name: 'Mira Stormcrow' })],
  });
  await userEvent.click(editButton());
  await userEvent.selectOptions(screen.getByLabelText('Member type of Arden Vale'), 'vice');
  await userEvent.click(screen.getByRole('button', { name: 'Edit member type of Mira Stormcrow' }));
  expect(screen.getByText("Save or cancel the row you're editing first.")).toBeTruthy();
  expect(types()).toHaveProperty('value', 'vice');
});
