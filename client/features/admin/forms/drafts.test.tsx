import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearBoard } from '../../../state/board-store.ts';
import { type SessionState, useSession } from '../../../state/session-store.ts';
import { aCategory, aClaim, aDestination, anActiveEvent, aRespawn } from '../../../test/records.ts';
import { mockServer, ok } from '../test/server.ts';
import { goTo, openAdmin, pressAction, push } from '../test/show-admin.tsx';
// Loaded already, so that no test waits for them.
import '../categories/categories-tab.tsx';
import '../claims/claims-tab.tsx';
import '../notifications/notifications-tab.tsx';
import '../respawns/respawns-tab.tsx';

const event = anActiveEvent();
const board = {
  category: [aCategory(1, 'General'), aCategory(2, 'Deep')],
  claim: [aClaim({ event_id: event.id })],
  destination: [aDestination({ id: 4, name: 'War room' })],
  event: [event],
  respawn: [aRespawn(), aRespawn({ id: 2, name: 'Fire Library' })],
};

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
  mockServer({
    'GET /api/admin/claims?except_event=1&from=2026-11-21&limit=1': () => ok([]),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const TAB = '/admin/dashboard';
const change = (session: Partial<SessionState>): Promise<void> =>
  act(async () => useSession.setState(session));
const endSession = (): Promise<void> =>
  change({ admin: null, ended: [{ who: null, code: 'session.expired' }] });
const signOut = (): Promise<void> => change({ admin: null, ended: [] });
const signIn = (username = 'Thora'): Promise<void> =>
  change({ admin: { username, token: 'another', role: 'owner' }, ended: [] });
/** Signs in again, after the page that asks for it was shown, and returns. */
async function returnTo(tab: string, username?: string): Promise<void> {
  await screen.findByText('Login page');
  await signIn(username);
  await openTab(tab);
}
async function openTab(tab: string): Promise<void> {
  await act(async () => goTo(tab));
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull());
}
const press = (name: string | RegExp): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name }));
const textbox = (name: string): HTMLElement => screen.getByRole('textbox', { name });
const newCategory = (): HTMLElement =>
  within(screen.getByRole('form', { name: 'New category' })).getByRole('textbox');
const fill = async (field: HTMLElement, text: string): Promise<void> => {
  await userEvent.clear(field);
  await userEvent.type(field, text);
};

test.each([
  ['the session ends', endSession, undefined, 'Hidden'],
  ['the admin signs out', signOut, undefined, ''],
  ['another admin signs in', endSession, 'Odo', ''],
])('when %s, a page’s form is kept for its admin only', async (_when, end, next, kept) => {
  await openAdmin(`${TAB}/categories`, board);
  await userEvent.type(newCategory(), 'Hidden');
  await end();
  await returnTo(`${TAB}/categories`, next);
  expect(newCategory()).toHaveProperty('value', kept);
});

test('dismissing the message that the session ended loses nothing', async () => {
  await openAdmin(`${TAB}/categories`, board);
  await userEvent.type(newCategory(), 'Hidden');
  await endSession();
  await change({ ended: [] });
  await returnTo(`${TAB}/categories`);
  expect(newCategory()).toHaveProperty('value', 'Hidden');
});

test('a row in edit is kept, and once it is cancelled, it is not', async () => {
  await openAdmin(`${TAB}/categories`, board);
  await press('Rename Deep');
  await fill(textbox('New name of Deep'), 'Deepest');
  await endSession();
  await returnTo(`${TAB}/categories`);
  await press('Rename Deep');
  expect(textbox('New name of Deep')).toHaveProperty('value', 'Deepest');
  await press('Cancel renaming Deep');
  await press('Rename Deep');
  expect(textbox('New name of Deep')).toHaveProperty('value', 'Deep');
});

test('what another admin changed meanwhile is not overwritten', async () => {
  await openAdmin(`${TAB}/categories`, board);
  await press('Rename Deep');
  await fill(textbox('New name of Deep'), 'Deepest');
  await endSession();
  push({ op: 'put', kind: 'category', record: aCategory(2, 'Abyss') });
  await returnTo(`${TAB}/categories`);
  await press('Rename Abyss');
  expect(await screen.findByText(/changed/i)).toBeTruthy();
  expect(screen.getByDisplayValue('Deepest')).toBeTruthy();
});

test('a spot’s row is in edit again', async () => {
  await openAdmin(`${TAB}/respawns`, board);
  await press('Edit Fire Library');
  await fill(textbox('Name of Fire Library'), 'Ice Library');
  await endSession();
  await returnTo(`${TAB}/respawns`);
  expect(textbox('Name of Fire Library')).toHaveProperty('value', 'Ice Library');
});

test('the dialogs of an event, a claim’s hours and character, and a channel are kept', async () => {
  await openAdmin(`${TAB}/events`, board);
  const dialog = () => within(screen.getByRole('dialog'));
  const cases: [string, () => Promise<void>, () => HTMLElement, string][] = [
    ['events', () => press('Create event'), () => textbox('Name'), 'Triple week'],
    ['events', () => pressAction(`Edit ${event.name}`), () => textbox('Name'), 'Quiet week'],
    [
      'claims',
      () => press(/^Edit…/),
      () => dialog().getAllByRole('spinbutton')[0] ?? document.body,
      '3',
    ],
    [
      'claims',
      () => press(/^Edit…/),
      () => dialog().getByRole('combobox', { name: 'Character' }),
      'Odo Holt',
    ],
    ['settings/notifications', () => press('Edit War room'), () => textbox('Name'), 'Peace room'],
  ];
  for (const [tab, open, field, text] of cases) {
    await openTab(`${TAB}/${tab}`);
    await open();
    await fill(field(), text);
    await endSession();
    await returnTo(`${TAB}/${tab}`);
    await open();
    expect(field()).toHaveProperty('value', text);
    await userEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
    await open();
    expect(field()).not.toHaveProperty('value', text);
    await userEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
  }
});
