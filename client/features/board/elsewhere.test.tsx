import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Occupancy } from '../../../shared/schemas/occupancy.ts';
import { applyChanges } from '../../store/board-store.ts';
import { clearTheScene, freeHour, middleOf, mouse, setTheScene, show, TODAY } from './place/test/place-scene.tsx';

beforeEach(setTheScene);
afterEach(clearTheScene);

// Of "Winter", while "Double week" is active: SS+16 to SS+20 of Fire Library.
const winter: Occupancy = {
  ...{ id: 70, character_name: 'Old Bram', event_name: 'Winter', first_date: TODAY, last_date: '2026-11-30' },
  parts: [{ respawn_id: 1, hour_start: 16, hour_end: 20 }],
};
const card = (): HTMLElement => {
  const name = screen.getByText('Fire Library', { selector: '[data-spot] *' });
  const found = name.closest<HTMLElement>('[data-spot]');
  if (!found) throw new Error('no card');
  return found;
};

test('hours of another event’s claim are taken on the card, with whose they are, and can be waited for', async () => {
  await show('/', { occupancy: [winter] });
  expect(card().textContent).toContain('Old Bram, taken, in Winter');
  expect(within(card()).getByTitle('taken, in Winter')).toBeTruthy();
  expect(card().textContent).not.toMatch(/free SS\+12 to SS\+19/);
  await userEvent.click(within(card()).getByRole('button', { name: /Old Bram, taken, in Winter.*Wait for these hours/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Wait for Fire Library' });
  expect(within(dialog).getByRole('list', { name: 'Who has these hours' }).textContent).toContain('Old Bram, taken, in Winter');
  const join = await screen.findByRole('button', { name: 'Wait for 4 h' });
  expect(join.getAttribute('aria-disabled')).toBeNull();
});

test('a claim made in place ends where they begin, in the timeline they are a bar, and both follow the board live', async () => {
  await show('/?view=timeline', { occupancy: [winter] });
  expect(screen.getByRole('button', { name: 'Old Bram, taken, in Winter, SS+16 to SS+20, Wait for these hours' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: /^Claim Fire Library from SS\+17,/ })).toBeNull();
  fireEvent.click(freeHour(14), { ...mouse, clientX: middleOf(14) });
  expect(await screen.findByRole('button', { name: /^Claim [24] h$/ })).toBeTruthy();
  expect(screen.getByText(/^SS\+12 to SS\+16/)).toBeTruthy();
  await act(async () => void applyChanges({ clock: 2, changes: [{ op: 'remove', kind: 'occupancy', id: 70 }] }));
  expect(screen.queryByText('taken, in Winter')).toBeNull();
  expect(freeHour(17)).toBeTruthy();
});

test('Free at counts them as taken', async () => {
  await show('/?view=timeline&free=17&for=2', { occupancy: [winter] });
  expect(screen.queryByRole('rowheader', { name: 'Fire Library' })).toBeNull();
});
