import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Claim } from '../../../../shared/schemas/claim.ts';
import type { CharacterStars } from '../../../../shared/schemas/star.ts';
import { applyChanges, applySnapshot, clearBoard } from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { applyStars, useStars } from '../../../state/stars.ts';
import { dismissToasts } from '../../../test/dismiss-toasts.ts';
import { aCategory, aClaim, aConfig, anActiveEvent, aSpot, aType } from '../../../test/records.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { ToastHost } from '../../../ui/toast.tsx';
import { Board } from '../board.tsx';
import { IDLE_MS } from '../use-board-view.ts';

const arden = {
  characterName: 'Arden Vale',
  memberType: 'member',
  accessKey: 'K',
  isVerified: true,
  createdAt: '',
};
const spots = [
  aSpot(1, 'Fire Library', 10),
  aSpot(2, 'Cobra Bastion', 10),
  aSpot(3, 'Ingol -2', 20),
  aSpot(4, 'Asura Palace', 20),
];
const held = (id: number, change: Partial<Claim> = {}): Claim =>
  aClaim({ id, character_name: 'Mira Stormcrow', respawn_id: id, ...change });

/** The character's stars on the mocked server; null: it cannot be reached. */
let onServer: number[] | null;
let clock = 0;
const sent = (...ids: number[]): CharacterStars => ({ epoch: 'a', clock: ++clock, ids });
async function answer(_address: string, { method, body }: RequestInit): Promise<Response> {
  if (onServer === null) throw new TypeError('Failed to fetch');
  const ids: number[] = method === 'POST' ? JSON.parse(String(body)).respawn_ids : [];
  onServer = ids;
  return Response.json({ success: true, data: sent(...ids) });
}

// 21:30 UTC is 13:30 Pacific, which is SS+12.
beforeEach(() => {
  vi.useFakeTimers({
    now: new Date('2026-11-21T21:30:00Z'),
    toFake: ['Date', 'setTimeout', 'clearTimeout'],
  });
  localStorage.clear();
  onServer = [];
  vi.stubGlobal('fetch', answer);
  useSession.setState({ status: 'ready', current: arden, profiles: [arden], admin: null });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  dismissToasts();
  clearBoard();
  useSession.setState({ status: 'checking', current: null, profiles: [] });
  useStars.setState({ who: '', ids: new Set(), revision: 0 });
});

function show(claim: Claim[], address = '/'): void {
  applySnapshot(1, {
    respawn: spots,
    category: [aCategory(10, 'Ankrahmun'), aCategory(20, 'Marapur')],
    claim,
    event: [anActiveEvent()],
    member_type: [aType('member')],
    config: [aConfig()],
  });
  render(
    <MemoryRouter initialEntries={[address]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <Board />
      </LocalTimeContext>
    </MemoryRouter>,
  );
}
const section = (name: string): HTMLElement => screen.getByRole('region', { name });
/** The sections from top to bottom, each with its spots. */
const places = (): string[] =>
  screen.getAllByRole('region').map((region) => {
    const names = [...region.querySelectorAll('[data-spot]')].map(
      (spot) => spot.querySelector('h3, a')?.textContent,
    );
    return `${within(region).getByRole('heading', { level: 2 }).textContent}: ${names.join(', ')}`;
  });
const comes = (clock: number, claim: Claim): void =>
  act(() => void applyChanges({ clock, changes: [{ op: 'put', kind: 'claim', record: claim }] }));

/** The names on the shelf. */
const shelf = (): string[] =>
  within(section('Yours'))
    .getAllByRole('button')
    .map(({ textContent }) => textContent ?? '');

// "Each category has a claimed section (respawn cards with claims) and an unclaimed section (a compact image grid)".
test('every spot stands in its category, claimed or unclaimed, own and starred ones too; a shelf above leads to them', () => {
  localStorage.setItem('stars:arden vale', JSON.stringify(sent(3)));
  show([held(1), held(2, { character_name: 'Arden Vale' }), held(4, { date: '2026-11-22' })]);
  expect(shelf()).toEqual(['Cobra Bastion', 'Ingol -2']);
  expect(places().slice(1)).toEqual([
    'Ankrahmun: Cobra Bastion, Fire Library',
    'Marapur: Asura Palace, Ingol -2',
  ]);
  expect(within(section('Ankrahmun')).getByText('2 of 2 claimed')).toBeTruthy();
  expect(within(section('Marapur')).getByText('0 of 2 claimed')).toBeTruthy();
  expect(within(section('Marapur')).getByRole('button', { name: '1 other day' })).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: /22 November/ }));
  // Cobra Bastion: the last claim can be made again there.
  expect(shelf()).toEqual(['Cobra Bastion', 'Ingol -2']);
  expect(places().slice(1)).toEqual([
    'Marapur: Asura Palace, Ingol -2',
    'Ankrahmun: Cobra Bastion, Fire Library',
  ]);
  expect(within(section('Marapur')).getByText('1 of 2 claimed')).toBeTruthy();
});

test('a press on the shelf outlines the spot in its category, and the keyboard goes on from there', () => {
  localStorage.setItem('stars:arden vale', JSON.stringify(sent(3)));
  show([held(1)]);
  const spot = within(section('Marapur')).getByRole('link', { name: 'Claim Ingol -2' });
  fireEvent.click(within(section('Yours')).getByRole('button', { name: 'Ingol -2' }));
  expect(spot.closest('[data-spot]')?.className).toMatch(/ringed/);
  expect(document.activeElement).toBe(spot);
});

test('a category shows its claimed spots as cards, then its unclaimed ones as tiles; a search counts only its matches', () => {
  show([held(1)]);
  expect(places()).toEqual([
    'Ankrahmun: Fire Library, Cobra Bastion',
    'Marapur: Asura Palace, Ingol -2',
  ]);
  const ankrahmun = section('Ankrahmun');
  expect(within(ankrahmun).getByText('1 of 2 claimed')).toBeTruthy();
  expect(within(ankrahmun).getByRole('heading', { level: 3 }).textContent).toBe('Fire Library');
  expect(
    within(within(ankrahmun).getByRole('list', { name: 'Unclaimed spots: Ankrahmun' })).getByText(
      'Cobra Bastion',
    ),
  ).toBeTruthy();
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'cobra' } });
  act(() => vi.advanceTimersByTime(1000));
  expect(within(section('Ankrahmun')).getByText('1 spot')).toBeTruthy();
});

test('a starred spot is on the shelf at once, and stays in its place, and the focus on its star', async () => {
  show([held(1)]);
  const before = places();
  const star = screen.getByRole('button', { name: 'Star Ingol -2', pressed: false });
  act(() => star.focus());
  fireEvent.click(star);
  expect(shelf()).toEqual(['Ingol -2']);
  expect(places().slice(1)).toEqual(before);
  expect(document.activeElement).toBe(star);
  fireEvent.click(star);
  expect(places()).toEqual(before);
  fireEvent.click(star);
  await vi.waitFor(() => expect(onServer).toEqual([3]));
  expect(shelf()).toEqual(['Ingol -2']);
});

test('a star that the server refuses is removed, with the reason; the shelf keeps its place until the page is idle', async () => {
  onServer = null;
  show([held(1)]);
  render(<ToastHost />);
  fireEvent.click(screen.getByRole('button', { name: 'Star Ingol -2' }));
  expect(shelf()).toEqual(['Ingol -2']);
  await vi.waitFor(() =>
    expect(screen.getByText(/Couldn't star Ingol -2: Network error/)).toBeTruthy(),
  );
  expect(screen.getByRole('button', { name: 'Star Ingol -2', pressed: false })).toBeTruthy();
  // The cards are drawn after the star (`useDeferredValue`).
  await vi.waitFor(() => expect(within(section('Yours')).queryAllByRole('button')).toEqual([]));
  act(() => vi.advanceTimersByTime(IDLE_MS));
  await vi.waitFor(() => expect(screen.queryByRole('region', { name: 'Yours' })).toBeNull());
});

test('stars from another device show at once, but the first shelf waits until the page is idle', () => {
  localStorage.setItem('stars:arden vale', JSON.stringify(sent()));
  show([held(1)]);
  const before = places();
  act(() => applyStars('K', sent(3)));
  expect(screen.getByRole('button', { name: 'Star Ingol -2', pressed: true })).toBeTruthy();
  expect(places()).toEqual(before);
  act(() => vi.advanceTimersByTime(IDLE_MS));
  expect(shelf()).toEqual(['Ingol -2']);
});

test('nothing jumps when one claims: the tile stays, the counts change, the first shelf waits until the page is idle', () => {
  show([held(1)]);
  const before = places();
  comes(2, held(9, { respawn_id: 3, character_name: 'Arden Vale' }));
  expect(places()).toEqual(before);
  expect(within(section('Marapur')).getByText('1 of 2 claimed')).toBeTruthy();
  act(() => vi.advanceTimersByTime(IDLE_MS));
  expect(shelf()).toEqual(['Ingol -2']);
  expect(places().slice(1)).toEqual([
    'Ankrahmun: Fire Library, Cobra Bastion',
    'Marapur: Ingol -2, Asura Palace',
  ]);
});

test('the first stars of a character on this device are on the shelf at once', () => {
  show([held(1)]);
  act(() => applyStars('K', sent(3)));
  expect(shelf()).toEqual(['Ingol -2']);
});

test('a star that cannot be removed says so', async () => {
  localStorage.setItem('stars:arden vale', JSON.stringify(sent(3)));
  onServer = null;
  show([held(1)]);
  render(<ToastHost />);
  fireEvent.click(screen.getByRole('button', { name: 'Star Ingol -2', pressed: true }));
  await vi.waitFor(() =>
    expect(screen.getByText(/Couldn't remove the star from Ingol -2: Network error/)).toBeTruthy(),
  );
});

test('spots keep their places while the page is used, and are sorted when it is idle', () => {
  show([held(1)]);
  const before = places();
  comes(2, held(9, { respawn_id: 3, hour_start: 18, hour_end: 22, character_name: 'Dara Holt' }));
  act(() => vi.advanceTimersByTime(IDLE_MS - 1000));
  fireEvent.pointerMove(window);
  act(() => vi.advanceTimersByTime(IDLE_MS - 1000));
  expect(places()).toEqual(before);
  act(() => vi.advanceTimersByTime(1000));
  expect(places()).toEqual([
    'Ankrahmun: Fire Library, Cobra Bastion',
    'Marapur: Ingol -2, Asura Palace',
  ]);
});

test('a newly claimed spot stays in place and shows the claimant, marked as new; later it moves to the claimed ones', () => {
  show([held(1)]);
  const before = places();
  comes(2, held(9, { respawn_id: 3, hour_start: 18, hour_end: 22, character_name: 'Dara Holt' }));
  expect(places()).toEqual(before);
  const tile = screen.getByText('Dara Holt').closest('[role=article]');
  expect(tile?.textContent).toContain('SS+18 to SS+22');
  expect(tile?.textContent).toContain('Dara Holtnew');
  expect(within(section('Marapur')).getByText('1 of 2 claimed')).toBeTruthy();
  act(() => vi.advanceTimersByTime(8000));
  expect(screen.queryByText('new')).toBeNull();
  act(() => vi.advanceTimersByTime(IDLE_MS));
  expect(places()).toEqual([
    'Ankrahmun: Fire Library, Cobra Bastion',
    'Marapur: Ingol -2, Asura Palace',
  ]);
});

test('the last claim is made again from its spot, which is on the shelf while that can be done', () => {
  show([
    held(7, {
      respawn_id: 3,
      character_name: 'Arden Vale',
      hour_start: 16,
      hour_end: 20,
      date: '2026-11-20',
    }),
  ]);
  expect(shelf()).toEqual(['Ingol -2']);
  const again = screen.getByRole('link', { name: 'Again: 4 h at SS+16' });
  expect(again.getAttribute('href')).toBe('/input?respawn=3&date=2026-11-21&hour=16&hours=4');
  comes(2, held(8, { respawn_id: 3, hour_start: 19, hour_end: 21 }));
  expect(screen.queryByRole('link', { name: /^Again/ })).toBeNull();
});

test('search matches are marked, and a spot found by a claim of another day shows that claim', () => {
  show(
    [held(1, { date: '2026-11-22' }), held(2, { date: '2026-11-23', character_name: 'Old Bram' })],
    '/?search=storm',
  );
  expect(places()).toEqual(['Ankrahmun: Fire Library']);
  const hit = screen.getByText('Storm');
  expect(hit.tagName).toBe('MARK');
  expect(hit.closest('section section')?.textContent).toMatch(
    /Sun,? 22 Nov.*SS\+10 to SS\+14.*Mira Stormcrow/,
  );
});

test('a card names every stretch that is free, of many the first and how many more', () => {
  const taken = [0, 14, 17, 20, 22].map((hour, i) =>
    held(10 + i, { respawn_id: 1, hour_start: hour, hour_end: hour + 1 }),
  );
  show(taken);
  const card = screen.getByRole('heading', { name: 'Fire Library' }).closest('article');
  expect(card?.textContent).toContain(
    'free SS+12 to SS+14, SS+15 to SS+17, SS+18 to SS+20, 2 more free ranges',
  );
});
