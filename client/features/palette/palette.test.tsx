import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Overlays } from '../../app.tsx';
import { applyChanges, applySnapshot, clearBoard, setConnection } from '../../state/board-store.ts';
import { closeOverlay } from '../../state/overlays.ts';
import { useSession } from '../../state/session-store.ts';
import { aClaim, aConfig, anActiveEvent, aSpot } from '../../test/records.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { dropRequest, useRequestedSpot } from '../claiming/in-place/choose-hours.ts';
// Loaded when it is first opened: here it is there before the test's time runs.
import '../claiming/release-dialog.tsx';
import { OpenPaletteOnKey } from './open-palette-on-key.tsx';

// 21:30 UTC is 13:30 Pacific.
beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  closeOverlay('palette');
  dropRequest();
  clearBoard();
  useSession.setState({ status: 'checking', profiles: [], current: null, admin: null });
  localStorage.clear();
  delete document.documentElement.dataset.theme;
});

/** Chrome's autofill fires such events: they have no key. */
test('an event without a key opens nothing and throws nothing', () => {
  const failed = vi.fn();
  window.addEventListener('error', failed);
  show();
  document.body.dispatchEvent(new Event('keydown', { bubbles: true }));
  window.removeEventListener('error', failed);
  expect([failed.mock.calls, screen.queryByRole('dialog')]).toEqual([[], null]);
});

function Address(): ReactNode {
  const { pathname, search, state } = useLocation();
  return <output>{pathname + search + (state ? JSON.stringify(state) : '')}</output>;
}

function show(spots = [aSpot(1, 'Fire Library'), aSpot(2, 'Câmara do Norte')]): void {
  applySnapshot(1, {
    respawn: spots,
    claim: [aClaim({ id: 1, respawn_id: 1, character_name: 'Mira Stormcrow' })],
    event: [anActiveEvent()],
  });
  render(
    <MemoryRouter>
      <main tabIndex={-1}>
        <button type="button">before</button>
      </main>
      <OpenPaletteOnKey />
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <Overlays />
      </LocalTimeContext>
      <Address />
    </MemoryRouter>,
  );
}
const where = (): string => decodeURIComponent(document.querySelector('output')?.textContent ?? '');
const options = (): (string | null)[] =>
  screen.getAllByRole('option').map((option) => option.textContent);

async function open(): Promise<void> {
  await userEvent.keyboard('{Control>}k{/Control}');
  await screen.findByRole('dialog', { name: 'Search and commands' });
}
async function choose(text: string): Promise<void> {
  await open();
  await userEvent.keyboard(`${text}{Enter}`);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

test('Ctrl+K and Cmd+K open it, the same again or Escape closes it, and the focus returns', async () => {
  show();
  screen.getByRole('button', { name: 'before' }).focus();
  await open();
  expect(document.activeElement).toBe(
    screen.getByRole('combobox', { name: 'Search spots, characters, dates and pages' }),
  );
  await userEvent.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement?.textContent).toBe('before');
  await userEvent.keyboard('{Meta>}k{/Meta}');
  await screen.findByRole('dialog');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.keyboard('{Control>}{Shift>}k{/Shift}{/Control}');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a spot, found without its accents, shows its free hours and is claimed on the board of today', async () => {
  show();
  await open();
  await userEvent.keyboard('norte camara');
  expect(options()).toEqual(['Câmara do Nortefree SS+12 to SS+24']);
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(useRequestedSpot.getState().respawn_id).toBe(2));
  expect(where()).toBe('/');
});

test('before and after a typed space the same is listed', async () => {
  show();
  await open();
  const before = options();
  expect(before.length).toBeGreaterThan(0);
  await userEvent.keyboard(' ');
  expect(options()).toEqual(before);
});

test.each([
  ['an event claimed as a whole has the hours of all its days left', { type: 'single_claim' }],
  [
    'an event to come has those of its first day',
    { start_time: '2026-11-23T10:00', end_time: '2026-11-28T10:00' },
  ],
] as const)('%s', async (_, event) => {
  show();
  act(
    () =>
      void applyChanges({
        clock: 2,
        changes: [{ op: 'put', kind: 'event', record: anActiveEvent(event) }],
      }),
  );
  await open();
  await userEvent.keyboard('norte');
  expect(options()).toEqual(['Câmara do Nortefree SS+0 to SS+24']);
});

test('tonight is the board’s, and while claims are closed it is not there', async () => {
  show();
  await choose('tonight');
  expect(where()).toBe('/?free=12&for=4');
  const closed = aConfig({ submission_enabled: 0 });
  act(
    () => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'config', record: closed }] }),
  );
  await open();
  await userEvent.keyboard('tonight');
  expect(screen.queryAllByRole('option')).toEqual([]);
});

test('a spot without free hours today is shown, as every spot is while claims are closed', async () => {
  show();
  const all = aClaim({ id: 9, respawn_id: 2, hour_start: 0, hour_end: 24 });
  act(() => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: all }] }));
  await choose('norte');
  expect(where()).toBe('/{"shown_spot":2}');
  const closed = aConfig({ submission_enabled: 0 });
  act(
    () => void applyChanges({ clock: 3, changes: [{ op: 'put', kind: 'config', record: closed }] }),
  );
  await choose('fire');
  expect(where()).toBe('/{"shown_spot":1}');
  expect(useRequestedSpot.getState().respawn_id).toBeNull();
});

test('a character leads to their claims; the word "claim" finds spots, too', async () => {
  show();
  await choose('stormcrow');
  expect(where()).toBe('/?search=Mira+Stormcrow');
  await choose('claim fire');
  await waitFor(() => expect(useRequestedSpot.getState().respawn_id).toBe(1));
});

test('past days are last', async () => {
  show();
  await open();
  await userEvent.keyboard('november');
  const days = options();
  expect([days[0], days.at(-1)]).toEqual(['TodaySaturday 21 November', 'Friday 20 November']);
});

test('a date, a page, the appearance', async () => {
  show();
  await choose('2026-11-24');
  expect(where()).toBe('/?date=2026-11-24');
  await choose('watch mode');
  expect(where()).toBe('/?view=watch');
  await choose('statistics');
  expect(where()).toBe('/statistics');
  await choose('dark');
  expect(document.documentElement.dataset.theme).toBe('dark');
});

test('the tabs of the dashboard are an admin’s', async () => {
  show();
  await open();
  await userEvent.keyboard('activity');
  expect(screen.queryAllByRole('option')).toEqual([]);
  expect(screen.getByRole('status').textContent).toBe('No results');
  await userEvent.keyboard('{Escape}');
  act(() => useSession.setState({ admin: { username: 'Thora', token: 'TOKEN', role: 'owner' } }));
  await choose('activity');
  expect(where()).toBe('/admin/dashboard/activity');
});

test('arrow keys move among the results, whose number is announced; at most fifty are shown', async () => {
  show(Array.from({ length: 120 }, (_, id) => aSpot(id + 1, `Library ${id + 1}`)));
  await open();
  await userEvent.keyboard('library');
  expect(screen.getByRole('status').textContent).toBe('120 results');
  expect(options()).toHaveLength(50);
  expect(
    within(screen.getByRole('listbox', { name: 'Results' })).getAllByRole('group'),
  ).toHaveLength(1);
  const highlighted = (): string | null | undefined =>
    document.getElementById(
      screen.getByRole('combobox').getAttribute('aria-activedescendant') ?? '',
    )?.textContent;
  await userEvent.keyboard('{ArrowUp}');
  expect(highlighted()).toBe(options().at(-1));
  await userEvent.keyboard('{ArrowDown}');
  expect(highlighted()).toBe(options()[0]);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(useRequestedSpot.getState().respawn_id).toBe(2);
});

test('without a connection it uses the known data', async () => {
  show();
  act(() => setConnection('offline'));
  await choose('fire library');
  expect(useRequestedSpot.getState().respawn_id).toBe(1);
});

describe('with own claims', () => {
  const own = aClaim({ id: 4, respawn_id: 1, hour_start: 20, hour_end: 23, to_confirm: [1] });
  const next = aClaim({ id: 5, respawn_id: 2, date: '2026-11-22' });
  let sent: string[] = [];
  beforeEach(() => {
    sent = [];
    vi.stubGlobal('fetch', async (path: string, { method, headers }: RequestInit) => {
      sent.push(`${method} ${path} ${new Headers(headers).get('X-Access-Key')}`);
      return Response.json({ success: true, data: null });
    });
    const arden = {
      characterName: 'Arden Vale',
      memberType: 'member',
      accessKey: 'ARDENS-KEY',
      isVerified: true,
      createdAt: '',
    };
    useSession.setState({ status: 'ready', profiles: [arden], current: arden });
    show();
    act(() =>
      applySnapshot(2, {
        respawn: [aSpot(1, 'Fire Library'), aSpot(2, 'Cobra Bastion')],
        claim: [own, next],
        event: [anActiveEvent()],
        config: [aConfig({ release_enabled: 1, confirm_enabled: 1, transfers_enabled: 1 })],
      }),
    );
  });
  afterEach(() => vi.unstubAllGlobals());
  const optionsOf = (name: string): (string | null)[] =>
    within(screen.getByRole('group', { name }))
      .getAllByRole('option')
      .map((option) => option.textContent);

  test('opened empty it has the next hunt, tonight, the next days and My claims; typed it finds the actions of all', async () => {
    await open();
    expect(options()).toEqual([
      'Fire LibraryToday, SS+20 to SS+23',
      'TonightSS+12 to SS+16',
      'TodaySaturday 21 November',
      'TomorrowSunday 22 November',
      'My claims',
    ]);
    await userEvent.keyboard('swap');
    expect(optionsOf('My claims')).toEqual([
      'Swap…Fire Library, Today, SS+20 to SS+23',
      'Swap…Cobra Bastion, Tomorrow, SS+10 to SS+14',
    ]);
    // A spot that is typed is claimed, not released.
    await userEvent.clear(screen.getByRole('combobox'));
    await userEvent.keyboard('cobra');
    expect(options()[0]).toContain('Cobra Bastion');
    expect(options()).toHaveLength(5);
    await userEvent.keyboard('{Escape}');
  });

  test('a dialog that it opens returns the focus to where it was before', async () => {
    const before = screen.getByRole('button', { name: 'before' });
    // The second time, the code of both is there: one closes and the other opens at the same moment.
    for (const _time of ['first', 'second']) {
      before.focus();
      await open();
      await userEvent.keyboard('release fire{Enter}');
      const question = await screen.findByRole('alertdialog', {
        name: 'Release your hours on Fire Library?',
      });
      await waitFor(() => expect(question.contains(document.activeElement)).toBe(true));
      await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
      await waitFor(() => expect(document.activeElement === before).toBe(true));
    }
    expect(sent).toEqual([]);
  });

  test('a call is sent with the character’s key', async () => {
    // 15 minutes before SS+20.
    vi.setSystemTime('2026-11-22T04:45:00Z');
    await choose('here');
    expect(sent).toEqual(['POST /api/claims/4/confirm ARDENS-KEY']);
  });

  test('without a connection they say why they are blocked', async () => {
    act(() => setConnection('offline'));
    await open();
    await userEvent.keyboard('release');
    const [first] = screen.getAllByRole('option');
    expect(first?.getAttribute('aria-disabled')).toBe('true');
    expect(first?.textContent).toContain('Network error. Please check your connection.');
  });
});
