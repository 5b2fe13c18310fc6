import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyChanges, useBoard } from '../../../state/board-store.ts';
import { aClaim, aType } from '../../../test/records.ts';
import {
  claimArrives,
  claimButton,
  drag,
  middleOf,
  mouse,
  popover,
  releasePointer,
  resetScene,
  server,
  setUpScene,
  show,
  strip,
  TODAY,
  taken,
} from '../test/claim-scene.tsx';

beforeEach(setUpScene);
afterEach(resetScene);

const TOMORROW = '2026-11-22';
const track = (): HTMLElement => {
  const found = document.querySelector<HTMLElement>('[data-track]');
  if (!found) throw new Error('no track');
  return found;
};
const at = (hour: number): object => ({ ...mouse, clientX: middleOf(hour, 0) });
const press = (hour: number): void => {
  fireEvent.pointerDown(track(), at(hour));
  fireEvent.pointerUp(track(), at(hour));
};

test('in the popover, a press on the track moves the hours, a drag moves them along, and handles change their ends', async () => {
  await show();
  await drag(14, 15);
  releasePointer();
  await claimButton(2);
  // Mira has SS+19 to SS+22.
  press(20);
  expect((await popover()).textContent).toContain('SS+14 to SS+16');
  press(18);
  expect((await popover()).textContent).toContain('SS+17 to SS+19');
  fireEvent.pointerDown(track(), at(17));
  fireEvent.pointerMove(track(), at(15));
  fireEvent.pointerUp(track(), at(15));
  expect((await popover()).textContent).toContain('SS+15 to SS+17');
  const start = screen.getByRole('slider', { name: 'Start' });
  fireEvent.keyDown(start, { key: 'Home' });
  // SS+12 is running.
  expect(start.getAttribute('aria-valuenow')).toBe('13');
});

test('another day keeps the chosen hours that are free there; the next day has all of them again', async () => {
  await show('/', {
    claim: [
      taken,
      aClaim({
        id: 2,
        respawn_id: 1,
        character_name: 'Old Bram',
        date: TOMORROW,
        hour_start: 16,
        hour_end: 17,
      }),
    ],
  });
  const user = userEvent.setup();
  await drag(14, 16, { on: strip(), before: 0 });
  releasePointer();
  await claimButton(3);
  expect(document.querySelector('[class*="inStrip"]')).toBeTruthy();
  const [back, next] = ['Previous day', 'Next day'].map((name) =>
    screen.getAllByRole('button', { name }).at(-1),
  );
  if (!back || !next) throw new Error('the panel has no days');
  expect(back.getAttribute('aria-disabled')).toBe('true');
  await user.click(next);
  expect((await popover()).textContent).toContain('TomorrowSS+14 to SS+16');
  // The board shows another day.
  expect(document.querySelector('[class*="inStrip"]')).toBeNull();
  await user.click(next);
  expect((await popover()).textContent).toContain('Mon 23 NovSS+14 to SS+17');
  await user.click(back);
  await user.click(await claimButton(2));
  await vi.waitFor(() =>
    expect(server.posted[0]?.body).toMatchObject({
      claims: [{ date: TOMORROW, hour_start: 14, hour_end: 16 }],
    }),
  );
});

test('a character with a claim today can claim for tomorrow from the same panel', async () => {
  await show('/');
  claimArrives({
    respawn_id: 2,
    character_name: 'Arden Vale',
    date: TODAY,
    hour_start: 20,
    hour_end: 22,
  });
  await drag(14, 16, { on: strip(), before: 0 });
  act(() => void releasePointer());
  expect(await screen.findByText('CHARACTER ALREADY HAS A CLAIM FOR THIS DATE')).toBeTruthy();
  await userEvent.click(
    screen.getAllByRole('button', { name: 'Next day' }).at(-1) ?? document.body,
  );
  expect(await claimButton(3)).toBeTruthy();
  expect(screen.queryByText('CHARACTER ALREADY HAS A CLAIM FOR THIS DATE')).toBeNull();
});

const nextDay = (): HTMLElement =>
  screen.getAllByRole('button', { name: 'Next day' }).at(-1) ?? document.body;
const ownTomorrow = (id: number, date: string) =>
  aClaim({ id, respawn_id: 2, character_name: 'Arden Vale', date, hour_start: 18, hour_end: 21 });

const fireLibrary = (): HTMLElement => {
  const found = document.querySelector<HTMLElement>('[data-spot="1"] [data-hours-of]');
  if (!found) throw new Error('Fire Library has no strip');
  return found;
};

test('where the character has a claim, one press goes to the next free day with the same hours', async () => {
  const inTheWay = [
    ownTomorrow(3, TODAY),
    ownTomorrow(4, TOMORROW),
    aClaim({
      id: 5,
      respawn_id: 1,
      character_name: 'Old Bram',
      date: '2026-11-23',
      hour_start: 16,
      hour_end: 17,
    }),
  ];
  await show('/', { claim: [taken, ...inTheWay] });
  await drag(14, 16, { on: fireLibrary(), before: 0 });
  act(() => void releasePointer());
  const way = await screen.findByRole('button', { name: 'Next free day: Tue 24 Nov' });
  expect(screen.queryByRole('button', { name: 'Claim 3 h' })).toBeNull();
  await userEvent.click(way);
  expect((await popover()).textContent).toContain('Tue 24 NovSS+14 to SS+17');
  expect(document.activeElement).toBe(await claimButton(3));
});

test('a day without chosen hours opens with the usual ones, or the nearest to them', async () => {
  await show('/', { claim: [taken, ownTomorrow(3, TODAY)] });
  await userEvent.click(screen.getByRole('link', { name: 'Fire Library' }));
  expect(await screen.findByText('CHARACTER ALREADY HAS A CLAIM FOR THIS DATE')).toBeTruthy();
  await userEvent.click(nextDay());
  expect((await popover()).textContent).toContain('TomorrowSS+18 to SS+21');
});

test('a refusal that goes away while the panel is open leaves hours to claim', async () => {
  await show('/', { claim: [taken, ownTomorrow(3, TODAY)] });
  await drag(14, 16, { on: fireLibrary(), before: 0 });
  act(() => void releasePointer());
  expect(await screen.findByText('CHARACTER ALREADY HAS A CLAIM FOR THIS DATE')).toBeTruthy();
  act(() => {
    const clock = useBoard.getState().clock + 1;
    applyChanges({ clock, changes: [{ op: 'remove', kind: 'claim', id: 3 }] });
  });
  expect(await claimButton(3)).toBeTruthy();
  expect((await popover()).textContent).toContain('SS+14 to SS+17');
});

test('R9.28: hours end at the budget of the event', async () => {
  await show('/', {
    claim: [taken, { ...ownTomorrow(3, TOMORROW), event_id: 1 }],
    member_type: [aType('member', { max_hours_per_event: 5 })],
  });
  await drag(14, 18, { on: fireLibrary(), before: 0 });
  releasePointer();
  expect(await claimButton(2)).toBeTruthy();
});
