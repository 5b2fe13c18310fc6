import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aGifSized } from '../../../../shared/test/gifs.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { aCategory, anEntry, aRespawn } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { push, showAdmin } from '../test/show-admin.tsx';
// Here before the first test, which would otherwise wait for it.
import './respawns-tab.tsx';

const asura = aRespawn();
const brimstone = aRespawn({
  id: 2,
  name: 'Brimstone Cave',
  category_id: 1,
  category_name: 'General',
});
const all = {
  category: [aCategory(1, 'General'), aCategory(2, 'Port Hope')],
  respawn: [asura, brimstone],
};

beforeEach(clearBoard);
afterEach(() => vi.unstubAllGlobals());

const press = (name: string): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name }));
const nameField = (): HTMLElement | null => screen.queryByLabelText('Name of Asura Palace');
const enabled = (): HTMLElement => screen.getByLabelText('Asura Palace is enabled');
const category = (): HTMLElement => screen.getByLabelText('Category of Asura Palace');
const picture = (): HTMLElement => screen.getByLabelText('Picture of Asura Palace');
const gif = new File(['GIF89a'], 'new.gif', { type: 'image/gif' });

async function open(query = ''): Promise<void> {
  showAdmin(`/admin/dashboard/respawns${query}`, all);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Asura Palace' }));
}
async function rename(text: string): Promise<void> {
  await userEvent.clear(screen.getByLabelText('Name of Asura Palace'));
  await userEvent.type(screen.getByLabelText('Name of Asura Palace'), text);
}
const invalidFields = (): Element[] => [...document.querySelectorAll('[aria-invalid="true"]')];
const failure = async (): Promise<string | null> => (await screen.findByRole('alert')).textContent;

describe('editing in place', () => {
  test('starts in the name; Enter saves only changes, and the focus returns', async () => {
    const sent = mockServer({
      'PUT /api/admin/respawns/1': () => ok({ ...asura, name: 'Asura Vaults' }),
    });
    await open();
    expect(document.activeElement).toBe(nameField());
    await rename(' Asura  Vaults{Enter}');
    expect(await screen.findByText('Respawn updated successfully')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy();
    expect(sent).toEqual([{ call: 'PUT /api/admin/respawns/1', body: { name: 'Asura Vaults' } }]);
    expect(nameField()).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit Asura Palace' }));
  });

  test('a save without changes offers no undo, which would be of an earlier edit', async () => {
    const sent = mockServer({});
    await open();
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByText('Respawn updated successfully')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(sent).toEqual([]);
  });

  test('Escape and Cancel change nothing', async () => {
    const sent = mockServer({});
    await open();
    await rename('Asura Vaults{Escape}');
    expect(nameField()).toBeNull();
    await press('Edit Asura Palace');
    expect(nameField()).toHaveProperty('value', 'Asura Palace');
    await press('Cancel editing Asura Palace');
    expect(sent).toEqual([]);
  });

  test('of fields and category is one call, which the message undoes', async () => {
    const edited = { ...asura, name: 'Asura Vaults', is_enabled: 0 as const, category_id: null };
    const sent = mockServer({
      'PUT /api/admin/respawns/1': () => ok(edited),
      'POST /api/admin/activity-log/60/undo': () => ok({ restored_claims: 0, left_claims: 0 }),
    });
    await open();
    await rename('Asura Vaults');
    await userEvent.click(enabled());
    await userEvent.selectOptions(category(), 'No category');
    await press('Save Asura Palace');
    expect(await screen.findByText('Respawn updated successfully')).toBeTruthy();
    expect(sent).toEqual([
      {
        call: 'PUT /api/admin/respawns/1',
        body: { name: 'Asura Vaults', is_enabled: 0, category_id: null },
      },
    ]);
    const details = { respawn_id: 1, name: 'Asura Vaults', changed: {} };
    push({
      op: 'put',
      kind: 'activity',
      record: anEntry({ id: 60, action: 'respawn_updated', details, undo: 'possible' }),
    });
    await press('Undo');
    await waitFor(() => expect(sent.at(-1)?.call).toBe('POST /api/admin/activity-log/60/undo'));
  });

  test('of the category alone is its own call', async () => {
    const sent = mockServer({
      'PUT /api/admin/respawns/1/category': () => ok({ ...asura, category_id: 1 }),
    });
    await open();
    await userEvent.selectOptions(category(), 'General');
    await press('Save Asura Palace');
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeTruthy();
    expect(sent).toEqual([
      { call: 'PUT /api/admin/respawns/1/category', body: { category_id: 1 } },
    ]);
  });

  test('sends the picture last, and offers no undo of it', async () => {
    const sent = mockServer({
      'PUT /api/admin/respawns/1': () => ok({ ...asura, is_enabled: 0, category_id: null }),
      'PUT /api/admin/respawns/1/image': () =>
        ok({ image: 'new.gif', image_url: '/assets/respawns/new.gif' }),
    });
    await open();
    await userEvent.click(enabled());
    await userEvent.selectOptions(category(), 'No category');
    await userEvent.upload(picture(), gif);
    await press('Save Asura Palace');
    await waitFor(() => expect(nameField()).toBeNull());
    // An undo of one of the entries would leave the other.
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(sent).toEqual([
      { call: 'PUT /api/admin/respawns/1', body: { is_enabled: 0, category_id: null } },
      { call: 'PUT /api/admin/respawns/1/image', body: undefined },
    ]);
  });

  test('needs a name and a .gif', async () => {
    const sent = mockServer({});
    await open();
    await rename(' {Enter}');
    expect(await failure()).toBe('Respawn name is required');
    await rename('Asura');
    fireEvent.change(picture(), { target: { files: [new File(['x'], 'new.png')] } });
    await press('Save Asura Palace');
    expect(await failure()).toBe('Only .gif images are accepted.');
    fireEvent.change(picture(), {
      target: { files: [new File([aGifSized([64, 64], [1, 1_025])], 'new.gif')] },
    });
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Save Asura Palace');
    expect(await failure()).toMatch(/^This .gif has too many pixels: at most 1,024 per side/);
    expect(sent).toEqual([]);
  });

  test('another row doesn’t open while there is unsaved input', async () => {
    await open();
    await rename('Asura Vaults');
    await press('Edit Brimstone Cave');
    expect(screen.getByText("Save or cancel the row you're editing first.")).toBeTruthy();
    expect(nameField()).toHaveProperty('value', 'Asura Vaults');
    await press('Cancel editing Asura Palace');
    await press('Edit Brimstone Cave');
    expect(screen.getByLabelText('Name of Brimstone Cave')).toHaveProperty(
      'value',
      'Brimstone Cave',
    );
  });
});

describe('a refusal', () => {
  test('of the name keeps the row open with the input', async () => {
    mockServer({
      'PUT /api/admin/respawns/1': () =>
        refused(409, 'respawn.nameExists', { name: 'Brimstone Cave' }),
    });
    await open();
    await rename('brimstone cave{Enter}');
    expect(await failure()).toBe(
      'Failed to update respawn: There is already a spot named Brimstone Cave.',
    );
    expect(nameField()).toHaveProperty('value', 'brimstone cave');
  });

  test('of the picture shows the saved fields, and a second attempt sends only the rest', async () => {
    let refusing = true;
    const sent = mockServer({
      'PUT /api/admin/respawns/1': () => ok({ ...asura, name: 'Asura Vaults' }),
      'PUT /api/admin/respawns/1/image': () =>
        refusing
          ? refused(415, 'respawn.notGif')
          : ok({ image: 'new.gif', image_url: '/assets/respawns/new.gif' }),
    });
    await open();
    await rename('Asura Vaults');
    await userEvent.upload(picture(), gif);
    await press('Save Asura Palace');
    expect(await failure()).toBe(
      'Failed to update respawn image' + 'Only .gif images are accepted.' + 'Saved so far: Name.',
    );
    push({ op: 'put', kind: 'respawn', record: { ...asura, name: 'Asura Vaults' } });
    expect(screen.queryByText('Another admin changed this spot')).toBeNull();
    refusing = false;
    await press('Save Asura Vaults');
    await waitFor(() => expect(screen.queryByLabelText('Name of Asura Vaults')).toBeNull());
    expect(sent.map(({ call }) => call)).toEqual([
      'PUT /api/admin/respawns/1',
      'PUT /api/admin/respawns/1/image',
      'PUT /api/admin/respawns/1/image',
    ]);
  });

  test('of the category says so, and nothing was stored', async () => {
    const sent = mockServer({
      'PUT /api/admin/respawns/1/category': () => refused(404, 'category.notFound'),
    });
    await open();
    await userEvent.upload(picture(), gif);
    await userEvent.selectOptions(category(), 'General');
    await press('Save Asura Palace');
    expect(await failure()).toBe(
      'Failed to update respawn category' + 'This category no longer exists.',
    );
    expect(category()).toHaveProperty('value', '1');
    expect(invalidFields()).toEqual([category()]);
    expect(sent.map(({ call }) => call)).toEqual(['PUT /api/admin/respawns/1/category']);
  });

  test.each([
    ['its category', 404, 'category.notFound', category],
    ['its name', 409, 'respawn.nameExists', nameField],
  ] as const)(
    'of name and category is at the field that it names: %s',
    async (_field, status, code, field) => {
      mockServer({ 'PUT /api/admin/respawns/1': () => refused(status, code, { name: 'Mine' }) });
      await open();
      await rename('Mine');
      await userEvent.selectOptions(category(), 'General');
      await press('Save Asura Palace');
      expect(await failure()).toMatch(/^Failed to update respawn/);
      expect(invalidFields()).toEqual([field()]);
      expect(nameField()).toHaveProperty('value', 'Mine');
      expect(category()).toHaveProperty('value', '1');
    },
  );
});

describe('a row that another admin changes during the edit', () => {
  test('is not overwritten before a choice', async () => {
    const sent = mockServer({ 'PUT /api/admin/respawns/1': () => ok(asura) });
    await open();
    await rename('Mine');
    push({
      op: 'put',
      kind: 'respawn',
      record: { ...asura, name: 'Theirs', category_id: 1, image: 'other.gif' },
    });
    const notice = screen.getByText('Another admin changed this spot').parentElement;
    expect(notice?.textContent).toContain('Picturenew picture');
    expect(notice?.textContent).toContain('NameTheirs');
    expect(notice?.textContent).toContain('CategoryGeneral');
    await userEvent.keyboard('{Enter}');
    expect(sent).toEqual([]);
    await press('Keep mine');
    expect(screen.getByLabelText('Name of Theirs')).toHaveProperty('value', 'Mine');
    await press('Save Theirs');
    await waitFor(() =>
      expect(sent).toEqual([{ call: 'PUT /api/admin/respawns/1', body: { name: 'Mine' } }]),
    );
  });

  test('asks nothing for a claim more, and stays though the filter has it no longer', async () => {
    await open('?enabled=1');
    await rename('Mine');
    push({ op: 'put', kind: 'respawn', record: { ...asura, total_claims: 5 } });
    expect(screen.queryByText('Another admin changed this spot')).toBeNull();
    push({ op: 'put', kind: 'respawn', record: { ...asura, is_enabled: 0 } });
    expect(nameField()).toHaveProperty('value', 'Mine');
    await press('Use theirs');
    expect(enabled()).toHaveProperty('checked', false);
  });

  test('is followed while nothing was typed', async () => {
    await open();
    push({ op: 'put', kind: 'respawn', record: { ...asura, is_enabled: 0 } });
    await waitFor(() => expect(enabled()).toHaveProperty('checked', false));
    expect(
      screen.getByText("Another admin just changed this spot. You're seeing the new version."),
    ).toBeTruthy();
  });

  test('keeps the input when its record is deleted, and can’t be saved', async () => {
    await open();
    await rename('Mine');
    push({ op: 'remove', kind: 'respawn', id: 1 });
    expect(screen.getByRole('alert').textContent).toBe('Another admin deleted this spot.');
    expect(nameField()).toHaveProperty('value', 'Mine');
    expect(screen.getByRole('button', { name: 'Save Asura Palace' })).toHaveProperty(
      'disabled',
      true,
    );
  });
});
