import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearBoard } from '../../../state/board-store.ts';
import { aClaim, aClaimRow, anEvent, aRespawn } from '../../../test/records.ts';
import { mockServer, ok } from '../test/server.ts';
import { push, showAdmin } from '../test/show-admin.tsx';
// Loaded when the tab is opened: here it is there before the first test's time runs.
import './claims-tab.tsx';

const week = anEvent({ id: 7, is_active: 1 });
const spots = [aRespawn(), aRespawn({ id: 2, name: 'Fire Library' })];
const inWeek = { event_id: week.id };
// 20:00 UTC is noon Pacific: SS+11.
const arden = aClaim({ id: 1, ...inWeek, hour_start: 10, hour_end: 14 });
const mira = aClaim({
  id: 2,
  ...inWeek,
  character_name: 'Mira Stormcrow',
  hour_start: 2,
  hour_end: 6,
});
const jorun = aClaim({
  id: 3,
  ...inWeek,
  character_name: 'Jorun Pike',
  date: '2026-11-23',
  respawn_id: 2,
});
const board = { event: [week], respawn: spots, claim: [arden, mira, jorun] };

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T20:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const list = (): HTMLElement => screen.getByRole('region', { name: 'Claims' });
const names = (): string[] =>
  ['Arden Vale', 'Mira Stormcrow', 'Jorun Pike', 'Old Bram'].filter((name) =>
    within(list()).queryByText(name),
  );
const button = (name: string): HTMLElement => screen.getByRole('button', { name });
async function open(query = '', snapshot: Parameters<typeof showAdmin>[1] = board): Promise<void> {
  showAdmin(`/admin/dashboard/claims${query}`, snapshot);
  await screen.findByRole('region', { name: 'Claims' });
}
const address = (): string | null => screen.getByLabelText('address').textContent;

test('the claims tab opens on today; another day is one press away, and the address keeps it', async () => {
  await open();
  expect(names()).toEqual(['Arden Vale', 'Mira Stormcrow']);
  expect(screen.getByText('2 claims', { selector: 'p' })).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: /^Monday,? 23 November/ }));
  expect(names()).toEqual(['Jorun Pike']);
  await waitFor(() => expect(address()).toBe('/admin/dashboard/claims?day=2026-11-23'));
  await userEvent.click(button('All dates'));
  expect(names()).toEqual(['Arden Vale', 'Mira Stormcrow', 'Jorun Pike']);
});

test('“claims grouped by respawn then by date; ‘Clear All’ per respawn”: also those that a search finds, of all days until one is chosen', async () => {
  const later = aClaim({ id: 4, ...inWeek, date: '2026-11-24', hour_start: 2, hour_end: 6 });
  await open('?search=arden', { ...board, claim: [later, ...board.claim] });
  expect(button('All dates').getAttribute('aria-pressed')).toBe('true');
  const headings = within(list()).getAllByRole('heading');
  expect(headings.map(({ tagName, textContent }) => `${tagName} ${textContent}`)).toEqual([
    'H2 Asura Palace',
    'H3 Sat, 21 Nov 2026Today',
    'H3 Tue, 24 Nov 2026',
  ]);
  // Clearing takes Mira's claim, too, although the search doesn't find it.
  expect(screen.getByRole('button', { name: /^Clear All .* of Asura Palace$/ }).textContent).toBe(
    'Clear All (3)',
  );
  await userEvent.click(screen.getByRole('radio', { name: /21 November/ }));
  await waitFor(() =>
    expect(address()).toBe('/admin/dashboard/claims?search=arden&day=2026-11-21'),
  );
});

test('now: only claims of the current hour, live', async () => {
  await open('?day=now');
  expect(button('Now').getAttribute('aria-pressed')).toBe('true');
  expect(names()).toEqual(['Arden Vale']);
  push({
    op: 'put',
    kind: 'claim',
    record: aClaim({
      id: 9,
      ...inWeek,
      respawn_id: 2,
      character_name: 'Old Bram',
      hour_start: 11,
      hour_end: 12,
    }),
  });
  expect(names()).toEqual(['Arden Vale', 'Old Bram']);
  push({ op: 'remove', kind: 'claim', id: 1 }, { op: 'remove', kind: 'claim', id: 9 });
  expect(screen.getByText('No claims right now')).toBeTruthy();
  await userEvent.click(button('Now'));
  expect(names()).toEqual(['Mira Stormcrow']);
});

test('an empty day says so, and leads to all dates', async () => {
  await open('?day=2026-11-22');
  expect(screen.getByText('No claims that day')).toBeTruthy();
  await userEvent.click(within(list()).getByRole('button', { name: 'All dates' }));
  expect(names()).toHaveLength(3);
});

test('an upcoming event shows its first day', async () => {
  const later = anEvent({
    id: 7,
    is_active: 1,
    start_time: '2026-11-23T10:00',
    end_time: '2026-11-25T10:00',
  });
  await open('', { ...board, event: [later] });
  expect(names()).toEqual(['Jorun Pike']);
});

test('a claim of a whole event is of each of its days; the event itself has none to choose', async () => {
  const single = anEvent({ id: 7, is_active: 1, type: 'single_claim' });
  const whole = aClaim({ id: 1, ...inWeek, date: null, hour_start: 10, hour_end: 14 });
  await open('', {
    ...board,
    event: [single],
    claim: [
      whole,
      aClaim({ ...whole, id: 2, character_name: 'Old Bram', hour_start: 20, hour_end: 24 }),
    ],
  });
  expect(screen.queryByRole('radiogroup', { name: 'Day' })).toBeNull();
  expect(names()).toEqual(['Arden Vale', 'Old Bram']);
  await userEvent.click(button('Now'));
  expect(names()).toEqual(['Arden Vale']);
});

test('“No active event - showing all claims”: of all dates, until one is chosen', async () => {
  mockServer({
    'GET /api/admin/claims?to=2026-11-20': () =>
      ok([aClaimRow({ id: 5, date: '2026-11-20', character_name: 'Old Bram' })]),
  });
  const coming = { ...jorun, event_id: null };
  await open('', { respawn: spots, claim: [aClaim({ id: 1 }), coming] });
  expect(screen.getByText('No active event - showing all claims')).toBeTruthy();
  expect(button('All dates').getAttribute('aria-pressed')).toBe('true');
  expect(await within(list()).findByText('Old Bram')).toBeTruthy();
  expect(names()).toEqual(['Arden Vale', 'Jorun Pike', 'Old Bram']);
  await userEvent.click(screen.getByRole('radio', { name: /21 November/ }));
  expect(names()).toEqual(['Arden Vale']);
  await waitFor(() => expect(address()).toBe('/admin/dashboard/claims?day=2026-11-21'));
  expect(screen.getByText('No active event - showing all claims')).toBeTruthy();
});

test('without an event a future day needs no earlier claims; a past one does', async () => {
  const answer = Promise.withResolvers<Response>();
  mockServer({ 'GET /api/admin/claims?to=2026-11-20': () => answer.promise });
  const past = aClaimRow({ id: 5, date: '2026-11-20', character_name: 'Old Bram' });
  await open('?day=2026-11-21', { respawn: spots, claim: [aClaim({ id: 1 })] });
  expect(names()).toEqual(['Arden Vale']);
  expect(within(list()).queryByText('Loading…')).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: /^Friday,? 20 November/ }));
  expect(within(list()).getByText('Loading…')).toBeTruthy();
  await act(async () => answer.resolve(ok([past])));
  expect(await within(list()).findByText('Old Bram')).toBeTruthy();
  expect(names()).toEqual(['Old Bram']);
});
