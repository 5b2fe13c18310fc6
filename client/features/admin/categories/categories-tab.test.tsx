import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { setCredentials } from '../../../api/request.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { dropAdmin } from '../../../state/session-store.ts';
import { aCategory, aRespawn } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { goTo, push, showAdmin } from '../test/show-admin.tsx';
// Here before the first test, which would otherwise wait for it.
import './categories-tab.tsx';

const general = aCategory(1, 'General');
const venore = aCategory(2, 'Venore');
const edron = aCategory(3, 'edron');
const inVenore = [
  aRespawn({ id: 1, category_id: 2 }),
  aRespawn({ id: 2, category_id: 2, is_enabled: 0 }),
];

beforeEach(clearBoard);
afterEach(() => vi.unstubAllGlobals());

async function show(): Promise<void> {
  const respawn = [
    ...inVenore,
    aRespawn({ id: 3, category_id: 1 }),
    aRespawn({ id: 4, category_id: null }),
  ];
  showAdmin('/admin/dashboard/categories', { category: [general, venore, edron], respawn });
  await screen.findByRole('region', { name: 'Categories' });
}
const rows = (): (string | null)[] =>
  within(screen.getByRole('region', { name: 'Categories' }))
    .getAllByRole('listitem')
    .map((row) => row.textContent);
const press = async (name: string): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name }));
const newName = (): HTMLElement => screen.getByLabelText('Category name');
const renaming = (): HTMLElement | null => screen.queryByLabelText('New name of Venore');

describe('the list', () => {
  test('sorts by name, with the spots of each, disabled ones included', async () => {
    await show();
    expect(rows()).toEqual([
      'edron' + 'no spots' + 'RenameDelete',
      'General' + 'Default' + '1 spot' + 'The default category cannot be deleted.' + 'Rename',
      'Venore' + '2 spots' + 'RenameDelete',
    ]);
    expect(screen.getByText('1 spot has no category.')).toBeTruthy();
  });

  test('follows another admin’s changes', async () => {
    await show();
    push({ op: 'put', kind: 'category', record: aCategory(2, 'Port Hope') });
    expect(rows()[2]).toContain('Port Hope2 spots');
  });
});

describe('adding', () => {
  test('needs a name', async () => {
    const sent = mockServer({});
    await show();
    await userEvent.type(newName(), '  {Enter}');
    expect(screen.getByRole('alert').textContent).toBe('Category name is required');
    expect(sent).toEqual([]);
  });

  test('says that it worked, and is ready for the next', async () => {
    const sent = mockServer({ 'POST /api/categories': () => ok(aCategory(4, 'Port Hope')) });
    await show();
    await userEvent.type(newName(), ' Port  Hope{Enter}');
    expect(await screen.findByText('Category added successfully')).toBeTruthy();
    expect(sent).toEqual([{ call: 'POST /api/categories', body: { name: 'Port Hope' } }]);
    expect(newName()).toHaveProperty('value', '');
    expect(document.activeElement).toBe(newName());
  });

  test('that is refused says why and keeps the input', async () => {
    mockServer({
      'POST /api/categories': () => refused(409, 'category.nameExists', { name: 'Venore' }),
    });
    await show();
    await userEvent.type(newName(), 'venore');
    await press('Add category');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Failed to add category: There is already a category named Venore.',
    );
    expect(newName()).toHaveProperty('value', 'venore');
  });
});

describe('renaming', () => {
  async function open(): Promise<HTMLElement> {
    await show();
    await press('Rename Venore');
    return screen.getByLabelText('New name of Venore');
  }
  async function type(text: string): Promise<void> {
    await userEvent.clear(screen.getByLabelText('New name of Venore'));
    await userEvent.type(screen.getByLabelText('New name of Venore'), text);
  }

  test('starts in the name, Enter saves, and the focus returns', async () => {
    const sent = mockServer({ 'PUT /api/categories/2': () => ok(aCategory(2, 'Port Hope')) });
    const name = await open();
    expect(document.activeElement).toBe(name);
    await type('Port Hope{Enter}');
    expect(await screen.findByText('Category updated successfully')).toBeTruthy();
    expect(sent).toEqual([{ call: 'PUT /api/categories/2', body: { name: 'Port Hope' } }]);
    expect(renaming()).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Rename Venore' }));
  });

  test('Enter and Escape of an input method neither save nor cancel', async () => {
    const sent = mockServer({});
    const name = await open();
    fireEvent.keyDown(name, { key: 'Enter', isComposing: true });
    fireEvent.keyDown(name, { key: 'Escape', isComposing: true });
    expect(renaming()).toBeTruthy();
    expect(sent).toEqual([]);
  });

  test('Escape and Cancel keep the old name', async () => {
    const sent = mockServer({});
    await open();
    await type('Port Hope{Escape}');
    expect(renaming()).toBeNull();
    await press('Rename Venore');
    expect(renaming()).toHaveProperty('value', 'Venore');
    await press('Cancel renaming Venore');
    expect(sent).toEqual([]);
  });

  test('needs a name', async () => {
    await open();
    await type(' {Enter}');
    expect(screen.getByRole('alert').textContent).toBe('Category name is required');
  });

  test('that is refused says why and keeps the input', async () => {
    mockServer({ 'PUT /api/categories/2': () => refused(404, 'category.notFound') });
    await open();
    await type('Port Hope{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Failed to update category: This category no longer exists.',
    );
    expect(renaming()).toHaveProperty('value', 'Port Hope');
    expect(document.activeElement).toBe(renaming());
  });

  test('does not overwrite another admin before a choice', async () => {
    const sent = mockServer({ 'PUT /api/categories/2': () => ok(venore) });
    await open();
    await type('Mine');
    push({ op: 'put', kind: 'category', record: aCategory(2, 'Theirs') });
    expect(screen.getByText('Another admin changed this category')).toBeTruthy();
    await userEvent.keyboard('{Enter}');
    expect(sent).toEqual([]);
    await press('Use theirs');
    expect(renaming()).toHaveProperty('value', 'Theirs');
    await type('Mine{Enter}');
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  test('a save that ends does not close an editor that was opened meanwhile', async () => {
    const answer = Promise.withResolvers<Response>();
    mockServer({ 'PUT /api/categories/2': () => answer.promise });
    await open();
    await type('Port Hope{Enter}');
    await press('Rename edron');
    await userEvent.type(screen.getByLabelText('New name of edron'), ' north');
    answer.resolve(ok(aCategory(2, 'Port Hope')));
    await waitFor(() => expect(renaming()).toBeNull());
    expect(screen.getByLabelText('New name of edron')).toHaveProperty('value', 'edron north');
  });

  test('keeps a category readable that another admin deletes during the edit', async () => {
    const sent = mockServer({});
    await open();
    await type('Mine');
    push({ op: 'remove', kind: 'category', id: 2 });
    expect(screen.getByRole('alert').textContent).toBe('Another admin deleted this category.');
    await userEvent.type(screen.getByLabelText('New name of Venore'), '{Enter}');
    expect(renaming()).toHaveProperty('value', 'Mine');
    expect(sent).toEqual([]);
  });
});

describe('deleting', () => {
  test('is not offered for the default category', async () => {
    await show();
    expect(screen.queryByRole('button', { name: 'Delete General' })).toBeNull();
  });

  test('says where its respawns go, as many as there are by then', async () => {
    mockServer({ 'DELETE /api/categories/2': () => ok() });
    await show();
    await press('Delete Venore');
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete Venore?' });
    expect(dialog.textContent).toContain('Its 2 spots move to the default category, General.');
    expect(dialog.textContent).toContain('You can restore it from the activity log');
    push({ op: 'remove', kind: 'respawn', id: 1 });
    expect(dialog.textContent).toContain('Its 1 spot moves to the default category, General.');
    await press('Delete category');
    expect(await screen.findByText('Category deleted successfully')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Categories' }));
  });

  test('that fails stays in the dialog with its reason', async () => {
    mockServer({ 'DELETE /api/categories/3': () => refused(404, 'category.notFound') });
    await show();
    await press('Delete edron');
    await press('Delete category');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Failed to delete category: This category no longer exists.',
    );
  });
});

describe('an open question', () => {
  const ask = async (): Promise<void> => {
    await show();
    await press('Delete Venore');
    await screen.findByRole('alertdialog');
  };

  test('closes with the session: the login has no modal above it', async () => {
    await ask();
    act(() => dropAdmin('session.expired'));
    expect(await screen.findByText('Login page')).toBeTruthy();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  test('closes when another caller takes over, as in another tab', async () => {
    await ask();
    act(() => setCredentials({ access_key: null, admin_token: 'another' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    setCredentials({ access_key: null, admin_token: null });
  });

  test("closes with its page, as by the browser's Back", async () => {
    await ask();
    goTo('/admin/dashboard/keys');
    await waitFor(() =>
      expect(screen.getByLabelText('address').textContent).toBe('/admin/dashboard/keys'),
    );
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});
