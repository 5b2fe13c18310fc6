import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aGifSized } from '../../../../shared/test/gifs.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { aCategory, anEntry, aRespawn, aWait } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { push, showAdmin } from '../test/show-admin.tsx';
// Here before the first test, which would otherwise wait for it.
import './respawns-tab.tsx';

const asura = aRespawn({ total_claims: 12, last_claim_date: '2026-11-20' });
const brimstone = aRespawn({
  id: 2,
  name: 'Brimstone Cave',
  category_id: 1,
  category_name: 'General',
  is_enabled: 0,
  total_claims: 3,
});
const carnivora = aRespawn({
  id: 3,
  name: 'Carnivora Rocks',
  category_id: null,
  category_name: null,
});
const all = {
  category: [aCategory(1, 'General'), aCategory(2, 'Port Hope')],
  respawn: [carnivora, asura, brimstone],
};

beforeEach(clearBoard);
afterEach(() => vi.unstubAllGlobals());

async function show(query = '', snapshot: object = all): Promise<void> {
  showAdmin(`/admin/dashboard/respawns${query}`, snapshot);
  await screen.findByRole('form', { name: 'New spot' });
}
const names = (): (string | null | undefined)[] =>
  screen
    .queryAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector('td')?.textContent);
const rowOf = (name: string): HTMLElement => screen.getByRole('row', { name: new RegExp(name) });
const press = async (name: string | RegExp): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name }));
const address = (): string | null => screen.getByLabelText('address').textContent;

describe('a new respawn', () => {
  const form = (): HTMLElement => screen.getByRole('form', { name: 'New spot' });
  const name = (): HTMLElement => within(form()).getByLabelText('Name');
  const picture = (): HTMLElement => within(form()).getByLabelText('Picture');
  const gif = new File(['GIF89a'], 'nest.gif', { type: 'image/gif' });
  const alerts = (): (string | null)[] =>
    screen.queryAllByRole('alert').map((alert) => alert.textContent);

  test('needs a name and a picture', async () => {
    const sent = mockServer({});
    await show();
    await press('Create spot');
    expect(alerts()).toEqual(['Respawn name is required', 'A .gif image is required']);
    expect(document.activeElement).toBe(name());
    expect(sent).toEqual([]);
  });

  test('the picker offers only .gif, and a dropped file is checked before the upload', async () => {
    const sent = mockServer({});
    await show();
    expect(picture()).toHaveProperty('accept', '.gif');
    await userEvent.type(name(), 'Nest');
    fireEvent.change(picture(), { target: { files: [new File(['x'], 'nest.png')] } });
    await waitFor(() => expect(alerts()).toEqual(['Only .gif images are accepted.']));
    fireEvent.change(picture(), {
      target: { files: [new File([new Uint8Array(2.5 * 1024 * 1024)], 'nest.gif')] },
    });
    await waitFor(() => expect(alerts()).toEqual(['The picture is 2.5 MiB. The limit is 2 MiB.']));
    await press('Create spot');
    fireEvent.change(picture(), {
      target: { files: [new File([aGifSized([1_025, 1])], 'nest.gif')] },
    });
    await waitFor(() =>
      expect(alerts()).toEqual([
        expect.stringMatching(/^This .gif has too many pixels: at most 1,024 per side/),
      ]),
    );
    await press('Create spot');
    expect(sent).toEqual([]);
    fireEvent.change(picture(), {
      target: { files: [new File([aGifSized([1_024, 1])], 'nest.gif')] },
    });
    await waitFor(() => expect(alerts()).toEqual([]));
  });

  test('a next name typed during the upload stays', async () => {
    let answer = (): void => {};
    vi.stubGlobal('fetch', async () => {
      await new Promise<void>((done) => {
        answer = done;
      });
      return ok(aRespawn({ id: 9, name: 'Nest' }));
    });
    await show();
    await userEvent.type(name(), 'Nest');
    await userEvent.upload(picture(), gif);
    await press('Create spot');
    await userEvent.clear(name());
    await userEvent.type(name(), 'Next nest');
    answer();
    expect(await screen.findByText('Respawn created successfully')).toBeTruthy();
    expect(name()).toHaveProperty('value', 'Next nest');
    expect(form().querySelector('img')).toBeNull();
  });

  test('is sent as a form with its name, category and picture, which was shown before', async () => {
    const forms: FormData[] = [];
    vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit) => {
      if (body instanceof FormData) forms.push(body);
      return ok(aRespawn({ id: 9, name: 'Nest' }));
    });
    await show();
    await userEvent.type(name(), ' Hidden  Nest');
    await userEvent.upload(picture(), gif);
    expect(form().querySelector('img')?.getAttribute('src')).toMatch(/^blob:/);
    await userEvent.selectOptions(within(form()).getByLabelText('Category'), 'Port Hope');
    await press('Create spot');
    expect(await screen.findByText('Respawn created successfully')).toBeTruthy();
    expect(Object.fromEntries(forms[0] ?? [])).toMatchObject({
      name: 'Hidden Nest',
      category_id: '2',
    });
    const sent = forms[0]?.get('image');
    expect(sent instanceof File && sent.name).toBe('nest.gif');
    expect(name()).toHaveProperty('value', '');
    expect(form().querySelector('img')).toBeNull();
  });

  test('shows status and reason of a refusal and keeps all input', async () => {
    mockServer({ 'POST /api/respawns/admin': () => refused(415, 'respawn.notGif') });
    await show();
    await userEvent.type(name(), 'Nest');
    await userEvent.upload(picture(), gif);
    await press('Create spot');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Failed to create respawn: 415 Only .gif images are accepted.',
    );
    expect(name()).toHaveProperty('value', 'Nest');
    expect(form().textContent).toContain('nest.gif');
  });

  test('says so when the network fails', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    await show();
    await userEvent.type(name(), 'Nest');
    await userEvent.upload(picture(), gif);
    await press('Create spot');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Failed to create respawn: Network error. Please check your connection.',
    );
  });
});

describe('the table', () => {
  test('holds all, disabled ones too, by name', async () => {
    await show();
    expect(names()).toEqual(['Asura Palace', 'Brimstone Cave', 'Carnivora Rocks']);
    expect(rowOf('Asura Palace').textContent).toContain('EnabledPort Hope1220 Nov 2026');
    expect(rowOf('Brimstone Cave').textContent).toContain('DisabledGeneral3never');
    expect(rowOf('Carnivora Rocks').textContent).toContain('No category');
    expect(rowOf('Asura Palace').querySelector('img')?.getAttribute('src')).toBe(
      '/assets/respawns/asura-palace.gif',
    );
    expect(screen.getByText('3 spots')).toBeTruthy();
  });

  test('sorts by its headings, and the address keeps it', async () => {
    await show();
    await press(/^Claims/);
    expect(names()).toEqual(['Carnivora Rocks', 'Brimstone Cave', 'Asura Palace']);
    await press(/^Claims/);
    expect(names()).toEqual(['Asura Palace', 'Brimstone Cave', 'Carnivora Rocks']);
    await press(/^Spot/);
    await press(/^Spot/);
    expect(names()).toEqual(['Carnivora Rocks', 'Brimstone Cave', 'Asura Palace']);
    await waitFor(() => expect(address()).toBe('/admin/dashboard/respawns?sort=-name'));
  });

  test('is searched and filtered, and the address keeps it', async () => {
    await show();
    await userEvent.type(screen.getByLabelText('Search spots'), 'a');
    await userEvent.selectOptions(screen.getByLabelText('Filter by category'), 'General');
    await userEvent.selectOptions(screen.getByLabelText('Filter by status'), 'Disabled only');
    await waitFor(() => expect(names()).toEqual(['Brimstone Cave']));
    expect(screen.getByText('1 of 3 spots')).toBeTruthy();
    await waitFor(() =>
      expect(address()).toBe('/admin/dashboard/respawns?search=a&category=1&enabled=0'),
    );
  });

  test('is shown as the address says', async () => {
    await show('?category=none');
    expect(names()).toEqual(['Carnivora Rocks']);
  });

  test('offers a way back when nothing matches', async () => {
    await show('?search=nowhere&enabled=1');
    expect(screen.getByText('No matching spots')).toBeTruthy();
    await press('Clear search and filters');
    expect(names()).toHaveLength(3);
  });

  test('an empty list explains how to add one', async () => {
    await show('', { respawn: [] });
    expect(screen.getByText('No spots yet')).toBeTruthy();
  });

  test('follows another admin’s changes', async () => {
    await show();
    push(
      { op: 'put', kind: 'category', record: aCategory(2, 'Port of Hope') },
      { op: 'remove', kind: 'respawn', id: 2 },
    );
    expect(rowOf('Asura Palace').textContent).toContain('Port of Hope');
    expect(names()).toEqual(['Asura Palace', 'Carnivora Rocks']);
  });
});

describe('deleting', () => {
  test('shows live how many claims are deleted and can be restored, and offers undo', async () => {
    mockServer({
      'DELETE /api/admin/respawns/1': () => ok(),
      'POST /api/admin/activity-log/60/undo': () => ok({ restored_claims: 12, left_claims: 0 }),
    });
    await show();
    await press('Delete Asura Palace');
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete Asura Palace?' });
    expect(within(dialog).getByText(/^Are you sure/).textContent).toBe(
      'Are you sure you want to delete this respawn? This action cannot be undone.',
    );
    expect(dialog.textContent).toContain('Its 12 claims are deleted with it.');
    expect(dialog.textContent).not.toContain('waitlist');
    push({ op: 'put', kind: 'wait', record: aWait({ id: 1, respawn_id: 1 }) });
    push({ op: 'put', kind: 'wait', record: aWait({ id: 2, respawn_id: 2 }) });
    expect(dialog.textContent).toContain(
      '1 waitlist entry is cancelled, and restored with the spot.',
    );
    expect(dialog.textContent).toContain(
      'You can restore it from the activity log, with its picture and its claims.',
    );
    push({ op: 'put', kind: 'respawn', record: { ...asura, total_claims: 20_001 } });
    expect(dialog.textContent).toContain("With so many claims, the spot can't be restored.");
    push({ op: 'put', kind: 'respawn', record: { ...asura, total_claims: 1 } });
    expect(dialog.textContent).toContain('Its 1 claim is deleted with it.');
    push({ op: 'put', kind: 'respawn', record: { ...asura, total_claims: 0 } });
    expect(dialog.textContent).toContain(
      'It has no claims. You can restore it from the activity log, with its picture.',
    );
    await press('Delete spot');
    expect(await screen.findByText('Respawn deleted successfully')).toBeTruthy();
    const details = { respawn_id: 1, name: 'Asura Palace', claim_count: 12 };
    push({
      op: 'put',
      kind: 'activity',
      record: anEntry({ id: 60, action: 'respawn_deleted', details, undo: 'possible' }),
    });
    await press('Undo');
    expect(await screen.findByText('Spot and 12 claims restored')).toBeTruthy();
  });

  test('that fails stays in the dialog with its reason', async () => {
    mockServer({ 'DELETE /api/admin/respawns/1': () => refused(404, 'respawn.notFound') });
    await show();
    await press('Delete Asura Palace');
    await press('Delete spot');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Failed to delete respawn' + 'This spot no longer exists.',
    );
  });
});
