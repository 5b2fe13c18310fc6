import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Profiler, type ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Overlays } from '../../app.tsx';
import { applyChanges, applySnapshot, clearBoard } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { aCategory, aClaim, anActiveEvent, aSpot } from '../../test/records.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { claimsOn } from '../claiming/day-claims.ts';
import { Board } from './board.tsx';
import { SpotCard } from './cards/spot-card.tsx';
import { ChangeAnnouncer } from './live-changes.tsx';
// Fetched when they are first shown: how long a busy machine takes for it is in no test.
import '../claiming/in-place/claim-in-place.tsx';
import './timeline/timeline.tsx';

// Each render of a card asks for its day's claims once: counting the calls counts the cards that render.
vi.mock('../claiming/day-claims.ts', { spy: true });

// 21:30 UTC is 13:30 Pacific, which is SS+12.
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  clearBoard();
});

const spots = [
  aSpot(1, 'Fire Library', 10),
  aSpot(2, 'Cobra Bastion', 10),
  aSpot(3, 'Ingol -2', 20),
];
const categories = [aCategory(10, 'Ankrahmun'), aCategory(20, 'Marapur')];
const claims = [
  aClaim({ id: 1, respawn_id: 1, character_name: 'Mira Stormcrow' }),
  aClaim({ id: 2, respawn_id: 2, hour_start: 2, hour_end: 6 }),
  aClaim({ id: 3, respawn_id: 1, date: '2026-11-22', character_name: 'Old Bram' }),
];

function show(page: ReactNode, address = '/'): void {
  render(
    <MemoryRouter initialEntries={[address]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        {page}
        <Overlays />
      </LocalTimeContext>
    </MemoryRouter>,
  );
}

test('one live claim renders one card', () => {
  applySnapshot(1, {
    respawn: spots,
    category: categories,
    claim: claims,
    event: [anActiveEvent()],
  });
  const renders = new Map<number, number>();
  const count = (id: number) => (): void => void renders.set(id, (renders.get(id) ?? 0) + 1);
  const day = {
    date: '2026-11-21',
    today: '2026-11-21',
    now: 12.5,
    event: null,
    viewer: null,
    search: '',
  };
  show(
    spots.map(({ id }) => (
      <Profiler key={id} id={String(id)} onRender={count(id)}>
        <SpotCard id={id} {...day} />
      </Profiler>
    )),
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
      ],
    });
  });
  expect(screen.getByText('Dara Holt')).toBeTruthy();
  expect([...renders]).toEqual([[2, 1]]);
});

test('a claim on a spot that has some already renders no section, no sidebar, only its card', () => {
  applySnapshot(1, {
    respawn: spots,
    category: categories,
    claim: claims,
    event: [anActiveEvent()],
  });
  const rendered = vi.fn();
  show(
    <Profiler id="board" onRender={(_, __, duration) => rendered(duration)}>
      <Board />
    </Profiler>,
  );
  const library = screen.getByRole('heading', { name: 'Fire Library' });
  rendered.mockClear();
  const cards = vi.mocked(claimsOn);
  cards.mockClear();
  act(() => {
    // As the server sends it: with the counts that the claim moves.
    applyChanges({
      clock: 2,
      changes: [
        {
          op: 'put',
          kind: 'claim',
          record: aClaim({ id: 9, respawn_id: 2, hour_start: 18, hour_end: 22 }),
        },
        { op: 'put', kind: 'event', record: { ...anActiveEvent(), claim_count: 4 } },
      ],
    });
  });
  expect(rendered).toHaveBeenCalledOnce();
  expect(cards).toHaveBeenCalledOnce();
  expect(screen.getByRole('heading', { name: 'Fire Library' })).toBe(library);
});

test('a claim on a free spot renders only its tile, and the heading that counts it', () => {
  applySnapshot(1, {
    respawn: spots,
    category: categories,
    claim: claims,
    event: [anActiveEvent()],
  });
  show(<Board />);
  const cards = vi.mocked(claimsOn);
  cards.mockClear();
  act(() => {
    applyChanges({
      clock: 2,
      changes: [{ op: 'put', kind: 'claim', record: aClaim({ id: 9, respawn_id: 3 }) }],
    });
  });
  expect(
    within(screen.getByRole('region', { name: 'Marapur' })).getByText('1 of 1 claimed'),
  ).toBeTruthy();
  expect(cards).toHaveBeenCalledOnce();
});

test('the title names the event and its dates; today is chosen', () => {
  applySnapshot(1, {
    respawn: spots,
    category: categories,
    claim: claims,
    event: [anActiveEvent()],
  });
  show(<Board />);
  const title = screen.getByRole('heading', { level: 1, name: 'Vouchers from 15 Nov - 28 Nov' });
  expect(screen.getAllByRole('heading')[0], 'no heading is before it').toBe(title);
  expect(screen.getByText('Double week').parentElement?.textContent).toMatch(
    /^Double week · Sat,? 21 Nov$/,
  );
  expect(
    screen.getByRole<HTMLInputElement>('radio', { name: /^Saturday,? 21 November, Today$/ })
      .checked,
  ).toBe(true);
});

test('another day shows that day on every card', async () => {
  applySnapshot(1, {
    respawn: spots,
    category: categories,
    claim: claims,
    event: [anActiveEvent()],
  });
  show(<Board />);
  expect(screen.queryByText('Old Bram')).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: /22 November/ }));
  expect(screen.getByText('Old Bram')).toBeTruthy();
  expect(screen.queryByText('Mira Stormcrow')).toBeNull();
});

test('claims of other days unfold below the card', async () => {
  applySnapshot(1, {
    respawn: spots,
    category: categories,
    claim: claims,
    event: [anActiveEvent()],
  });
  show(<Board />);
  await userEvent.click(screen.getByRole('button', { name: /Sun 22: 1 claim/ }));
  expect(screen.getByText('Old Bram')).toBeTruthy();
});

test('a single_claim event has no dates to choose, and only All and Now', () => {
  applySnapshot(1, {
    respawn: spots,
    category: categories,
    claim: [aClaim({ id: 1, respawn_id: 1, date: null })],
    event: [anActiveEvent({ type: 'single_claim' })],
  });
  show(<Board />, '/?show=claimed');
  const options = within(screen.getByRole('radiogroup', { name: 'Show' })).getAllByRole('radio');
  expect(options.map((option) => option.getAttribute('value'))).toEqual(['all', 'active']);
  expect(screen.queryByRole('radiogroup', { name: 'Date' })).toBeNull();
  expect(screen.getByText('Arden Vale')).toBeTruthy();
});

test('a free spot leads to the claim form with the spot and the day chosen', () => {
  applySnapshot(1, {
    respawn: spots,
    category: categories,
    claim: claims,
    event: [anActiveEvent()],
  });
  show(<Board />);
  expect(screen.getByRole('link', { name: 'Claim Ingol -2' }).getAttribute('href')).toBe(
    '/input?respawn=3&date=2026-11-21',
  );
});

test('claims a spot in place, and opens the form without reloading the page', async () => {
  applySnapshot(1, {
    respawn: spots,
    category: categories,
    claim: claims,
    event: [anActiveEvent()],
  });
  const riley = {
    characterName: 'Riley Ashdown',
    memberType: 'member',
    accessKey: 'R',
    isVerified: true,
    createdAt: '',
  };
  useSession.setState({ status: 'ready', current: riley, profiles: [riley], admin: null });
  // Requests for claims of other events get no answer, so only those on the board count.
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  function Where(): ReactNode {
    const { pathname, search } = useLocation();
    return <output>{pathname + search}</output>;
  }
  show(
    <>
      <Board />
      <Where />
    </>,
  );
  for (const [name, id] of [
    ['Fire Library', 1],
    ['Claim Ingol -2', 3],
  ] as const) {
    await userEvent.click(screen.getByRole('link', { name }));
    await userEvent.click(await screen.findByRole('button', { name: 'More options' }));
    expect(
      screen.getByText((text) => text.startsWith(`/input?respawn=${id}&date=2026-11-21`)),
    ).toBeTruthy();
  }
  useSession.setState({ current: null, profiles: [] });
  vi.unstubAllGlobals();
});

test('the filter of the address is applied; nothing found offers to clear it', async () => {
  applySnapshot(1, {
    respawn: spots,
    category: categories,
    claim: claims,
    event: [anActiveEvent()],
  });
  show(<Board />, '/?categoryFilter=20&search=library');
  expect(screen.getByText('No matching spots')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(screen.getByRole('heading', { name: 'Fire Library' })).toBeTruthy();
});

test('the spots with most claims come first, each with its number of claims on all dates', () => {
  applySnapshot(1, {
    respawn: spots,
    category: categories,
    claim: claims,
    event: [anActiveEvent()],
  });
  show(<Board />, '/?sort=most_claims');
  const counts = screen
    .getAllByRole('article')
    .map((card) => within(card).getByText(/ in total$/).textContent);
  expect(counts).toEqual(['2 in total', '1 in total', '0 in total']);
});

test('without an event and without claims the board says so and offers every spot', () => {
  applySnapshot(1, { respawn: spots, category: categories });
  show(<Board />);
  expect(screen.getByRole('heading', { level: 1, name: 'Claims from today on' })).toBeTruthy();
  expect(screen.getByText('No claims yet')).toBeTruthy();
  expect(screen.getAllByRole('link', { name: /^Claim / })).toHaveLength(3);
});

test('a past day leads to no form: neither from a card nor from a free spot', () => {
  const yesterday = aClaim({
    id: 1,
    respawn_id: 1,
    date: '2026-11-20',
    character_name: 'Old Bram',
  });
  applySnapshot(1, {
    respawn: spots,
    category: categories,
    claim: [yesterday],
    event: [anActiveEvent()],
  });
  show(<Board />, '/?date=2026-11-20');
  expect(screen.getByRole('heading', { name: 'Fire Library' })).toBeTruthy();
  expect(screen.getByText('Ingol -2')).toBeTruthy();
  expect(screen.queryByRole('link', { name: /Fire Library|Claim / })).toBeNull();
});

test('the same change twice is read twice: the sentence is not the same text', () => {
  vi.useFakeTimers();
  applySnapshot(1, { respawn: spots, claim: claims });
  render(<ChangeAnnouncer />);
  const announcements: (string | null)[] = [];
  for (const clock of [2, 3]) {
    act(() => {
      applyChanges({
        clock,
        changes: [
          {
            op: 'put',
            kind: 'claim',
            record: aClaim({
              id: clock + 10,
              respawn_id: 3,
              hour_start: clock,
              hour_end: clock + 1,
            }),
          },
        ],
      });
    });
    act(() => vi.advanceTimersByTime(3000));
    announcements.push(screen.getByRole('status').textContent);
  }
  expect(announcements.map((text) => text?.trim())).toEqual([
    'Ingol -2 changed.',
    'Ingol -2 changed.',
  ]);
  expect(announcements[0]).not.toBe(announcements[1]);
});

test('the view is chosen in the head and kept in the address', async () => {
  applySnapshot(1, {
    respawn: spots,
    category: categories,
    claim: claims,
    event: [anActiveEvent()],
  });
  show(<Board />, '/?view=timeline');
  expect(screen.getByRole('radio', { name: 'Timeline' })).toHaveProperty('checked', true);
  expect(await screen.findByRole('grid', { name: /Claims by the hour, Sat/ })).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: 'Cards' }));
  expect(screen.queryByRole('grid')).toBeNull();
  expect(screen.getByRole('heading', { name: 'Fire Library' })).toBeTruthy();
});

describe('the filters of a phone', () => {
  beforeEach(() => void vi.stubGlobal('innerWidth', 390));
  afterEach(() => void vi.unstubAllGlobals());
  const button = (): HTMLElement => screen.getByRole('button', { name: /^Filters/ });
  const isOpen = (): boolean => button().getAttribute('aria-expanded') === 'true';
  async function open(): Promise<void> {
    applySnapshot(1, {
      respawn: spots,
      category: categories,
      claim: claims,
      event: [anActiveEvent()],
    });
    show(<Board />);
    await userEvent.click(button());
    expect(isOpen()).toBe(true);
  }

  test('say how many spots they show, and close on that button', async () => {
    await open();
    await userEvent.click(screen.getByRole('radio', { name: 'Claimed' }));
    expect(isOpen()).toBe(true);
    const scrollTo = vi.spyOn(window, 'scrollTo').mockReturnValue();
    await userEvent.click(screen.getByRole('button', { name: 'Show 2 spots' }));
    expect(scrollTo).toHaveBeenCalledExactlyOnceWith(0, 0);
    scrollTo.mockRestore();
    expect(isOpen()).toBe(false);
    expect(document.activeElement).toBe(button());
    expect(screen.queryByRole('radio', { name: 'Claimed' })).toBeNull();
  });

  test('close on Escape, and the board stays where it is', async () => {
    await open();
    const scrollTo = vi.spyOn(window, 'scrollTo').mockReturnValue();
    await userEvent.keyboard('{Escape}');
    expect(scrollTo).not.toHaveBeenCalled();
    scrollTo.mockRestore();
    expect(isOpen()).toBe(false);
    expect(document.activeElement).toBe(button());
  });

  test('close with a change of the view', async () => {
    await open();
    await userEvent.click(screen.getByRole('radio', { name: 'Timeline' }));
    expect(isOpen()).toBe(false);
  });
});

describe('the index of a phone', () => {
  beforeEach(() => void vi.stubGlobal('innerWidth', 390));
  afterEach(() => void vi.unstubAllGlobals());
  const button = (): HTMLElement => screen.getByRole('button', { name: 'Jump to a category' });
  const entries = (): (string | null)[] =>
    screen.getAllByRole('menuitem').map((entry) => entry.textContent);
  function open(address: string): void {
    applySnapshot(1, {
      respawn: spots,
      category: categories,
      claim: claims,
      event: [anActiveEvent()],
    });
    show(<Board />, address);
  }

  test('has the sections in view with their spots, and leads the keyboard to the heading', async () => {
    open('/');
    await userEvent.click(button());
    await screen.findByRole('menu');
    expect(entries()).toEqual(['Ankrahmun22 spots', 'Marapur11 spot']);
    expect(
      screen
        .getAllByRole('menuitem')
        .filter((entry) => entry.getAttribute('aria-current') === 'true'),
    ).toHaveLength(1);
    await userEvent.click(screen.getByRole('menuitem', { name: /^Marapur/ }));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Marapur'));
    expect(document.activeElement?.tagName).toBe('H2');
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement?.closest('section')?.textContent).toContain('Marapur');
  });

  test('is not there where nothing is grouped by category', () => {
    open('/?sort=alphabetical');
    expect(screen.queryByRole('button', { name: 'Jump to a category' })).toBeNull();
  });
});
