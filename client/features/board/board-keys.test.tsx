import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Overlays } from '../../app.tsx';
import { applySnapshot, clearBoard } from '../../state/board-store.ts';
import { aCategory, anActiveEvent, aSpot } from '../../test/records.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { Board } from './board.tsx';

// 21:30 UTC is 13:30 Pacific, which is SS+12.
beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
  clearBoard();
});

function show(): void {
  applySnapshot(1, {
    respawn: [
      aSpot(1, 'Cobra Bastion', 10),
      aSpot(2, 'Fire Library', 10),
      aSpot(3, 'Ingol -2', 20),
      aSpot(4, 'Ingol -3', 20),
    ],
    category: [aCategory(10, 'Ankrahmun'), aCategory(20, 'Marapur')],
    event: [anActiveEvent()],
  });
  render(
    <MemoryRouter>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <main tabIndex={-1}>
          <Board />
        </main>
        <Overlays />
        <button type="button">after</button>
      </LocalTimeContext>
    </MemoryRouter>,
  );
}
const day = (): string | null | undefined =>
  screen
    .getAllByRole<HTMLInputElement>('radio', { checked: true })
    .map((radio) => radio.getAttribute('aria-label'))
    .find((label) => label?.includes('November'));
const view = (): string =>
  screen.getByRole<HTMLInputElement>('radio', { name: /^(Cards|Timeline)$/, checked: true }).value;
const focused = (): string | null | undefined =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;

const leaveFocus = (): void => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
};

test('/ searches, and writes itself in the search', async () => {
  show();
  await userEvent.keyboard('/');
  const search = screen.getByRole('searchbox');
  expect(document.activeElement).toBe(search);
  await userEvent.keyboard('a/t?');
  expect(search).toHaveProperty('value', 'a/t?');
  expect(view()).toBe('cards');
});

test('Enter in the search moves to the first hours of the first result', async () => {
  show();
  await userEvent.keyboard('/ingol -3{Enter}');
  expect(focused()).toBe('Claim Ingol -3');
  await userEvent.keyboard('t');
  await screen.findByRole('grid');
  await userEvent.keyboard('/{Enter}');
  expect(focused()).toMatch(/^Claim Ingol -3 from SS\+12,/);
});

test('t is the timeline, and once more the cards', async () => {
  show();
  await userEvent.keyboard('t');
  expect(view()).toBe('timeline');
  await userEvent.keyboard('t');
  expect(view()).toBe('cards');
});

test('arrows go from day to day, to the ends of the event, while nothing has the focus', async () => {
  show();
  await userEvent.keyboard('{ArrowRight}');
  expect(day()).toMatch(/22 November/);
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(day()).toMatch(/20 November/);
  await userEvent.keyboard('{ArrowLeft>12/}');
  expect(day()).toMatch(/15 November/);
  screen.getByRole('button', { name: 'Next day' }).focus();
  await userEvent.keyboard('{ArrowRight}');
  expect(day()).toMatch(/15 November/);
});

test('? opens the help; single keys can be switched off there, and stay off', async () => {
  show();
  await userEvent.keyboard('?');
  expect(await screen.findByRole('dialog', { name: 'How the board works' })).toBeTruthy();
  await userEvent.keyboard('t');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Use single-key shortcuts' }));
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  leaveFocus();
  await userEvent.keyboard('t?');
  expect(view()).toBe('cards');
  expect(screen.queryByRole('dialog')).toBeNull();
  // The way back needs no key.
  await userEvent.click(screen.getByRole('button', { name: 'How the board works' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Use single-key shortcuts' }));
  await userEvent.keyboard('{Escape}');
  leaveFocus();
  await userEvent.keyboard('t');
  expect(view()).toBe('timeline');
});

test('the T key moves the focus into the grid, where arrow keys work at once; a press of the switch keeps the focus', async () => {
  show();
  leaveFocus();
  await userEvent.keyboard('t');
  const grid = await screen.findByRole('grid');
  await waitFor(() => expect(grid.contains(document.activeElement)).toBe(true));
  const first = focused();
  await userEvent.keyboard('{ArrowRight}');
  expect(grid.contains(document.activeElement)).toBe(true);
  expect(focused()).not.toBe(first);
  await userEvent.keyboard('t');
  expect(view()).toBe('cards');
  await userEvent.click(screen.getByRole('radio', { name: 'Timeline' }));
  await screen.findByRole('grid');
  expect(screen.getByRole('grid').contains(document.activeElement)).toBe(false);
});

test('Tab stops once in each section, arrows move within it, and Shift Tab returns to its start', async () => {
  show();
  screen.getByRole('button', { name: 'How the board works' }).focus();
  const stops: (string | null | undefined)[] = [];
  for (let i = 0; i < 3; i++) {
    await userEvent.tab();
    stops.push(focused());
  }
  expect(stops).toEqual(['Claim Cobra Bastion', 'Claim Ingol -2', 'after']);
  await userEvent.tab({ shift: true });
  expect(focused()).toBe('Star Ingol -3');
  await userEvent.tab({ shift: true });
  expect(focused()).toBe('Claim Cobra Bastion');
  await userEvent.keyboard('{ArrowRight}');
  expect(focused()).toBe('Star Cobra Bastion');
  await userEvent.keyboard('{ArrowDown}');
  expect(focused()).toBe('Claim Fire Library');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(focused()).toBe('Star Fire Library');
  await userEvent.keyboard('{Home}');
  expect(focused()).toBe('Claim Cobra Bastion');
  await userEvent.tab({ shift: true });
  expect(focused()).toBe('How the board works');
});

test('the list of categories is one stop as well', async () => {
  show();
  screen.getByRole('button', { name: /^All spots/ }).focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(focused()).toMatch(/^Ankrahmun/);
  await userEvent.tab();
  expect(focused()).not.toMatch(/^Marapur/);
});
