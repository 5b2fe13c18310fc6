import { act, screen, waitFor } from '@testing-library/react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyChanges, applySnapshot, clearBoard } from '../../../state/board-store.ts';
import { aCategory, aClaim, anActiveEvent, aSpot } from '../../../test/records.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { Board } from '../board.tsx';

const COUNT = 16;
const claimed = Array.from({ length: COUNT }, (_, i) => i + 1);
const free = Array.from({ length: COUNT }, (_, i) => COUNT + i + 1);
const namesOf = (ids: readonly number[]): string[] => ids.map((id) => `Hunter ${id}`);

let root: Root;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  applySnapshot(1, {
    respawn: [...claimed, ...free].map((id) => aSpot(id, `Spot ${id}`, id % 2 ? 10 : 20)),
    category: [aCategory(10, 'Ankrahmun'), aCategory(20, 'Marapur')],
    claim: claimed.map((id) => aClaim({ id, respawn_id: id, character_name: `Hunter ${id}` })),
    event: [anActiveEvent()],
  });
});
afterEach(() => {
  act(() => root.unmount());
  document.body.innerHTML = '';
  vi.unstubAllGlobals();
  vi.useRealTimers();
  clearBoard();
});

/** Renders as a browser does, which paints before the rest is done; `act` would wait for all of it. */
function open(address = '/'): void {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  root = createRoot(document.body.appendChild(document.createElement('div')));
  flushSync(() =>
    root.render(
      <MemoryRouter initialEntries={[address]}>
        <LocalTimeContext value={(_, hour) => `${hour}:00`}>
          <Board />
        </LocalTimeContext>
      </MemoryRouter>,
    ),
  );
}

const hunters = (): (string | null)[] =>
  screen.queryAllByText(/^Hunter \d+$/).map((name) => name.textContent);
const freeSpots = (): (string | null)[] =>
  [...document.querySelectorAll('li a')].map((tile) => tile.textContent);
const odd = claimed.filter((id) => id % 2 === 1);
const even = claimed.filter((id) => id % 2 === 0);

test('the first cards are complete at once; all others follow in order', async () => {
  open();
  expect(hunters()).toEqual(namesOf(odd.slice(0, 6)));
  await waitFor(() =>
    expect(freeSpots()).toEqual([...odd, ...even].map((id) => `Spot ${COUNT + id}`)),
  );
  expect(hunters()).toEqual(namesOf([...odd, ...even]));
});

test('rendered spots keep their elements, and so the focus, while the rest is added', async () => {
  open();
  const link = screen.getByRole('link', { name: 'Spot 1' });
  link.focus();
  await waitFor(() => expect(hunters()).toHaveLength(COUNT));
  expect(screen.getByRole('link', { name: 'Spot 1' })).toBe(link);
  expect(document.activeElement).toBe(link);
});

test('a sorted list is rendered in the same way; a later spot is inserted in its place', async () => {
  open('/?sort=most_claims');
  expect(hunters()).toHaveLength(6);
  await waitFor(() => expect(hunters()).toHaveLength(COUNT));
  applyChanges({
    clock: 2,
    changes: [{ op: 'put', kind: 'respawn', record: aSpot(99, 'Spot 99', 10) }],
  });
  expect(await screen.findByText('Spot 99')).toBeTruthy();
});

test('photo mode renders all cards at once', () => {
  vi.stubGlobal('innerWidth', 1440);
  open('/?photoMode=true');
  expect(hunters()).toHaveLength(COUNT);
});

test('printing renders everything before layout', () => {
  open();
  flushSync(() => window.dispatchEvent(new Event('beforeprint')));
  expect(hunters()).toHaveLength(COUNT);
  expect(document.querySelectorAll('li img')).toHaveLength(COUNT);
  flushSync(() => window.dispatchEvent(new Event('afterprint')));
});
