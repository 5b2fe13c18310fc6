import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Occupancy } from '../../../shared/schemas/occupancy.ts';
import { applyChanges } from '../../state/board-store.ts';
import {
  freeHour,
  middleOf,
  mouse,
  resetScene,
  setUpScene,
  show,
  TODAY,
} from '../claiming/test/claim-scene.tsx';

beforeEach(setUpScene);
afterEach(resetScene);

// Of "Winter", while "Double week" is active: SS+16 to SS+20 of Fire Library.
const winter: Occupancy = {
  id: 70,
  character_name: 'Old Bram',
  event_name: 'Winter',
  first_date: TODAY,
  last_date: '2026-11-30',
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
  expect(card().textContent).toContain('Old Bram, taken in Winter');
  expect(within(card()).getByTitle('Old Bram, taken in Winter')).toBeTruthy();
  expect(card().textContent).not.toMatch(/free SS\+12 to SS\+19/);
  await userEvent.click(
    within(card()).getByRole('button', {
      name: /Old Bram, taken in Winter.*Join waitlist for these hours/,
    }),
  );
  const dialog = await screen.findByRole('dialog', { name: 'Waitlist: Fire Library' });
  expect(within(dialog).getByRole('list', { name: 'Claimed by' }).textContent).toContain(
    'Old Bram, taken in Winter',
  );
  const join = await screen.findByRole('button', { name: 'Join waitlist for 4 h' });
  expect(join.getAttribute('aria-disabled')).toBeNull();
});

test('a claim made in place ends where they start, the timeline shows them as a bar, and both are live', async () => {
  await show('/?view=timeline', { occupancy: [winter] });
  expect(
    screen.getByRole('button', {
      name: 'Old Bram, taken in Winter, SS+16 to SS+20, Join waitlist for these hours',
    }),
  ).toBeTruthy();
  expect(screen.queryByRole('link', { name: /^Claim Fire Library from SS\+17,/ })).toBeNull();
  fireEvent.click(freeHour(14), { ...mouse, clientX: middleOf(14) });
  expect(await screen.findByRole('button', { name: /^Claim [24] h$/ })).toBeTruthy();
  expect(screen.getByText(/^SS\+12 to SS\+16 ·/)).toBeTruthy();
  await act(
    async () =>
      void applyChanges({ clock: 2, changes: [{ op: 'remove', kind: 'occupancy', id: 70 }] }),
  );
  expect(screen.queryByText('taken in Winter')).toBeNull();
  expect(freeHour(17)).toBeTruthy();
});

test('Free at counts them as taken', async () => {
  await show('/?view=timeline&free=17&for=2', { occupancy: [winter] });
  expect(screen.queryByRole('rowheader', { name: 'Fire Library' })).toBeNull();
});

test('the viewer’s own hours in another event are marked as theirs, with no waitlist to join', async () => {
  const own: Occupancy = { ...winter, character_name: 'arden vale' };
  await show('/', { occupancy: [own] });
  const row = within(card()).getByRole('list', { name: 'Hours taken in other events' });
  expect(row.textContent).toMatch(/arden vale, taken in Winteryou$/);
  expect(within(row).queryByRole('button', { name: /Join waitlist for these hours/ })).toBeNull();
});

test('so they are in the timeline', async () => {
  await show('/?view=timeline', { occupancy: [{ ...winter, character_name: 'arden vale' }] });
  expect(
    screen.getByRole('button', { name: 'arden vale (you), taken in Winter, SS+16 to SS+20' }),
  ).toBeTruthy();
});

test('the last claim is not offered again on a date on which the viewer has a claim of another event', async () => {
  localStorage.setItem(
    'lastClaim:arden vale',
    JSON.stringify({ id: 1, respawn_id: 2, hour_start: 20, hour_end: 22 }),
  );
  await show('/', { occupancy: [winter] });
  expect(screen.getByRole('link', { name: /^Again: 2 h at SS\+20/ })).toBeTruthy();
  const own: Occupancy = { ...winter, id: 71, character_name: 'arden vale' };
  await act(
    async () =>
      void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'occupancy', record: own }] }),
  );
  expect(screen.queryByRole('link', { name: /^Again:/ })).toBeNull();
  localStorage.clear();
});
