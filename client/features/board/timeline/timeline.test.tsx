import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Profiler, type ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Overlays } from '../../../app.tsx';
import { applyChanges, applySnapshot, clearBoard } from '../../../state/board-store.ts';
import { closeOverlay, useOverlays } from '../../../state/overlays.ts';
import { applyPresence, clearPresence } from '../../../state/presence-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { aCategory, aClaim, anActiveEvent, aSpot } from '../../../test/records.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { TooltipHost } from '../../../ui/tooltip.tsx';
import { claimsOn } from '../../claiming/day-claims.ts';
import { Board } from '../board.tsx';
// Fetched when hours are first chosen: how long a busy machine takes for it is in no test.
import '../../claiming/in-place/claim-in-place.tsx';
import './timeline.tsx';
import { SpotRow } from './spot-row.tsx';
import { HoursHead } from './timeline.tsx';

// Each render of a row for new claims asks for its day's claims once: counting the calls counts the rows.
vi.mock('../../claiming/day-claims.ts', { spy: true });

const arden = {
  characterName: 'Arden Vale',
  memberType: 'member',
  accessKey: 'K',
  isVerified: true,
  createdAt: '',
};

// 21:30 UTC is 13:30 Pacific, which is SS+12. There is no layout here, so the size of the frame is set.
beforeEach(() => {
  // Requests for claims of other events get no answer, so only those on the board count.
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
  useSession.setState({ status: 'ready', current: arden, profiles: [arden], admin: null });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.restoreAllMocks();
  clearBoard();
  clearPresence();
});

const spots = [
  aSpot(1, 'Fire Library', 10),
  aSpot(2, 'Cobra Bastion', 10),
  aSpot(3, 'Ingol -2', 20),
];
const categories = [aCategory(10, 'Ankrahmun'), aCategory(20, 'Marapur')];
const claims = [
  aClaim({ id: 1, respawn_id: 1, character_name: 'Mira Stormcrow', member_type: 'elite' }),
  aClaim({ id: 2, respawn_id: 2, hour_start: 2, hour_end: 6 }),
  aClaim({ id: 3, respawn_id: 1, date: '2026-11-22', character_name: 'Old Bram' }),
];
const snapshot = { respawn: spots, category: categories, claim: claims, event: [anActiveEvent()] };

function Address(): ReactNode {
  const { pathname, search } = useLocation();
  return <p data-testid="address">{pathname + search}</p>;
}
const address = (): string | null => screen.getByTestId('address').textContent;

async function show(path = '/?view=timeline'): Promise<HTMLElement> {
  render(
    <MemoryRouter initialEntries={[path]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <Board />
        <Overlays />
        <TooltipHost />
        <Address />
      </LocalTimeContext>
    </MemoryRouter>,
  );
  return screen.findByRole('grid');
}
const rowOf = (spot: string): HTMLElement => {
  const row = screen.getByRole('rowheader', { name: spot }).closest<HTMLElement>('[role="row"]');
  if (!row) throw new Error(`${spot} has no row`);
  return row;
};
const freeHour = (spot: string, hour: number): HTMLElement =>
  within(rowOf(spot)).getByRole('link', { name: new RegExp(`^Claim ${spot} from SS\\+${hour},`) });
const bar = (name: string): HTMLElement =>
  screen.getByRole('button', { name: new RegExp(`^(P\\d )?${name}, SS`) });

test('spots are listed below their categories by name, claimed or not, with claims at their hours', async () => {
  applySnapshot(1, snapshot);
  const grid = await show();
  expect(
    within(grid)
      .getAllByRole('rowheader')
      .map((header) => header.textContent),
  ).toEqual([
    'Ankrahmun 2 of 2 claimed',
    'Cobra Bastion',
    'Fire Library',
    'Marapur 0 of 1 claimed',
    'Ingol -2',
  ]);
  expect(bar('Mira Stormcrow').getAttribute('aria-label')).toBe(
    'Mira Stormcrow, SS+10 to SS+14, elite',
  );
  expect(bar('Mira Stormcrow').closest('[role="gridcell"]')?.getAttribute('aria-colindex')).toBe(
    '12',
  );
  expect(bar('Mira Stormcrow').closest('[role="gridcell"]')?.getAttribute('aria-colspan')).toBe(
    '4',
  );
  expect(screen.queryByText('Old Bram')).toBeNull();
});

test('sorted by most claims, each spot shows the number that it is sorted by', async () => {
  applySnapshot(1, snapshot);
  const grid = await show('/?view=timeline&sort=most_claims');
  const names = within(grid).getAllByRole('rowheader');
  expect(names.map((name) => name.textContent)).toEqual([
    'Fire LibraryUncategorised · 2 in total',
    'Cobra BastionUncategorised · 1 in total',
    'Ingol -2Uncategorised · 0 in total',
  ]);
});

test("the viewer's own claim says so in words", async () => {
  applySnapshot(1, snapshot);
  await show();
  expect(bar('Arden Vale').getAttribute('aria-label')).toBe(
    'Arden Vale, SS+2 to SS+6, member, you',
  );
});

test('a free hour leads to the form with spot, date and hour; a taken one does not', async () => {
  applySnapshot(1, snapshot);
  await show();
  expect(freeHour('Fire Library', 14).getAttribute('href')).toBe(
    '/input?respawn=1&date=2026-11-21&hour=14',
  );
  expect(freeHour('Cobra Bastion', 12).getAttribute('aria-label')).toBe(
    'Claim Cobra Bastion from SS+12, free until SS+24',
  );
  expect(
    within(rowOf('Fire Library')).queryByRole('link', { name: /from SS\+1[0-3],/ }),
  ).toBeNull();
});

test("the viewer's midnight has the day's name once, and a line behind the claims; no hour repeats it", async () => {
  applySnapshot(1, snapshot);
  const grid = await show();
  // By the clock of the tests, UTC, SS+0 is 09:00.
  expect(within(grid).getByText('Sun').style.getPropertyValue('--turn')).toBe(String(15 / 24));
  expect(within(grid).getByText('16:00')).toBeTruthy();
  const lines = within(grid)
    .getAllByRole('rowgroup')[1]
    ?.querySelectorAll(':scope > [aria-hidden="true"]');
  expect(lines?.length).toBe(2);
});

test('the word "now" has its own lane and hides no number', async () => {
  applySnapshot(1, snapshot);
  const grid = await show();
  expect(within(grid).getByText('now').parentElement).toBe(
    within(grid).getByText('Sun').parentElement,
  );
  for (const hour of ['+12', '+14']) expect(within(grid).getByText(hour)).toBeTruthy();
});

test.each([
  { now: 10, where: /_day_/ },
  { now: 14.5, where: /_dayAfterNow_/ },
  { now: 23.5, turn: 23, where: /_dayBeforeNow_/ },
])(
  'the name of a day gives way to "now" where they would meet, and stays in view: now at $now',
  ({ now, turn = 14, where }) => {
    render(
      <LocalTimeContext value={() => ''}>
        <HoursHead date="2026-11-21" now={now} midnights={[{ hour: turn, name: 'Sun' }]} />
      </LocalTimeContext>,
    );
    expect(screen.getByText('Sun').className).toMatch(where);
  },
);

test('a bar has the initials of its name for where its longest word does not fit, which the style sheet knows by its letters', async () => {
  applySnapshot(1, {
    ...snapshot,
    claim: [
      aClaim({ id: 1, respawn_id: 1, character_name: 'Mira Stormcrow' }),
      aClaim({ id: 2, respawn_id: 2, character_name: 'Bartholomew of the Hills' }),
      aClaim({ id: 3, respawn_id: 3, character_name: 'Old Bram' }),
    ],
  });
  await show();
  const inBar = (name: string): (string | null | undefined)[] => [
    bar(name).dataset.word,
    bar(name).dataset.long,
    bar(name).querySelector<HTMLElement>('[data-initials]')?.dataset.initials,
  ];
  expect(inBar('Mira Stormcrow')).toEqual(['10', 'true', 'MS']);
  expect(inBar('Bartholomew of the Hills')).toEqual(['long', 'true', 'Bot']);
  expect(inBar('Old Bram')).toEqual(['4', undefined, 'OB']);
});

test('a bar has the letter of its type, one that waits has not', async () => {
  applySnapshot(1, {
    ...snapshot,
    claim: [
      ...claims,
      aClaim({
        id: 4,
        respawn_id: 1,
        character_name: 'Dara Holt',
        hour_start: 12,
        hour_end: 16,
        is_secondary_claim: 1,
      }),
    ],
  });
  await show();
  const letterOf = (name: string) =>
    bar(name).querySelector('[data-letter]')?.getAttribute('data-letter');
  expect(letterOf('Mira Stormcrow')).toBe('E');
  expect(letterOf('Dara Holt')).toBeUndefined();
});

test('past hours of today lead nowhere, except for an admin, who may claim them', async () => {
  applySnapshot(1, snapshot);
  await show();
  expect(
    within(rowOf('Fire Library')).getByRole('button', { name: 'Was free from SS+0 to SS+10' }),
  ).toBeTruthy();
  expect(
    within(rowOf('Ingol -2')).getByRole('button', { name: 'Was free from SS+0 to SS+12' }),
  ).toBeTruthy();
  expect(within(rowOf('Ingol -2')).getAllByRole('link')).toHaveLength(12);
  act(() =>
    useSession.setState({
      current: null,
      profiles: [],
      admin: { username: 'Thora', token: 'T', role: 'owner' },
    }),
  );
  expect(within(rowOf('Ingol -2')).getAllByRole('link')).toHaveLength(24);
});

test('an admin without a character is led to the form for others', async () => {
  useSession.setState({
    current: null,
    profiles: [],
    admin: { username: 'Thora', token: 'T', role: 'owner' },
  });
  applySnapshot(1, snapshot);
  await show();
  expect(freeHour('Fire Library', 23).getAttribute('href')).toBe(
    '/admin/input?respawn=1&date=2026-11-21&hour=23',
  );
});

test('a past day has no links, and shows the hours that stayed free', async () => {
  applySnapshot(1, { ...snapshot, claim: [aClaim({ id: 1, respawn_id: 1, date: '2026-11-20' })] });
  const grid = await show('/?view=timeline&date=2026-11-20');
  expect(within(grid).queryByRole('link')).toBeNull();
  expect(
    within(rowOf('Fire Library')).getByRole('button', { name: 'Was free from SS+14 to SS+24' }),
  ).toBeTruthy();
});

test('a past day can be claimed by an admin too; on paper there are no links', async () => {
  useSession.setState({
    current: null,
    profiles: [],
    admin: { username: 'Thora', token: 'T', role: 'owner' },
  });
  applySnapshot(1, snapshot);
  const grid = await show('/?view=timeline&date=2026-11-20');
  expect(within(rowOf('Ingol -2')).getAllByRole('link')).toHaveLength(24);
  expect(freeHour('Ingol -2', 3).getAttribute('href')).toBe(
    '/admin/input?respawn=3&date=2026-11-20&hour=3',
  );
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(within(grid).queryByRole('link')).toBeNull();
  act(() => void window.dispatchEvent(new Event('afterprint')));
});

test('in a single_claim event the hours of its last date are past, those of an earlier day are not (R4.14)', async () => {
  const event = anActiveEvent({ type: 'single_claim', end_time: '2026-11-22T10:00' });
  applySnapshot(1, { ...snapshot, claim: [], event: [event] });
  await show();
  expect(within(rowOf('Ingol -2')).getAllByRole('link')).toHaveLength(24);
  act(() => {
    const moved = { ...event, end_time: '2026-11-21T10:00' };
    applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'event', record: moved }] });
  });
  expect(within(rowOf('Ingol -2')).getAllByRole('link')).toHaveLength(12);
  expect(freeHour('Ingol -2', 12)).toBeTruthy();
});

test('secondary claims occupy no hours and are marked with their priority', async () => {
  const secondary = { is_secondary_claim: 1, secondary_priority: 5, member_type: 'elite' } as const;
  applySnapshot(1, {
    ...snapshot,
    claim: [
      ...claims,
      aClaim({
        id: 4,
        respawn_id: 1,
        character_name: 'Dara Holt',
        hour_start: 12,
        hour_end: 16,
        ...secondary,
      }),
    ],
  });
  await show();
  expect(bar('Dara Holt').getAttribute('aria-label')).toBe(
    'P5 Dara Holt, SS+12 to SS+16, elite, P5 secondary claim',
  );
  expect(within(bar('Dara Holt')).getByText('P5')).toBeTruthy();
  expect(freeHour('Fire Library', 14)).toBeTruthy();
});

test('a single_claim event has no days to step through; its claims are on every day', async () => {
  applySnapshot(1, {
    ...snapshot,
    claim: [aClaim({ id: 1, respawn_id: 1, date: null })],
    event: [anActiveEvent({ type: 'single_claim' })],
  });
  await show();
  expect(bar('Arden Vale')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Next day' })).toBeNull();
});

test('the day steps back and on, to the ends of the event, and home to today', async () => {
  applySnapshot(1, snapshot);
  await show('/?view=timeline&date=2026-11-27');
  const next = screen.getByRole('button', { name: 'Next day' });
  await userEvent.click(next);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /28 November/ }).checked).toBe(true);
  expect(next.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(next);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /28 November/ }).checked).toBe(true);
  expect(document.activeElement).toBe(next);
  await userEvent.click(screen.getByRole('button', { name: 'Back to today' }));
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: /21 November, Today/ }));
  expect(screen.getAllByText('Today')).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Back to today' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Previous day' }));
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /20 November/ }).checked).toBe(true);
});

test('a free hour opened in a new tab is left to the browser', async () => {
  applySnapshot(1, snapshot);
  await show();
  const before = address();
  const taken: boolean[] = [];
  // The browser in tests would fetch the page.
  const watch = (event: Event): void => {
    taken.push(event.defaultPrevented);
    event.preventDefault();
  };
  document.addEventListener('click', watch);
  for (const how of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }])
    fireEvent.click(freeHour('Cobra Bastion', 12), how);
  document.removeEventListener('click', watch);
  expect(taken).toEqual([false, false, false]);
  expect(address()).toBe(before);
  fireEvent.click(freeHour('Cobra Bastion', 12));
  expect(await screen.findByRole('dialog', { name: 'Claim Cobra Bastion' })).toBeTruthy();
  expect(address()).toBe(before);
});

test('the grid is one tab stop; arrow keys move, and Enter claims a free hour in place', async () => {
  applySnapshot(1, snapshot);
  const grid = await show();
  const stops = (): (string | null)[] =>
    [...grid.querySelectorAll('[tabindex="0"]')].map((cell) => cell.getAttribute('aria-label'));
  expect(stops()).toEqual(['Claim Cobra Bastion from SS+12, free until SS+24']);
  const user = userEvent.setup();
  freeHour('Cobra Bastion', 12).focus();
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(bar('Mira Stormcrow'));
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(freeHour('Ingol -2', 12));
  await user.keyboard('{ArrowUp}{ArrowRight}');
  expect(document.activeElement).toBe(freeHour('Fire Library', 14));
  await user.keyboard('{Home}');
  expect(stops()).toEqual(['Was free from SS+0 to SS+10']);
  await user.keyboard('{End}');
  expect(stops()).toEqual(['Claim Fire Library from SS+23, free until SS+24']);
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Claim Fire Library' })).toBeTruthy();
});

test('when the focused hour is claimed, the claim gets the focus', async () => {
  applySnapshot(1, snapshot);
  await show();
  act(() => freeHour('Ingol -2', 16).focus());
  act(() => {
    applyChanges({
      clock: 2,
      changes: [
        {
          op: 'put',
          kind: 'claim',
          record: aClaim({
            id: 9,
            respawn_id: 3,
            hour_start: 15,
            hour_end: 19,
            character_name: 'Dara Holt',
          }),
        },
      ],
    });
  });
  expect(document.activeElement).toBe(bar('Dara Holt'));
});

test('hours that another member is choosing are labelled, and stay free', async () => {
  applySnapshot(1, snapshot);
  await show();
  const choices = [{ respawn_id: 3, date: '2026-11-21', hour_start: 14, hour_end: 18 }];
  act(() => applyPresence({ op: 'put', chooser: { id: 'a', name: 'Sable Quinn', choices } }));
  expect(within(rowOf('Ingol -2')).getByText('Sable Quinn is choosing')).toBeTruthy();
  expect(freeHour('Ingol -2', 15).getAttribute('aria-label')).toMatch(/Sable Quinn is choosing$/);
  expect(freeHour('Ingol -2', 18).getAttribute('aria-label')).not.toMatch(/choosing/);
});

test('a bar shows name, hours and local time, until the claim is deleted', async () => {
  applySnapshot(1, snapshot);
  await show();
  await userEvent.hover(bar('Mira Stormcrow'));
  expect(screen.getByRole('tooltip').textContent).toBe(
    'Mira Stormcrow (elite) · SS+10 to SS+14 · 10:00 to 14:00 your time',
  );
  act(() => {
    applyChanges({ clock: 2, changes: [{ op: 'remove', kind: 'claim', id: 1 }] });
  });
  await vi.waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull(), { timeout: 20_000 });
});

test('one live claim renders one row', () => {
  applySnapshot(1, snapshot);
  const renders = new Map<number, number>();
  const count = (id: number) => (): void => void renders.set(id, (renders.get(id) ?? 0) + 1);
  const day = {
    date: '2026-11-21',
    over: 0,
    claimPage: '/input',
    viewer: null,
    withCategory: false,
  };
  const place = { index: 0, top: 0, height: 44, activeHour: null, activeLane: null };
  render(
    <MemoryRouter>
      <LocalTimeContext value={() => ''}>
        {spots.map(({ id }) => (
          <Profiler key={id} id={String(id)} onRender={count(id)}>
            <SpotRow id={id} {...day} {...place} />
          </Profiler>
        ))}
      </LocalTimeContext>
    </MemoryRouter>,
  );
  renders.clear();
  act(() => {
    applyChanges({
      clock: 2,
      changes: [
        {
          op: 'put',
          kind: 'claim',
          record: aClaim({
            id: 9,
            respawn_id: 2,
            hour_start: 18,
            hour_end: 22,
            character_name: 'Dara Holt',
          }),
        },
        {
          op: 'put',
          kind: 'respawn',
          record: { ...aSpot(2, 'Cobra Bastion', 10), total_claims: 2 },
        },
        { op: 'put', kind: 'event', record: { ...anActiveEvent(), claim_count: 4 } },
      ],
    });
  });
  expect(bar('Dara Holt')).toBeTruthy();
  expect([...renders]).toEqual([[2, 1]]);
});

test('on the whole page too, a live claim renders its row and nothing else of the grid', async () => {
  applySnapshot(1, snapshot);
  await show();
  const others = [rowOf('Fire Library'), rowOf('Ingol -2')].map((row) => row.innerHTML);
  vi.mocked(claimsOn).mockClear();
  act(() => {
    applyChanges({
      clock: 2,
      changes: [
        {
          op: 'put',
          kind: 'claim',
          record: aClaim({ id: 9, respawn_id: 2, hour_start: 18, hour_end: 22 }),
        },
      ],
    });
  });
  expect(vi.mocked(claimsOn)).toHaveBeenCalledOnce();
  expect([rowOf('Fire Library'), rowOf('Ingol -2')].map((row) => row.innerHTML)).toEqual(others);
});

test('of three hundred spots the visible ones are rendered; on paper all are', async () => {
  const many = Array.from({ length: 300 }, (_, i) => aSpot(i + 1, `Spot ${i + 1}`, 10));
  applySnapshot(1, { respawn: many, category: categories, event: [anActiveEvent()] });
  const grid = await show();
  expect(grid.getAttribute('aria-rowcount')).toBe('302');
  const there = (): number => grid.querySelectorAll('[data-spot]').length;
  expect(there()).toBeGreaterThan(15);
  expect(there()).toBeLessThan(40);
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(there()).toBe(300);
  act(() => void window.dispatchEvent(new Event('afterprint')));
  expect(there()).toBeLessThan(40);
}, 30_000);

const requested = () => useOverlays.getState().open.claimActions?.props.request;

test('pressing a bar opens the claim’s actions for an admin, not for a member', async () => {
  applySnapshot(1, snapshot);
  await show();
  await userEvent.click(bar('Mira Stormcrow'));
  expect(requested()).toBeUndefined();
  act(() => useSession.setState({ admin: { username: 'Thora', token: 't', role: 'owner' } }));
  bar('Mira Stormcrow').focus();
  await userEvent.keyboard('{Enter}');
  expect(requested()?.claim.id).toBe(1);
  expect(requested()?.anchor === bar('Mira Stormcrow')).toBe(true);
  act(() => closeOverlay('claimActions'));
});

describe('the ends of an admin’s bar', () => {
  const HOUR = 40;
  const NAME = 200;
  const mouse = {
    pointerId: 1,
    pointerType: 'mouse',
    isPrimary: true,
    button: 0,
    buttons: 1,
  } as const;
  const late = aClaim({
    id: 4,
    respawn_id: 1,
    character_name: 'Old Bram',
    hour_start: 16,
    hour_end: 20,
  });
  const end = (name: string, which: string): HTMLElement => {
    const found = bar(name).querySelector<HTMLElement>(`[data-end="${which}"]`);
    if (!found) throw new Error(`${name} has no such end`);
    return found;
  };
  const keepPlaces = (which: string): boolean =>
    fireEvent.pointerDown(end('Mira Stormcrow', which), mouse);
  const moveTo = (hour: number): boolean =>
    fireEvent.pointerMove(document, { ...mouse, clientX: NAME + HOUR * hour });
  const painted = (): string =>
    screen
      .queryAllByRole('status')
      .map(({ textContent }) => textContent ?? '')
      .find((text) => text.startsWith('SS+')) ?? '';

  beforeEach(async () => {
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockImplementation(function width(
      this: HTMLElement,
    ) {
      return this.getAttribute('role') === 'rowheader' ? NAME : 0;
    });
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(
      () => new DOMRect(0, 100, 24 * HOUR + NAME, 44),
    );
    useSession.setState({ admin: { username: 'Thora', token: 't', role: 'owner' } });
    applySnapshot(1, { ...snapshot, claim: [...claims, late] });
    await show();
    await vi.waitFor(() => bar('Mira Stormcrow'));
  });
  afterEach(() => closeOverlay('claimActions'));

  test('dragging previews the new hours, names conflicts, renders no row, and asks on release', () => {
    vi.mocked(claimsOn).mockClear();
    keepPlaces('hour_end');
    moveTo(18);
    expect(painted()).toBe('SS+10 to SS+18 · 10:00 to 18:00 · taken by Old Bram');
    moveTo(15);
    expect(painted()).toBe('SS+10 to SS+15 · 10:00 to 15:00');
    // Once a drawn stretch, for whom it hits; no row asks.
    expect(vi.mocked(claimsOn).mock.calls.length).toBeLessThanOrEqual(2);
    expect(requested()).toBeUndefined();
    fireEvent.pointerUp(document, mouse);
    // The press that ends the drag opens no menu.
    fireEvent.click(end('Mira Stormcrow', 'hour_end'));
    expect(requested()).toMatchObject({
      claim: { id: 1 },
      times: { hour_start: 10, hour_end: 15 },
    });
    expect(
      requested()?.anchor === bar('Mira Stormcrow') &&
        document.activeElement === bar('Mira Stormcrow'),
    ).toBe(true);
    expect(painted()).toBe('');
  });

  test('leave an hour at least, and stay within the day', () => {
    keepPlaces('hour_start');
    moveTo(23);
    expect(painted()).toMatch(/^SS\+13 to SS\+14/);
    moveTo(-3);
    fireEvent.pointerUp(document, mouse);
    expect(requested()?.times).toEqual({ hour_start: 0, hour_end: 14 });
  });

  test('given up by Escape, or brought back, ask nothing; a press without a drag opens the menu', () => {
    keepPlaces('hour_end');
    moveTo(15);
    fireEvent.keyDown(document, { key: 'Escape' });
    expect(painted()).toBe('');
    fireEvent.pointerUp(document, mouse);
    keepPlaces('hour_end');
    moveTo(15);
    moveTo(14);
    fireEvent.pointerUp(document, mouse);
    expect(requested()).toBeUndefined();
  });

  test('follow the mouse alone: a finger beside it moves and ends nothing, a release that the page missed gives up', () => {
    const finger = { ...mouse, pointerId: 2, pointerType: 'touch' };
    keepPlaces('hour_end');
    moveTo(15);
    fireEvent.pointerMove(document, { ...finger, clientX: NAME + HOUR * 18 });
    fireEvent.pointerUp(document, finger);
    expect(painted()).toMatch(/^SS\+10 to SS\+15/);
    fireEvent.pointerMove(document, { ...mouse, buttons: 0, clientX: NAME + HOUR * 18 });
    expect(painted()).toBe('');
    fireEvent.pointerUp(document, mouse);
    expect(requested()).toBeUndefined();
  });

  test('a press on them without a drag opens the menu, a finger scrolls, and a member has none', () => {
    keepPlaces('hour_end');
    fireEvent.pointerUp(document, mouse);
    fireEvent.click(end('Mira Stormcrow', 'hour_end'));
    expect(requested()).toMatchObject({ claim: { id: 1 } });
    expect(requested()?.times).toBeUndefined();
    act(() => closeOverlay('claimActions'));
    fireEvent.pointerDown(end('Mira Stormcrow', 'hour_end'), { pointerType: 'touch', button: 0 });
    moveTo(18);
    expect(painted()).toBe('');
    act(() => useSession.setState({ admin: null }));
    expect(bar('Mira Stormcrow').querySelector('[data-end]')).toBeNull();
  });
});
