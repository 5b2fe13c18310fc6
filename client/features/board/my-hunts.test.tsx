import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { boardDates } from '../../lib/board-dates.ts';
import { useShownSpot } from '../../state/board-place.ts';
import { applyChanges, applySnapshot, clearBoard } from '../../state/board-store.ts';
import { useServerSaveClock } from '../../state/clock.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useSession } from '../../state/session-store.ts';
import { aCategory, aClaim, aConfig, anActiveEvent, aSpot } from '../../test/records.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { Board } from './board.tsx';

// Each render of the board reads its dates.
vi.mock('../../lib/board-dates.ts', { spy: true });

const profile = (characterName: string): Profile => ({
  characterName,
  memberType: 'member',
  accessKey: characterName,
  isVerified: true,
  createdAt: '',
});
const arden = profile('Arden Vale');
const mira = profile('Mira Stormcrow');

// 21:30 UTC is SS+12.
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  useServerSaveClock.setState({ ss_time_zone: 'UTC', ss_hour: 9, ahead_ms: 0 });
  useSession.setState({ status: 'ready', profiles: [arden], current: arden });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  clearBoard();
  useShownSpot.setState({ spot: null });
  useServerSaveClock.setState({ ss_time_zone: 'America/Los_Angeles', ss_hour: 1, ahead_ms: 0 });
  useSession.setState({ status: 'checking', profiles: [], current: null });
});

const spots = [
  aSpot(1, 'Fire Library', 10),
  aSpot(2, 'Sea Serpents South', 10),
  aSpot(3, 'Ingol -2', 20),
];
const categories = [aCategory(10, 'Ankrahmun'), aCategory(20, 'Marapur')];

function show(claim: ReturnType<typeof aClaim>[], address = '/', settings = aConfig()): void {
  applySnapshot(1, {
    respawn: spots,
    category: categories,
    claim,
    event: [anActiveEvent()],
    config: [settings],
  });
  render(
    <MemoryRouter initialEntries={[address]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <Board />
      </LocalTimeContext>
    </MemoryRouter>,
  );
}
const line = (): HTMLElement => screen.getByRole('complementary', { name: 'My hunts' });
const textOf = (element: HTMLElement): string => (element.textContent ?? '').replace(/\s+/g, ' ');

test('shows the next hunt with its time and the time until then', () => {
  show([aClaim({ id: 1, respawn_id: 2, hour_start: 18, hour_end: 22 })]);
  expect(textOf(within(line()).getByRole('button'))).toBe(
    'Next: Sea Serpents South, SS+18, Sun 03:00, in 5 h 30 min',
  );
});

test('while it runs: until when, how long still, and how much of it has passed', () => {
  show([aClaim({ id: 1, respawn_id: 2, hour_start: 11, hour_end: 13 })]);
  expect(textOf(within(line()).getByRole('button', { name: /^Now/ }))).toBe(
    'Now: Sea Serpents South until SS+13, Sat 22:00, 30 min left',
  );
  expect(line().querySelector('[style]')?.getAttribute('style')).toContain('75.0%');
});

test('without a hunt there is no line', () => {
  show([
    aClaim({ id: 1, respawn_id: 2, character_name: 'Old Bram' }),
    aClaim({ id: 2, respawn_id: 1, hour_start: 2, hour_end: 6 }),
  ]);
  expect(document.querySelector('[data-hunts]')).toBeNull();
  const record = aClaim({ id: 3, respawn_id: 2, hour_start: 18, hour_end: 22 });
  act(() => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record }] }));
  expect(line()).toBeTruthy();
});

test('several characters: the first hunt of all, the number of others, and a list of them', async () => {
  useSession.setState({ profiles: [arden, mira] });
  show([
    aClaim({ id: 1, respawn_id: 2, hour_start: 18, hour_end: 22 }),
    aClaim({
      id: 2,
      respawn_id: 1,
      hour_start: 14,
      hour_end: 16,
      character_name: 'Mira Stormcrow',
    }),
    aClaim({ id: 3, respawn_id: 3, date: '2026-11-24', character_name: 'Mira Stormcrow' }),
  ]);
  expect(textOf(line())).toContain('Next: Fire Library (Mira Stormcrow), SS+14');
  await userEvent.click(within(line()).getByRole('button', { name: '2 more hunts' }));
  expect(within(line()).getAllByRole('listitem').map(textOf)).toEqual([
    'Sea Serpents South (Arden Vale), SS+18, Sun 03:00, in 5 h 30 min',
    'Ingol -2 (Mira Stormcrow), SS+10, Tue 19:00, in 2 d 21 h',
  ]);
});

test('claims to confirm now are first, and their holder presses "I’m here" without leaving the board', async () => {
  const sent: { path: string; key: string | null }[] = [];
  vi.stubGlobal('fetch', async (path: string, options: RequestInit) => {
    sent.push({ path, key: new Headers(options.headers).get('X-Access-Key') });
    return Response.json({ success: true, data: null });
  });
  useSession.setState({ profiles: [arden, mira] });
  const toConfirm = aClaim({
    id: 2,
    respawn_id: 1,
    hour_start: 12,
    hour_end: 14,
    character_name: 'Mira Stormcrow',
    to_confirm: [1],
  });
  show(
    [aClaim({ id: 1, respawn_id: 2, hour_start: 11, hour_end: 13 }), toConfirm],
    '/',
    aConfig({ confirm_enabled: 1, grace_minutes: 40 }),
  );
  expect(textOf(line())).toContain('Now: Fire Library (Mira Stormcrow)');
  const here = (): HTMLElement =>
    within(line()).getByRole('button', { name: /^I'm here · by \d\d:\d\d, Fire Library$/ });
  await waitFor(() => expect(here().getAttribute('aria-busy')).toBeNull());
  await userEvent.click(here());
  expect(sent).toEqual([{ path: '/api/claims/2/confirm', key: 'Mira Stormcrow' }]);
  act(() => {
    applyChanges({
      clock: 2,
      changes: [{ op: 'put', kind: 'claim', record: { ...toConfirm, to_confirm: [] } }],
    });
  });
  expect(within(line()).queryByRole('button', { name: /here/ })).toBeNull();
  expect(textOf(line())).toContain('Now: Sea Serpents South (Arden Vale)');
  vi.unstubAllGlobals();
});

test('a press shows its date and scrolls to its card, despite a search; the ring disappears', async () => {
  // Of every window of the process: it has to be given back.
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  show([aClaim({ id: 1, respawn_id: 2, date: '2026-11-23' })], '/?view=timeline&search=library');
  await userEvent.click(within(line()).getByRole('button'));
  expect(screen.getByRole('radio', { name: /23 November/ })).toHaveProperty('checked', true);
  const card = (await screen.findByRole('heading', { name: 'Sea Serpents South' })).closest(
    'article',
  );
  expect(card?.className).toContain('ringed');
  expect(scrolled.mock.contexts).toContain(card);
  act(() => useShownSpot.setState({ spot: null }));
  expect(card?.className).not.toContain('ringed');
});

test('a minute later the line renders, and the board does not', () => {
  vi.useRealTimers();
  vi.useFakeTimers({
    now: new Date('2026-11-21T21:31:00Z'),
    toFake: ['Date', 'setTimeout', 'clearTimeout'],
  });
  show([aClaim({ id: 1, respawn_id: 2, hour_start: 18, hour_end: 22 })]);
  vi.mocked(boardDates).mockClear();
  act(() => vi.advanceTimersByTime(60_000));
  expect(textOf(line())).toContain('in 5 h 28 min');
  expect(boardDates).not.toHaveBeenCalled();
});

test('the list of the others closes by Escape, which gives the focus back, and by a press outside', async () => {
  show([
    aClaim({ id: 1, respawn_id: 2, hour_start: 18, hour_end: 22 }),
    aClaim({ id: 2, respawn_id: 1, date: '2026-11-22' }),
  ]);
  const more = within(line()).getByRole('button', { name: /^1 more/ });
  await userEvent.click(more);
  expect(more.getAttribute('aria-expanded')).toBe('true');
  await userEvent.keyboard('{Escape}');
  expect(more.getAttribute('aria-expanded')).toBe('false');
  expect(document.activeElement).toBe(more);
  await userEvent.click(more);
  await userEvent.click(within(line()).getByRole('list'));
  expect(more.getAttribute('aria-expanded')).toBe('true');
  await userEvent.click(document.body);
  expect(more.getAttribute('aria-expanded')).toBe('false');
});
