import { act, render, screen } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addDays } from '../../../shared/rules/server-save.ts';
import { applySnapshot, clearBoard } from '../../state/board-store.ts';
import { setServerSaveClock } from '../../state/clock.ts';
import { aCategory, aClaim, anActiveEvent, aSpot } from '../../test/records.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { Board } from './board.tsx';

const TODAY = '2026-11-21';
const serverTime = (days: number, time: string): void =>
  setServerSaveClock({
    ss_time_zone: 'UTC',
    ss_hour: 0,
    server_time: `${addDays(TODAY, days)}T${time}.000Z`,
  });

beforeEach(() => {
  serverTime(0, '23:59:30');
  const claim = [0, 1, 2].map((days) =>
    aClaim({
      id: days + 1,
      respawn_id: 1,
      date: addDays(TODAY, days),
      character_name: `Hunter ${days}`,
    }),
  );
  applySnapshot(1, {
    respawn: [aSpot(1, 'Fire Library', 10)],
    category: [aCategory(10, 'Ankrahmun')],
    claim,
    event: [anActiveEvent()],
  });
});
afterEach(clearBoard);

function Address() {
  return <p>at {useLocation().search}</p>;
}

function show(address: string): void {
  render(
    <MemoryRouter initialEntries={[address]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <Board />
        <Address />
      </LocalTimeContext>
    </MemoryRouter>,
  );
}
const chosen = (): string | null =>
  screen.getByRole('radio', { checked: true, name: /November|Nov/ }).getAttribute('aria-label');

test('after the server save the board shows the new day', () => {
  show('/');
  const before = chosen();
  act(() => serverTime(1, '00:00:30'));
  expect(chosen()).not.toBe(before);
  expect(chosen()).toContain('22');
});

test('a chosen day that has become today moves on with the days', () => {
  show('/?date=2026-11-22');
  act(() => serverTime(1, '00:00:30'));
  act(() => serverTime(2, '00:00:30'));
  expect(chosen()).toContain('23');
});

test('a chosen day that is upcoming, or was past already, stays', () => {
  show('/?date=2026-11-24');
  act(() => serverTime(1, '00:00:30'));
  expect(chosen()).toContain('24');
  expect(screen.getByText('at ?date=2026-11-24')).toBeTruthy();
});
