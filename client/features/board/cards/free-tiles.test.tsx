import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showSpot } from '../../../state/board-place.ts';
import { applyChanges, applySnapshot, clearBoard } from '../../../state/board-store.ts';
import { aCategory, aClaim, anActiveEvent, aSpot } from '../../../test/records.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { Board } from '../board.tsx';

/** Ankrahmun has more free spots than fit, Marapur has not. */
const crowded = Array.from({ length: 14 }, (_, i) => aSpot(i + 1, `Tomb ${i + 10}`, 10));
const few = [aSpot(20, 'Asura Palace', 20)];

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  applySnapshot(1, {
    respawn: [...crowded, ...few],
    category: [aCategory(10, 'Ankrahmun'), aCategory(20, 'Marapur')],
    claim: [aClaim({ id: 1, respawn_id: 1 })],
    event: [anActiveEvent()],
  });
});
afterEach(() => {
  vi.useRealTimers();
  act(() => clearBoard());
});

const STORED = 'board:free-spots-shown';
const show = (address = '/'): (() => void) =>
  render(
    <MemoryRouter initialEntries={[address]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <Board />
      </LocalTimeContext>
    </MemoryRouter>,
  ).unmount;
const category = (name: string): HTMLElement => screen.getByRole('region', { name });
const tiles = (name: string): (string | null)[] =>
  [...category(name).querySelectorAll('li a')].map(({ textContent }) => textContent);
const line = (): HTMLElement => screen.getByRole('button', { name: /free/ });

test('many free spots are one line, a press shows them, and the choice is kept', () => {
  const leave = show();
  expect(line().textContent).toBe(
    `13 free ${crowded
      .slice(1)
      .map(({ name }) => name)
      .join(', ')} Show`,
  );
  expect(line().getAttribute('aria-expanded')).toBe('false');
  expect(tiles('Ankrahmun')).toEqual([]);
  expect(tiles('Marapur')).toEqual(['Asura Palace']);
  fireEvent.click(line());
  expect(tiles('Ankrahmun')).toHaveLength(13);
  expect(localStorage.getItem(STORED)).toBe('10');
  leave();
  show();
  expect(tiles('Ankrahmun')).toHaveLength(13);
  fireEvent.click(line());
  expect(tiles('Ankrahmun')).toEqual([]);
});

test('a spot that is claimed meanwhile is seen at once, and no longer counted as free', () => {
  show();
  act(
    () =>
      void applyChanges({
        clock: 2,
        changes: [{ op: 'put', kind: 'claim', record: aClaim({ id: 2, respawn_id: 5 }) }],
      }),
  );
  expect(tiles('Ankrahmun')).toEqual(['Tomb 14']);
  expect(within(line()).getByText('12 free')).toBeTruthy();
});

test('a spot that a link or the shelf leads to is shown, without a choice being kept', () => {
  show();
  act(() => showSpot({ respawn_id: 9, date: '2026-11-21' }));
  expect(tiles('Ankrahmun')).toContain('Tomb 18');
  expect(localStorage.getItem(STORED)).toBeFalsy();
  fireEvent.click(line());
  expect(tiles('Ankrahmun')).toEqual([]);
});

test('the choice of another tab stays', () => {
  show();
  localStorage.setItem(STORED, '20');
  fireEvent.click(line());
  expect(localStorage.getItem(STORED)).toBe('20,10');
  fireEvent.click(line());
});

test('a line says in which category its spots are free', () => {
  show();
  const described = document.getElementById(line().getAttribute('aria-describedby') ?? '');
  expect(described?.textContent).toBe('Ankrahmun');
});

test.each(['/?show=unclaimed', '/?search=tomb', '/?categoryFilter=10', '/?free=16&for=2'])(
  'who asks for free spots sees them: %s',
  (address) => {
    show(address);
    expect(tiles('Ankrahmun')).toHaveLength(13);
  },
);
