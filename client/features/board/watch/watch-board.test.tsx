import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { saveLastBoard } from '../../../state/board-place.ts';
import { applyChanges, applySnapshot, clearBoard } from '../../../state/board-store.ts';
import { useServerSaveClock } from '../../../state/clock.ts';
import { toggleStar } from '../../../state/stars.ts';
import { aClaim, aSpot } from '../../../test/records.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { WatchBoard } from './watch-board.tsx';
import { currentAndNext } from './watched-hours.ts';

// Each rendering of a row's words calls it once.
vi.mock('./watched-hours.ts', { spy: true });

// 21:30 UTC is SS+12.
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  useServerSaveClock.setState({ ss_time_zone: 'UTC', ss_hour: 9, ahead_ms: 0 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
  clearBoard();
  localStorage.clear();
  Reflect.deleteProperty(navigator, 'wakeLock');
  useServerSaveClock.setState({ ss_time_zone: 'America/Los_Angeles', ss_hour: 1, ahead_ms: 0 });
});

const spots = [
  aSpot(1, 'Fire Library'),
  aSpot(2, 'Sea Serpents South'),
  aSpot(3, 'Ingol -2'),
  aSpot(4, 'Cobra Bastion'),
];
const onNow = aClaim({ id: 1, respawn_id: 2, hour_start: 11, hour_end: 13 });
const next = aClaim({
  id: 2,
  respawn_id: 2,
  hour_start: 13,
  hour_end: 15,
  character_name: 'Mira Stormcrow',
});
const later = aClaim({
  id: 3,
  respawn_id: 1,
  hour_start: 16,
  hour_end: 18,
  character_name: 'Old Bram',
});

function show(claim = [onNow, next, later]): void {
  applySnapshot(1, { respawn: spots, claim });
  render(
    <MemoryRouter>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <WatchBoard />
      </LocalTimeContext>
    </MemoryRouter>,
  );
}
const textOf = (element: Element): string => (element.textContent ?? '').replace(/\s+/g, ' ');
const rows = (): string[] =>
  within(screen.getByRole('region', { name: 'Hunts around now' }))
    .getAllByRole('heading')
    .map(textOf);
const row = (name: string): string =>
  textOf(screen.getByRole('heading', { name }).closest('li') ?? document.body);
const log = (): string => textOf(screen.getByRole('log'));

test('shows spots claimed around now and starred ones, current hunts first, with names and minutes left', () => {
  void toggleStar(4);
  show();
  expect(rows()).toEqual(['Sea Serpents South', 'Fire Library', 'Cobra Bastion']);
  expect(row('Sea Serpents South')).toContain('Arden Vale, 30 min left');
  expect(row('Sea Serpents South')).toContain('next Mira Stormcrow in 30 min');
  expect(row('Fire Library')).toContain('Free nownext Old Bram in 3 h 30 min');
  expect(row('Cobra Bastion')).toContain('Free now');
  expect(screen.getByText('1 hunting now')).toBeTruthy();
});

test('held hours show for whom they are held, and how long', () => {
  const held = { is_held: 1, held_until: '2026-11-21T21:37:00.000Z' } as const;
  show([{ ...onNow, ...held }, { ...next, ...held }, later]);
  expect(row('Sea Serpents South')).toContain('held for Arden Vale, 7 min');
  expect(row('Sea Serpents South')).toContain('held for Mira Stormcrow, SS+13 to SS+15');
  expect(row('Sea Serpents South')).not.toContain('30 min left');
  expect(screen.getByText('0 hunting now')).toBeTruthy();
});

test('without hunts around now, explains what will appear', () => {
  show([]);
  expect(screen.getByText(/Claimed and starred spots/)).toBeTruthy();
  expect(screen.getByText('No changes.')).toBeTruthy();
});

test('the row of a spot that changed is marked for eight seconds', () => {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z') });
  show();
  const marked = (): (string | null)[] =>
    [...document.querySelectorAll('li[data-changed] h2')].map(({ textContent }) => textContent);
  expect(marked()).toEqual([]);
  act(
    () =>
      void applyChanges({
        clock: 2,
        changes: [{ op: 'put', kind: 'claim', record: { ...later, hour_start: 15 } }],
      }),
  );
  expect(marked()).toEqual(['Fire Library']);
  act(() => vi.advanceTimersByTime(8_000));
  expect(marked()).toEqual([]);
});

test('lists new, moved and ended claims once in the side column', () => {
  show();
  act(
    () =>
      void applyChanges({
        clock: 2,
        changes: [
          {
            op: 'put',
            kind: 'claim',
            record: aClaim({ id: 9, respawn_id: 3, hour_start: 20, hour_end: 22 }),
          },
        ],
      }),
  );
  expect(log()).toMatch(/Claimedjust nowIngol -2Arden Vale SS\+20 to SS\+22/);
  act(
    () =>
      void applyChanges({
        clock: 3,
        changes: [{ op: 'put', kind: 'claim', record: { ...later, hour_start: 17, hour_end: 19 } }],
      }),
  );
  act(() => void applyChanges({ clock: 4, changes: [{ op: 'remove', kind: 'claim', id: 2 }] }));
  expect(log()).toMatch(/^Ended.*Mira Stormcrow.*Moved.*Old Bram SS\+17 to SS\+19.*Claimed/);
  // Of another history everything is new, and nothing news.
  act(() => applySnapshot(4, { respawn: spots, claim: [onNow] }, 'another'));
  expect(log()).toBe('');
});

test('one claim’s change renders one row, and a minute no row at all but its words', () => {
  show();
  vi.mocked(currentAndNext).mockClear();
  act(
    () =>
      void applyChanges({
        clock: 2,
        changes: [{ op: 'put', kind: 'claim', record: { ...later, hour_end: 19 } }],
      }),
  );
  expect(currentAndNext).toHaveBeenCalledTimes(1);
});

test('the sound is off until it is wanted, starts with the press, is kept, and silent until a press where the browser wants one', async () => {
  const tones: number[] = [];
  let state: AudioContextState = 'suspended';
  class FakeAudio extends EventTarget {
    currentTime = 0;
    get state(): AudioContextState {
      return state;
    }
    resume = async (): Promise<void> => {
      state = 'running';
      this.dispatchEvent(new Event('statechange'));
    };
    close = async (): Promise<void> => {};
    destination = {};
    createGain = () => ({
      gain: {
        setValueAtTime() {},
        linearRampToValueAtTime() {},
        exponentialRampToValueAtTime() {},
      },
      connect: (to: unknown) => to,
    });
    createOscillator = () => ({
      frequency: { value: 0 },
      connect: (to: unknown) => to,
      start: (at: number) => tones.push(at),
      stop() {},
    });
  }
  vi.stubGlobal('AudioContext', FakeAudio);
  const change = (clock: number): void =>
    act(
      () =>
        void applyChanges({
          clock,
          changes: [
            {
              op: 'put',
              kind: 'claim',
              record: aClaim({ id: clock, respawn_id: 3, date: `2026-12-0${clock}` }),
            },
          ],
        }),
    );
  show();
  change(2);
  expect(tones).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Sound: off' }));
  expect(screen.getByRole('button', { name: 'Sound: on' })).toBeTruthy();
  change(3);
  expect(tones.length).toBeGreaterThan(0);
  expect(localStorage.getItem('watch-sound')).toBe('on');
  act(() => {
    state = 'suspended';
  });
  // The page has one sound, however many ask for it.
  cleanup();
  show();
  await userEvent.click(screen.getByRole('button', { name: 'Sound: press to start' }));
  await userEvent.click(screen.getByRole('button', { name: 'Sound: on' }));
  expect(localStorage.getItem('watch-sound')).toBeNull();
});

test('Escape returns to the board as it was, unless it closes something', async () => {
  saveLastBoard({ search: 'show=claimed' });
  const Where = (): string => useLocation().search;
  render(
    <MemoryRouter initialEntries={['/?view=watch']}>
      <Where />
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <WatchBoard />
      </LocalTimeContext>
    </MemoryRouter>,
  );
  const menu = document.createElement('div');
  menu.setAttribute('role', 'menu');
  document.body.append(menu);
  await userEvent.keyboard('{Escape}');
  expect(screen.getByText('?view=watch')).toBeTruthy();
  menu.remove();
  await userEvent.keyboard('{Escape}');
  expect(screen.getByText('?show=claimed')).toBeTruthy();
  saveLastBoard({ search: '' });
});

test('keeps the screen awake, also after a return to the page, and says if that is not supported', async () => {
  show();
  expect(screen.getByText(/This browser can't keep the screen awake/)).toBeTruthy();
  document.body.replaceChildren();
  class Sentinel extends EventTarget {
    released = false;
    release = async (): Promise<void> => {};
  }
  const given: Sentinel[] = [];
  const request = vi.fn(async () => {
    const lock = new Sentinel();
    given.push(lock);
    return lock;
  });
  Object.defineProperty(navigator, 'wakeLock', { value: { request }, configurable: true });
  show();
  await waitFor(() => expect(request).toHaveBeenCalledTimes(1));
  expect(screen.queryByText(/screen awake/)).toBeNull();
  // A hidden page loses the lock, and gets the event before it is visible again.
  await act(async () => {
    for (const lock of given) lock.released = true;
    document.dispatchEvent(new Event('visibilitychange'));
  });
  expect(request).toHaveBeenCalledTimes(2);
});
