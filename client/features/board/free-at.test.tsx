import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Claim } from '../../../shared/schemas/claim.ts';
import { applyChanges, applySnapshot, clearBoard } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { aCategory, aClaim, anActiveEvent, aSpot, aType } from '../../test/records.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { Board } from './board.tsx';

const arden = {
  characterName: 'Arden Vale',
  memberType: 'member',
  accessKey: 'K',
  isVerified: true,
  createdAt: '',
};

// 21:30 UTC is 13:30 Pacific, which is SS+12.
beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  useSession.setState({ status: 'ready', current: arden, profiles: [arden], admin: null });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  clearBoard();
});

const TODAY = '2026-11-21';
const spots = [
  aSpot(1, 'Fire Library', 10),
  aSpot(2, 'Cobra Bastion', 10),
  aSpot(3, 'Ingol -2', 20),
];
const held = (
  respawn_id: number,
  hour_start: number,
  hour_end: number,
  change: Partial<Claim> = {},
): Claim =>
  aClaim({
    id: respawn_id * 100 + hour_start,
    respawn_id,
    hour_start,
    hour_end,
    character_name: 'Mira Stormcrow',
    date: TODAY,
    ...change,
  });

function Address(): ReactNode {
  return <output data-testid="address">{useLocation().search}</output>;
}

function show(address: string, claim: Claim[], event = anActiveEvent()): void {
  applySnapshot(1, {
    respawn: spots,
    category: [aCategory(10, 'Ankrahmun'), aCategory(20, 'Marapur')],
    claim,
    event: [event],
    member_type: [aType('member')],
  });
  render(
    <MemoryRouter initialEntries={[address]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <Board />
        <Address />
      </LocalTimeContext>
    </MemoryRouter>,
  );
}
const offers = (): (string | null)[] =>
  screen
    .queryAllByRole('link', { name: /Claim (.+ )?SS\+\d+ to/ })
    .map((link) => link.getAttribute('aria-label'));
const hour = (): HTMLSelectElement => screen.getByRole('combobox', { name: /^Free at…?$/ });
const length = (): HTMLSelectElement => screen.getByRole('combobox', { name: 'for' });

test('R2.5: shows matching spots, and offers to claim just these hours; the address keeps the search', async () => {
  show('/', [held(1, 19, 21), held(2, 12, 16), held(2, 20, 24)]);
  expect(offers()).toEqual([]);
  await userEvent.selectOptions(hour(), '16');
  expect(length().value).toBe('4');
  expect(offers()).toEqual([
    'Cobra Bastion: Claim SS+16 to SS+20',
    'Claim Ingol -2 SS+16 to SS+20',
  ]);
  expect(screen.getByText(/2 spots fit/)).toBeTruthy();
  for (const link of screen.getAllByRole('link', { name: /: Claim SS/ })) {
    expect(link.getAttribute('href')).toMatch(
      /^\/input\?respawn=[23]&date=2026-11-21&hour=16&hours=4$/,
    );
  }
  await userEvent.selectOptions(length(), '3');
  expect(offers()).toHaveLength(3);
  await vi.waitFor(() => expect(screen.getByTestId('address').textContent).toBe('?free=16&for=3'), {
    timeout: 20_000,
  });
  await userEvent.click(screen.getByRole('button', { name: 'Clear the free-hours filter' }));
  expect(offers()).toEqual([]);
  expect(screen.getByRole('link', { name: 'Claim Ingol -2' })).toBeTruthy();
});

test('without a match, the nearest alternative is one press away', async () => {
  show('/?free=16&for=4', [held(1, 19, 21), held(2, 19, 20), held(3, 17, 18)]);
  expect(screen.getByText('Nothing free for 4 h; 2 spots fit 3 h')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show 3 h' }));
  expect(offers()).toEqual([
    'Cobra Bastion: Claim SS+16 to SS+19',
    'Fire Library: Claim SS+16 to SS+19',
  ]);
});

test('hours past SS+24 are refused with a reason, and shorter ones are offered', async () => {
  show('/?free=22&for=4', []);
  expect(screen.getByText('Nothing free for 4 h; 3 spots fit 2 h')).toBeTruthy();
  expect(screen.getByText('From SS+22, 4 h would exceed SS+24.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show 2 h' }));
  expect(offers()).toHaveLength(3);
});

describe('tonight', () => {
  beforeEach(() => {
    // The viewer's clock is UTC: SS+11 to SS+14 of today begin at 20:00 to 23:00, and SS+12 is running.
    vi.spyOn(Date.prototype, 'getHours').mockImplementation(function hours(this: Date) {
      return this.getUTCHours();
    });
  });
  afterEach(() => vi.restoreAllMocks());

  const button = (): HTMLElement => screen.getByRole('button', { name: /^(Tonight|From now)/ });
  const usual = held(1, 16, 19, { date: '2026-11-20', character_name: 'Arden Vale' });

  test('is the first choice after any hour: for who never claimed the next hour of the evening, for the longest claim', async () => {
    show('/', []);
    expect([...hour().options].map(({ text }) => text).slice(0, 3)).toEqual([
      'any hour',
      'tonight, 12:00 · SS+12',
      'SS+12 · 12:00',
    ]);
    expect(button().textContent).toBe('Tonight SS+12 to SS+16');
    await userEvent.selectOptions(hour(), 'tonight');
    expect(screen.getByTestId('address').textContent).toBe('?free=12&for=4');
    expect(hour().value).toBe('12');
  });

  test('of another day it is its evening', () => {
    show('/?date=2026-11-22', [usual]);
    expect(hour().options[1]?.text).toBe('evening, 11:00 · SS+11');
  });

  test('is one press from any day: the hours of the last claim, marked on each spot that has them free', async () => {
    show('/?date=2026-11-22', [usual, held(3, 18, 20)]);
    expect(button().textContent).toBe('Tonight SS+16 to SS+19');
    await userEvent.click(button());
    await vi.waitFor(() =>
      expect(screen.getByTestId('address').textContent).toBe('?free=16&for=3'),
    );
    expect(button().getAttribute('aria-pressed')).toBe('true');
    expect(offers()).toEqual([
      'Claim Cobra Bastion SS+16 to SS+19',
      'Claim Fire Library SS+16 to SS+19',
    ]);
    expect(document.querySelectorAll('[class*="searched"]')).toHaveLength(2);
    await userEvent.click(button());
    await vi.waitFor(() => expect(screen.getByTestId('address').textContent).toBe(''));
  });

  test('is there from a past day too', async () => {
    show('/?date=2026-11-20', [usual], anActiveEvent());
    expect(button().textContent).toBe('Tonight SS+16 to SS+19');
    await userEvent.click(button());
    await vi.waitFor(() =>
      expect(screen.getByTestId('address').textContent).toBe('?free=16&for=3'),
    );
  });

  test('is no longer than the viewer may claim', () => {
    show('/', [held(1, 14, 22, { date: '2026-11-20', character_name: 'Arden Vale' })]);
    expect(button().textContent).toBe('Tonight SS+14 to SS+18');
  });

  test('once usual hours and evening are over it says from now on, also to admins, who may enter past hours', () => {
    vi.setSystemTime(new Date('2026-11-22T03:30:00Z'));
    useSession.setState({
      current: null,
      profiles: [],
      admin: { username: 'Thora', token: 'T', role: 'owner' },
    });
    show('/', [usual]);
    expect(button().textContent).toBe('From now SS+18 to SS+22');
  });

  test('there is no button where a claim covers the whole event', () => {
    show('/', [], anActiveEvent({ type: 'single_claim' }));
    expect(screen.queryByRole('button', { name: /^(Tonight|From now)/ })).toBeNull();
  });

  test('a claim made from the search stays in view', () => {
    show('/?free=16&for=3', [held(1, 16, 19, { character_name: 'Arden Vale' }), held(2, 15, 17)]);
    expect(screen.getByRole('heading', { name: 'Fire Library' })).toBeTruthy();
    expect(screen.queryByText('Cobra Bastion')).toBeNull();
  });

  test('on a phone the keyboard stays where it is: the chip takes over the focus, and gives it back', async () => {
    vi.stubGlobal('innerWidth', 390);
    show('/', []);
    hour().focus();
    await userEvent.selectOptions(hour(), 'tonight');
    const chip = screen.getByRole('button', { name: 'SS+12, 4 h. Clear the free-hours filter' });
    expect(document.activeElement).toBe(chip);
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement).toBe(hour());
  });

  test.each([
    ['on a phone the page', 390, () => screen.getByRole('main')],
    ['at a desk the picker', 1440, () => hour()],
  ])(
    '%s has the focus after the search of a day that is over is cleared',
    async (_, width, focused) => {
      vi.stubGlobal('innerWidth', width);
      render(<main tabIndex={-1} />);
      show('/?date=2026-11-20&free=16&for=4', []);
      screen.getByRole('button', { name: /Clear the free-hours filter$/ }).focus();
      await userEvent.keyboard('{Enter}');
      expect(screen.queryByRole('button', { name: /Clear the free-hours filter$/ })).toBeNull();
      expect(document.activeElement).toBe(focused());
    },
  );

  test('so has the page after any hour is chosen where nothing is free', async () => {
    render(<main tabIndex={-1} />);
    show('/?date=2026-11-20&free=16&for=4', []);
    screen.getByRole('button', { name: 'Any hour' }).focus();
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('main'));
  });

  test('on a phone a past day has no picker', () => {
    vi.stubGlobal('innerWidth', 390);
    show('/?date=2026-11-20', []);
    expect(screen.queryByRole('combobox', { name: /^Free at/ })).toBeNull();
  });

  test('on a phone it is one press away: the picker is beside the dates, and a chip that clears it takes its place', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('max-width: 899'),
      addEventListener: () => {},
      removeEventListener: () => {},
    }));
    show('/', [held(1, 13, 14)]);
    expect([...hour().options].map(({ value }) => value).slice(0, 2)).toEqual(['', 'tonight']);
    await userEvent.selectOptions(hour(), 'tonight');
    expect(offers()).toHaveLength(2);
    expect(screen.queryByRole('combobox', { name: /^Free at/ })).toBeNull();
    await userEvent.click(
      screen.getByRole('button', { name: 'SS+12, 4 h. Clear the free-hours filter' }),
    );
    expect(hour().value).toBe('');
  });
});

test('a past hour of today cannot be chosen; requested by an address, the running one is offered instead', async () => {
  show('/?free=3&for=2', []);
  const hours = [...hour().options].filter(({ value }) => value !== 'tonight');
  expect(hours.map((option) => [option.value, option.disabled]).slice(0, 3)).toEqual([
    ['any', false],
    ['3', true],
    ['12', false],
  ]);
  expect(screen.getByText('SS+3 is over today')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Free at SS+12' }));
  expect(offers()).toHaveLength(3);
});

test('searches for no more hours than the viewer may claim, also with another member’s link', () => {
  show('/?free=14&for=12', []);
  expect(length().value).toBe('4');
  expect(offers()[0]).toBe('Claim Cobra Bastion SS+14 to SS+18');
});

test('on a day that has the viewer’s claim of another event, none that would be refused is offered (R4.6)', () => {
  show('/?free=16&for=4', []);
  expect(offers()).not.toEqual([]);
  const parts = [{ respawn_id: 1, hour_start: 14, hour_end: 15 }];
  const occupancy = {
    id: 900,
    character_name: 'Arden Vale',
    event_name: 'Old event',
    first_date: TODAY,
    last_date: TODAY,
    parts,
  };
  act(() =>
    applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'occupancy', record: occupancy }] }),
  );
  expect(offers()).toEqual([]);
  expect(
    screen.getByText(
      /^Arden Vale already has a claim on this day: Fire Library, SS\+14 to SS\+15\./,
    ),
  ).toBeTruthy();
});

test('on a day with the viewer’s own claim matches are shown, and no claim that would be refused is offered (R4.6)', () => {
  show('/?free=16&for=4', [held(1, 14, 15, { character_name: arden.characterName })]);
  expect(
    screen.getByText(
      /^Arden Vale already has a claim on this day: Fire Library, SS\+14 to SS\+15\./,
    ),
  ).toBeTruthy();
  expect(screen.getByText(/3 spots fit/)).toBeTruthy();
  expect(offers()).toEqual([]);
});

test('in a single_claim event a claim counts on every date, and an ended date says so', () => {
  const event = anActiveEvent({ type: 'single_claim' });
  show('/?free=3&for=4', [held(1, 4, 6, { date: null })], event);
  expect(offers()).toEqual(['Claim Cobra Bastion SS+3 to SS+7', 'Claim Ingol -2 SS+3 to SS+7']);
});

test('a secondary claim doesn’t occupy hours', () => {
  show('/?free=16&for=4', [held(1, 16, 20, { is_secondary_claim: 1, secondary_priority: 5 })]);
  expect(offers()).toHaveLength(3);
});

test('a claim that takes some of the hours takes its spot away, as it happens', () => {
  show('/?free=16&for=4', []);
  expect(offers()).toHaveLength(3);
  act(
    () =>
      void applyChanges({
        clock: 2,
        changes: [{ op: 'put', kind: 'claim', record: held(3, 18, 22) }],
      }),
  );
  expect(offers()).toEqual([
    'Claim Cobra Bastion SS+16 to SS+20',
    'Claim Fire Library SS+16 to SS+20',
  ]);
});

test('the timeline shows matching rows, each with the hours as one button', async () => {
  show('/?view=timeline&free=16&for=4', [held(1, 19, 21)]);
  const grid = await screen.findByRole('grid');
  expect(within(grid).queryByRole('rowheader', { name: 'Fire Library' })).toBeNull();
  const claim = within(grid).getByRole('link', { name: /^Ingol -2: Claim 4 h, SS\+16 to SS\+20/ });
  expect(claim.getAttribute('href')).toBe('/input?respawn=3&date=2026-11-21&hour=16&hours=4');
  expect(claim.textContent).toBe('Claim 4 h');
});

test('on a phone it is a chip beside the dates, which ends it', async () => {
  vi.stubGlobal('innerWidth', 390);
  show('/?free=16&for=4', []);
  expect(screen.queryByRole('combobox', { name: /^Free at/ })).toBeNull();
  await userEvent.click(
    screen.getByRole('button', { name: 'SS+16, 4 h. Clear the free-hours filter' }),
  );
  expect(offers()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Filters' }));
  await userEvent.selectOptions(hour(), '20');
  expect(offers()).toHaveLength(3);
});
