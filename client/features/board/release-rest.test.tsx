import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Overlays } from '../../app.tsx';
import { applySnapshot, clearBoard, setConnection } from '../../state/board-store.ts';
import { useServerSaveClock } from '../../state/clock.ts';
import { closeOverlay } from '../../state/overlays.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useSession } from '../../state/session-store.ts';
import { aCategory, aClaim, aConfig, anActiveEvent, aSpot } from '../../test/records.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { Board } from './board.tsx';
// Loaded when they are first opened: here they are there before the first test's time runs.
import '../claiming/release-dialog.tsx';
import '../claiming/own/own-claim-menu.tsx';
import './timeline/timeline.tsx';

const profile = (characterName: string, accessKey: string): Profile => ({
  characterName,
  memberType: 'member',
  accessKey,
  isVerified: true,
  createdAt: '',
});
const arden = profile('Arden Vale', 'ARDENS-KEY');
const mira = profile('Mira Stormcrow', 'MIRAS-KEY');
const running = aClaim({ id: 7, respawn_id: 1, hour_start: 11, hour_end: 15 });

// 21:30 UTC is SS+12.
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800);
  useServerSaveClock.setState({ ss_time_zone: 'UTC', ss_hour: 9, ahead_ms: 0 });
  useSession.setState({ status: 'ready', profiles: [arden, mira], current: arden });
});
afterEach(() => {
  act(() => closeOverlay('release'));
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearBoard();
  useServerSaveClock.setState({ ss_time_zone: 'America/Los_Angeles', ss_hour: 1, ahead_ms: 0 });
  useSession.setState({ status: 'checking', profiles: [], current: null });
});

function show(
  claim: ReturnType<typeof aClaim>[],
  address = '/',
  settings = aConfig({ release_enabled: 1 }),
): void {
  const spots = [aSpot(1, 'Fire Library', 10), aSpot(2, 'Sea Serpents South', 10)];
  applySnapshot(1, {
    respawn: spots,
    category: [aCategory(10, 'Ankrahmun')],
    claim,
    event: [anActiveEvent()],
    config: [settings],
  });
  setConnection('live');
  render(
    <MemoryRouter initialEntries={[address]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <Board />
        <Overlays />
      </LocalTimeContext>
    </MemoryRouter>,
  );
}
const line = (): HTMLElement => screen.getByRole('complementary', { name: 'My hunts' });
const card = (name: string): HTMLElement => {
  const found = screen.getAllByRole('article').find((one) => within(one).queryByText(name));
  if (!found) throw new Error(`no card of ${name}`);
  return found;
};
const REST = 'Release the rest, Fire Library';
const textOf = (element: HTMLElement): string => (element.textContent ?? '').replace(/\s+/g, ' ');

test('while one’s own claim runs, its card and the line of hunts offer to release the rest, and ask as My claims does', async () => {
  const sent: { path: string; key: string | null }[] = [];
  vi.stubGlobal('fetch', async (path: string, options: RequestInit) => {
    sent.push({ path, key: new Headers(options.headers).get('X-Access-Key') });
    return Response.json({ success: true, data: [] });
  });
  show([running]);
  expect(within(card('Fire Library')).getByRole('button', { name: REST }).textContent).toBe(
    'Release the rest',
  );
  await userEvent.click(within(line()).getByRole('button', { name: REST }));
  const question = await screen.findByRole('alertdialog', {
    name: 'Release your hours on Fire Library?',
  });
  expect(textOf(question)).toContain('Comes freeToday, SS+13 to SS+15');
  expect(textOf(question)).toContain('Stays yoursToday, SS+11 to SS+13');
  await userEvent.click(within(question).getByRole('button', { name: 'Release SS+13 to SS+15' }));
  await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(sent).toEqual([{ path: '/api/claims/7/release', key: 'ARDENS-KEY' }]);
});

test('the hunt of another character of this browser is released by that one’s key', async () => {
  const keys: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_: string, options: RequestInit) => {
    keys.push(new Headers(options.headers).get('X-Access-Key'));
    return Response.json({ success: true, data: [] });
  });
  show([{ ...running, character_name: 'Mira Stormcrow' }]);
  // The card marks the claims of the selected profile.
  expect(within(card('Fire Library')).queryByRole('button', { name: REST })).toBeNull();
  await userEvent.click(within(line()).getByRole('button', { name: REST }));
  await userEvent.click(await screen.findByRole('button', { name: 'Release SS+13 to SS+15' }));
  await vi.waitFor(() => expect(keys).toEqual(['MIRAS-KEY']));
});

test('on the timeline one’s own bar opens its actions; those of others have none', async () => {
  show(
    [
      running,
      aClaim({ id: 8, respawn_id: 2, hour_start: 18, hour_end: 20 }),
      aClaim({ id: 9, respawn_id: 2, character_name: 'Old Bram' }),
    ],
    '/?view=timeline',
  );
  const grid = await screen.findByRole('grid');
  const bar = (name: RegExp): HTMLElement => within(grid).getByRole('button', { name });
  fireEvent.click(bar(/^Old Bram/));
  expect(bar(/^Old Bram/).getAttribute('aria-label')).not.toContain('Release');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(bar(/^Arden Vale, SS\+18.*Release, Copy for Discord$/)).toBeTruthy();
  fireEvent.click(bar(/^Arden Vale, SS\+11 to SS\+15.*Release the rest, Copy for Discord$/));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Release the rest' }));
  expect(
    await screen.findByRole('alertdialog', { name: 'Release your hours on Fire Library?' }),
  ).toBeTruthy();
});

test.each([
  ['where the guild has it switched off', running, aConfig()],
  ['in its last hour', { ...running, hour_end: 13 }, undefined],
  [
    'of what is only held',
    { ...running, is_held: 1 as const, held_until: '2026-11-21T21:40:00Z' },
    undefined,
  ],
])('nothing is offered %s', (_, claim, settings) => {
  show([claim], '/', settings ?? aConfig({ release_enabled: 1 }));
  expect(screen.queryByRole('button', { name: REST })).toBeNull();
});

const items = async (): Promise<(string | null)[]> =>
  within(await screen.findByRole('menu'))
    .getAllByRole('menuitem')
    .map((item) => item.textContent);

describe('without transfers, where weekly claims and release are on', () => {
  const settings = aConfig({ release_enabled: 1, standing_enabled: 1 });
  afterEach(() => {
    act(() => closeOverlay('ownClaim'));
  });

  test('the card of an own claim has its menu, on More and on the name; a second press closes it', async () => {
    show([{ ...running, hour_start: 13 }], '/', settings);
    const own = within(card('Fire Library'));
    expect(own.getByRole('button', { name: 'Release, Fire Library' })).toBeTruthy();
    for (const name of ['More, Fire Library', 'Arden Vale']) {
      const button = own.getByRole('button', { name });
      await userEvent.click(button);
      expect(await items()).toEqual(['Make this a weekly claim…', 'Copy for Discord']);
      expect(button.getAttribute('aria-expanded')).toBe('true');
      await userEvent.click(button);
      expect(screen.queryByRole('menu')).toBeNull();
      expect(button.getAttribute('aria-expanded')).toBeNull();
    }
  });

  test('the card of a running one has both actions, that of one that is over none', () => {
    show([running, aClaim({ id: 8, respawn_id: 2, hour_start: 2, hour_end: 6 })], '/', settings);
    expect(within(card('Fire Library')).getByRole('button', { name: REST })).toBeTruthy();
    expect(within(card('Fire Library')).getByRole('button', { name: /^More/ })).toBeTruthy();
    expect(within(card('Sea Serpents South')).queryByRole('button', { name: /^More/ })).toBeNull();
  });

  test('the press on a bar opens all that the bar announces; on an admin’s own bar neither', async () => {
    show([running], '/?view=timeline', settings);
    const grid = await screen.findByRole('grid');
    const bar = (): HTMLElement =>
      within(grid).getByRole('button', { name: /^Arden Vale, SS\+11/ });
    expect(bar().getAttribute('aria-label')).toMatch(
      /Release the rest, Make this a weekly claim…, Copy for Discord$/,
    );
    fireEvent.click(bar());
    expect(await items()).toEqual([
      'Release the rest',
      'Make this a weekly claim…',
      'Copy for Discord',
    ]);
    act(() => useSession.setState({ admin: { username: 'Thora', token: 't', role: 'owner' } }));
    expect(bar().getAttribute('aria-label')).not.toMatch(/Release|weekly claim…/);
    act(() => useSession.setState({ admin: null }));
  });
});

test('while the server cannot be reached the button says so', async () => {
  show([running]);
  act(() => setConnection('offline'));
  const button = within(line()).getByRole('button', { name: REST });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(button);
  expect(screen.queryByRole('alertdialog')).toBeNull();
  // Copying needs no server.
  const more = within(card('Fire Library')).getByRole('button', { name: 'More, Fire Library' });
  await userEvent.click(more);
  expect(await items()).toEqual(['Copy for Discord']);
  await userEvent.click(screen.getByRole('menuitem', { name: 'Copy for Discord' }));
  expect(await navigator.clipboard.readText()).toContain('**Fire Library** · Arden Vale');
});

test('by default, with none of the other actions, an own claim can be copied', async () => {
  show([running], '/', aConfig());
  expect(screen.queryByRole('button', { name: REST })).toBeNull();
  await userEvent.click(
    within(card('Fire Library')).getByRole('button', { name: 'More, Fire Library' }),
  );
  expect(await items()).toEqual(['Copy for Discord']);
});
