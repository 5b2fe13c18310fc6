import { act, render, screen, within } from '@testing-library/react';
import { Profiler, type ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyChanges, applySnapshot, clearBoard, useBoard } from '../../../state/board-store.ts';
import { aClaim, aSpot, aWait } from '../../../test/records.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { SpotCard } from '../../board/cards/spot-card.tsx';
import { SpotRow } from '../../board/timeline/spot-row.tsx';

/** How often a whole card or row was drawn: each has one emblem. */
const drawn = vi.hoisted(() => ({ cards: 0 }));
vi.mock('../../../ui/emblem.tsx', () => ({
  Emblem: () => {
    drawn.cards += 1;
    return null;
  },
}));

const DATE = '2026-11-21';
const HELD_UNTIL = '2026-11-21T21:36:30Z';
const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  clearBoard();
});

const day = {
  date: DATE,
  today: DATE,
  now: 12.5,
  event: null,
  viewer: null,
  search: '',
  waits: 'open',
} as const;
const held = aClaim({
  id: 1,
  respawn_id: 1,
  character_name: 'Arden Vale',
  hour_start: 16,
  hour_end: 20,
  is_held: 1,
  held_until: HELD_UNTIL,
});
const offered = aWait({ id: 5, status: 'offered', held_claim_id: 1, held_until: HELD_UNTIL });
const other = aClaim({
  id: 2,
  respawn_id: 2,
  character_name: 'Mira Stormcrow',
  hour_start: 2,
  hour_end: 6,
});

let renders = new Map<string, number>();

/** Two spots, of one of which hours are held; it counts what renders. */
function show(part: (id: number) => ReactNode): void {
  applySnapshot(1, {
    respawn: [aSpot(1, 'Fire Library'), aSpot(2, 'Cobra Bastion')],
    claim: [held, other],
    wait: [offered],
  });
  renders = new Map();
  render(
    <MemoryRouter>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        {[1, 2].map((id) => (
          <Profiler
            key={id}
            id={`spot ${id}`}
            onRender={(name) => void renders.set(name, (renders.get(name) ?? 0) + 1)}
          >
            {part(id)}
          </Profiler>
        ))}
      </LocalTimeContext>
    </MemoryRouter>,
  );
  renders.clear();
  drawn.cards = 0;
}
const cardOf = (id: number): ReactNode => <SpotCard id={id} {...day} />;
const rowOf = (id: number): ReactNode => (
  <SpotRow
    id={id}
    date={DATE}
    over={12}
    viewer={null}
    withCategory={false}
    waits="open"
    activeHour={null}
    activeLane={null}
    index={id}
    top={0}
    height={44}
  />
);
const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));
const put = (record: typeof held): void =>
  act(
    () =>
      void applyChanges({
        clock: useBoard.getState().clock + 1,
        changes: [{ op: 'put', kind: 'claim', record }],
      }),
  );

test.each([
  ['card', cardOf, ', '],
  ['row', rowOf, 'held, '],
])(
  'a %s shows for whom hours are held and how long; its minutes count down and render nothing else',
  (_, part, words) => {
    show(part);
    expect(
      screen.getByRole('button', { name: /held for Arden Vale, 7 min|Arden Vale, held, 7 min/ }),
    ).toBeTruthy();
    // The elements around the minutes are reused, and the other spot doesn't render.
    const around = screen.getByText(`${words}7 min`).closest('li, [role="row"]');
    const before = around?.innerHTML.replaceAll('7 min', '');
    pass(30_000);
    expect(screen.getByText(`${words}6 min`)).toBeTruthy();
    pass(MINUTE);
    expect(screen.getByText(`${words}5 min`)).toBeTruthy();
    expect(around?.innerHTML.replaceAll('5 min', '')).toBe(before);
    expect([...renders]).toEqual([['spot 1', 2]]);
    expect(drawn.cards).toBe(0);
  },
);

test('a new hold and a taken one render one card each', () => {
  show(cardOf);
  put({ ...held, is_held: 0, held_until: null });
  expect([...renders]).toEqual([['spot 1', 1]]);
  expect(screen.queryByText(/held for/)).toBeNull();
  expect(screen.getByText('Arden Vale')).toBeTruthy();
});

test('a waitlist entry renders only its spot’s card', () => {
  show(cardOf);
  const record = aWait({
    id: 6,
    respawn_id: 2,
    hour_start: 2,
    hour_end: 6,
    character_name: 'Old Bram',
  });
  act(() => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'wait', record }] }));
  expect([...renders]).toEqual([['spot 2', 1]]);
});

test('an expired hold is free at once, on the card and in the timeline, before the server processes it', () => {
  show((id) => (
    <>
      {cardOf(id)}
      {rowOf(id)}
    </>
  ));
  const strip = (): string | null =>
    screen.getAllByRole('button', { name: /Use the arrow keys/ })[0]?.getAttribute('aria-label') ??
    null;
  const row = (): HTMLElement =>
    screen.getByRole('rowheader', { name: 'Fire Library' }).closest('[role="row"]') ??
    document.body;
  expect(strip()).toMatch(/Taken: SS\+16 to SS\+20/);
  expect(within(row()).queryByRole('link', { name: /from SS\+16/ })).toBeNull();
  pass(6.5 * MINUTE - 1);
  expect(strip()).toMatch(/Taken/);
  pass(1);
  expect(strip()).toMatch(/Free: SS\+12 to SS\+24/);
  expect(within(row()).getByRole('link', { name: /from SS\+16/ })).toBeTruthy();
  expect(screen.queryByText(/held for/)).toBeNull();
  // Taken at the last moment after all: the server alone decides.
  put({ ...held, is_held: 0, held_until: null });
  expect(strip()).toMatch(/Taken: SS\+16 to SS\+20/);
});

test('in a picture a hold has no minutes', () => {
  show((id) => <SpotCard id={id} {...day} photo />);
  expect(screen.getByText('held for Arden Vale')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Join waitlist for these hours/ })).toBeNull();
});
