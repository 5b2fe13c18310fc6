import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyChanges, applySnapshot, clearBoard } from '../../store/board-store.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { Board } from './board.tsx';
import { aCategory, aClaim, anEvent, aSpot } from './test-records.ts';

const watched = new Set<Element>();
let tell: (entries: Pick<IntersectionObserverEntry, 'target' | 'isIntersecting'>[]) => void;

/** Says what is in view when the test does. */
class ObserverInTest {
  constructor(callback: typeof tell) {
    tell = callback;
  }
  observe = (element: Element): unknown => watched.add(element);
  unobserve = (element: Element): unknown => watched.delete(element);
}
vi.stubGlobal('IntersectionObserver', ObserverInTest);

const COUNT = 40;
const claimed = Array.from({ length: COUNT }, (_, i) => i + 1);
const free = Array.from({ length: COUNT }, (_, i) => COUNT + i + 1);

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  applySnapshot(1, {
    respawn: [...claimed, ...free].map((id) => aSpot(id, `Spot ${id}`, 10)),
    category: [aCategory(10, 'Ankrahmun')],
    claim: claimed.map((id) => aClaim(id, id, { character_name: `Hunter ${id}` })),
    event: [anEvent()],
  });
});
afterEach(() => {
  vi.useRealTimers();
  clearBoard();
});

function show(address = '/'): void {
  render(
    <MemoryRouter initialEntries={[address]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <Board />
      </LocalTimeContext>
    </MemoryRouter>,
  );
}

const hunters = (): (string | null)[] => screen.queryAllByText(/^Hunter \d+$/).map((name) => name.textContent);
const elementOf = (name: string): Element => {
  const element = screen.getByText(name).closest('article, li');
  if (!element) throw new Error(`${name} is not on the board`);
  return element;
};
const comesNear = (...names: string[]): void => act(() => tell(names.map((name) => ({ target: elementOf(name), isIntersecting: true }))));

test('every spot is there by name; a day is drawn on the first cards and on those that come near the view', () => {
  show();
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(claimed.map((id) => `Spot ${id}`));
  expect(hunters()).toEqual(['Hunter 1', 'Hunter 2', 'Hunter 3']);
  comesNear('Spot 39');
  expect(hunters()).toEqual(['Hunter 1', 'Hunter 2', 'Hunter 3', 'Hunter 39']);
  act(() => tell([{ target: elementOf('Spot 20'), isIntersecting: false }]));
  expect(hunters()).toHaveLength(4);
});

test('every spot can be followed to its claim form, drawn or not; drawing it moves neither its name nor the focus', () => {
  show();
  const [claimed, free] = [screen.getByRole('link', { name: 'Spot 39' }), screen.getByRole('link', { name: 'Claim Spot 80' })];
  expect(free.querySelector('img')).toBeNull();
  free.focus();
  comesNear('Spot 39', 'Spot 80');
  expect(free.querySelector('img')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Spot 39' })).toBe(claimed);
  expect(document.activeElement).toBe(free);
});

test('what was drawn stays drawn, and is not watched any more', () => {
  show();
  const before = watched.size;
  comesNear('Spot 20');
  expect(watched.size).toBe(before - 1);
  act(() => applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: aClaim(20, 20, { character_name: 'Hunter 200' }) }] }));
  expect(hunters()).toContain('Hunter 200');
});

test('what was seen is drawn at once in another order, and as the card that its first claim makes of it', async () => {
  show();
  comesNear('Spot 20', 'Spot 80');
  act(() => applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: aClaim(80, 80, { character_name: 'Hunter 80' }) }] }));
  expect(hunters()).toContain('Hunter 80');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sort' }), 'alphabetical');
  expect(hunters()).toEqual(['Hunter 1', 'Hunter 2', 'Hunter 3', 'Hunter 20', 'Hunter 80']);
});

test('of a sorted list, too, only the first cards are drawn', () => {
  show('/?sort=most_claims');
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(2 * COUNT);
  expect(hunters()).toHaveLength(3);
});

test('in photo mode every card is drawn: a picture does not scroll', () => {
  vi.stubGlobal('innerWidth', 1440);
  show('/?photoMode=true');
  expect(hunters()).toHaveLength(COUNT);
});

test('on paper everything is drawn', () => {
  show();
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(hunters()).toHaveLength(COUNT);
  expect(document.querySelectorAll('li img')).toHaveLength(COUNT);
  act(() => void window.dispatchEvent(new Event('afterprint')));
});
