import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Event } from '../../../shared/schemas/event.ts';
import type { Statistics } from '../../../shared/schemas/statistics.ts';
import { announceReconnect } from '../../lib/page-events.ts';
import { applySnapshot, clearBoard, setConnection } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { aConfig, anActiveEvent, anEvent } from '../../test/records.ts';
import { typeLook } from '../../ui/type-look.ts';
import { StatisticsPage } from './statistics-page.tsx';

const member = {
  characterName: 'Arden Vale',
  memberType: 'member',
  accessKey: 'ARDENS-KEY',
  isVerified: true,
  createdAt: '',
};

beforeEach(() =>
  useSession.setState({ status: 'ready', profiles: [member], current: member, admin: null }),
);
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  clearBoard();
  useSession.setState({ status: 'checking', profiles: [], current: null, admin: null });
});

const counted = (change: Partial<Statistics> = {}): Statistics => ({
  event_id: null,
  event_name: null,
  from: '2026-11-01',
  to: '2026-11-21',
  hours_by_member: [
    { character_name: 'Mira Stormcrow', member_type: 'elite', hours: 40, no_shows: 1 },
    { character_name: '=Arden Vale', member_type: 'member', hours: 12, no_shows: 0 },
  ],
  hours_by_type: [
    { member_type: 'elite', hours: 40 },
    { member_type: 'member', hours: 12 },
  ],
  standing_hours: 6,
  transfers: { handed_over: 3, swapped: 2 },
  hours_by_hour: Array.from({ length: 24 }, (_, hour) => ({ hour, hours: hour })),
  wanted_spots: [{ respawn_id: 3, respawn_name: 'Fire Library', asked: 9, got: 5, lost: 2 }],
  no_shows: [],
  ...change,
});

/** A fake server, by requested address. */
function mockServer(answerTo: (requests: string) => Statistics | Response): string[] {
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    const question = path.replace(/[?&]at=\d+$/, '').replace('/api/statistics', '');
    requests.push(question);
    const answer = answerTo(question);
    return answer instanceof Response ? answer : Response.json({ success: true, data: answer });
  });
  return requests;
}
const refused = (status: number, code: string): Response =>
  Response.json({ error: code, code, params: {} }, { status });

const Address = () => <output aria-label="address">{useLocation().search}</output>;
async function show(query = '', event: readonly Event[] = []): Promise<void> {
  applySnapshot(1, { config: [aConfig()], event });
  setConnection('live');
  await act(async () => {
    render(
      <MemoryRouter initialEntries={[`/statistics${query}`]}>
        <StatisticsPage />
        <Address />
      </MemoryRouter>,
    );
  });
}

const panel = (name: string): Promise<HTMLElement> => screen.findByRole('region', { name });
const rows = async (name: string): Promise<string[]> =>
  within(await panel(name))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent).join(' | '));
const drawn = async (name: string): Promise<string[]> => {
  const plot = await within(await panel(name)).findByRole('img');
  await waitFor(() => expect(plot.querySelector('svg')).toBeTruthy());
  return [...plot.querySelectorAll('text')].map(({ textContent }) => textContent ?? '');
};

test('each subject is a picture with its numbers in a table on demand; one without numbers is not there', async () => {
  const requests = mockServer(() => counted());
  await show();
  expect(await rows('Hours by member')).toEqual([
    'Character | Member type | Hours | No-shows',
    'Mira Stormcrow | elite | 40 | 1',
    '=Arden Vale | member | 12 | 0',
  ]);
  expect(await drawn('Hours by member')).toEqual([
    'Mira Stormcrow · elite',
    '40 h',
    '=Arden Vale · member',
    '12 h',
  ]);
  expect(await rows('Hours by member type')).toHaveLength(3);
  expect((await rows('Hours by hour of the day')).at(-1)).toBe('SS+23 | 23');
  // Without a layout it is as narrow as a phone, which names every sixth hour.
  expect(await drawn('Hours by hour of the day')).toContain('SS+18');
  // Distinguished by position and text, not by colour.
  expect(await drawn('Most wanted spots')).toEqual([
    'Fire Library',
    '9 requested',
    '5 received',
    '2 missed',
  ]);
  expect(screen.queryByRole('region', { name: 'No-shows' })).toBeNull();
  expect((await panel('Hours by member')).querySelector('details')?.open).toBe(false);
  expect(screen.getByText(/^1 Nov 2026 to 21 Nov 2026/)).toBeTruthy();
  expect(requests).toEqual(['']);
});

test('bars have the colours of their types, and the viewer’s own is marked; zeros have no row', async () => {
  const row = { member_type: 'vice', hours: 0, no_shows: 0 };
  const hours_by_member = [
    { ...row, character_name: 'Arden Vale', hours: 12 },
    { ...row, character_name: 'Nobody Came' },
  ];
  const hours_by_hour = Array.from({ length: 24 }, (_, hour) => ({
    hour,
    hours: hour === 5 ? 1 : 0,
  }));
  mockServer(() => counted({ hours_by_member, hours_by_hour }));
  await show();
  expect(await drawn('Hours by member')).toEqual(['Arden Vale (you) · vice', '12 h']);
  const bar = (await panel('Hours by member')).querySelector('rect');
  expect(bar?.getAttribute('fill')).toBe(typeLook('vice', '#e53e3e').ground);
  expect(bar?.getAttribute('stroke')).toBe('var(--mine)');
  expect(await rows('Hours by member')).toEqual([
    'Character | Member type | Hours',
    'Arden Vale | vice | 12',
  ]);
  expect(await rows('Hours by hour of the day')).toEqual(['Hour | Hours', 'SS+5 | 1']);
});

test.each([
  [1, '0 1'],
  [3, '0 1 2 3'],
  [7, '0 2 4 6'],
  [99, '0 20 40 60 80 100'],
  [141, '0 50 100 150'],
])('the axis for %i hours has round, whole numbers: %s', async (most, numbers) => {
  mockServer(() =>
    counted({ hours_by_hour: Array.from({ length: 24 }, (_, hour) => ({ hour, hours: most })) }),
  );
  await show();
  const texts = await drawn('Hours by hour of the day');
  expect(texts.filter((text) => !text.startsWith('SS')).join(' ')).toBe(numbers);
});

test('the longest bar leaves room for its label, and shorter ones are in proportion', async () => {
  mockServer(() => counted());
  await show();
  const plot = await within(await panel('Hours by member')).findByRole('img');
  const [longest = 0, shorter] = [...plot.querySelectorAll('rect')].map(({ attributes }) =>
    Number(attributes.getNamedItem('width')?.value),
  );
  expect(longest).toBeGreaterThan(100);
  expect(longest).toBeLessThan(240 - '40 h'.length * 7);
  expect(shorter).toBeCloseTo((longest * 12) / 40);
});

test('missed requests look alike, whether or not others of the spot were met', async () => {
  const spot = { respawn_name: 'Fire Library', asked: 9, lost: 2 };
  mockServer(() =>
    counted({
      wanted_spots: [
        { ...spot, respawn_id: 3, got: 5 },
        { ...spot, respawn_id: 4, got: 0 },
      ],
    }),
  );
  await show();
  const plot = await within(await panel('Most wanted spots')).findByRole('img');
  const shades = [...plot.querySelectorAll('rect')].map((bar) => bar.getAttribute('fill-opacity'));
  expect(shades).toEqual(['1', '0.65', '0.35', '1', '0.35']);
});

test('of a long list the first ten are drawn, and the table has all', async () => {
  const hours_by_member = Array.from({ length: 44 }, (_, at) => {
    return {
      character_name: `Hunter ${at + 1}`,
      member_type: 'member',
      hours: 100 - at,
      no_shows: 0,
    };
  });
  mockServer(() => counted({ hours_by_member }));
  await show();
  expect(await rows('Hours by member')).toHaveLength(45);
  expect((await drawn('Hours by member')).filter((text) => text.startsWith('Hunter'))).toHaveLength(
    10,
  );
  expect((await panel('Hours by member')).textContent).toContain('and 34 more');
});

test('below the first ten the viewer sees the own bar', async () => {
  const hours_by_member = [
    ...Array.from({ length: 20 }, (_, at) => `Hunter ${at + 1}`),
    'Arden Vale',
  ].map((character_name, at) => ({
    character_name,
    member_type: 'member',
    hours: 100 - at,
    no_shows: 0,
  }));
  mockServer(() => counted({ hours_by_member }));
  await show();
  const names = (await drawn('Hours by member')).filter((text) => text.includes('·'));
  expect(names).toHaveLength(11);
  expect(names.at(-1)).toBe('Arden Vale (you) · member');
  expect((await panel('Hours by member')).textContent).toContain('and 10 more');
});

test('the active event is counted, or another one, or dates; the address keeps it', async () => {
  const active = anActiveEvent({ id: 7, name: 'Double week' });
  const requests = mockServer(() => counted({ event_id: 7 }));
  await show('', [anEvent({ id: 5, name: 'Rapid respawn' }), active]);
  const choice = screen.getByLabelText('Period');
  expect(
    within(choice)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Double week (active)', 'Rapid respawn', 'Date range']);
  expect(screen.queryByLabelText('From')).toBeNull();
  await panel('Hours by member');
  await userEvent.selectOptions(choice, 'Rapid respawn');
  await waitFor(() => expect(screen.getByLabelText('address').textContent).toBe('?event=5'));
  // Dates start as the shown ones.
  await userEvent.selectOptions(choice, 'Date range');
  await waitFor(() =>
    expect(screen.getByLabelText('address').textContent).toBe('?from=2026-11-01&to=2026-11-21'),
  );
  expect(requests).toEqual(['', '?event_id=5', '?from=2026-11-01&to=2026-11-21']);
});

test('a press on a heading sorts by its column, another one turns it; the address keeps it, and the CSV is in its order', async () => {
  mockServer(() => counted());
  await show('?sort=wanted-spots.nothing.asc');
  const table = await panel('Hours by member');
  const header = (name: string): HTMLElement => within(table).getByRole('columnheader', { name });
  expect(header('Hours').getAttribute('aria-sort')).toBe('none');
  // Names that start with punctuation are first.
  within(header('Character')).getByRole('button').focus();
  await userEvent.keyboard('{Enter}');
  expect(header('Character').getAttribute('aria-sort')).toBe('ascending');
  expect((await rows('Hours by member'))[1]).toMatch(/^=Arden Vale/);
  await userEvent.click(within(header('No-shows')).getByRole('button'));
  expect(header('No-shows').getAttribute('aria-sort')).toBe('descending');
  expect((await rows('Hours by member'))[1]).toMatch(/^Mira Stormcrow/);
  await userEvent.click(within(header('No-shows')).getByRole('button'));
  expect(header('No-shows').getAttribute('aria-sort')).toBe('ascending');
  expect((await rows('Hours by member'))[1]).toMatch(/^=Arden Vale/);
  await waitFor(() =>
    expect(decodeURIComponent(screen.getByLabelText('address').textContent ?? '')).toBe(
      '?sort=wanted-spots.nothing.asc,hours-by-member.noShows.asc',
    ),
  );
});

test('the address keeps the sort of a table', async () => {
  mockServer(() => counted());
  await show('?sort=hours-by-hour.hours.desc');
  expect((await panel('Hours by hour of the day')).querySelector('details')?.open).toBe(true);
  expect((await rows('Hours by hour of the day'))[1]).toBe('SS+23 | 23');
});

test('an admin finds archived events in a group of their own, and an address that names one has its name', async () => {
  const archived = {
    ...anEvent({ id: 3, name: 'Summer hunt' }),
    archived_at: '2026-10-01T00:00:00Z',
  };
  useSession.setState({
    status: 'ready',
    profiles: [],
    current: null,
    admin: { username: 'Thora', token: 'T', role: 'owner' },
  });
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    requests.push(path.replace(/[?&]at=\d+$/, ''));
    return Response.json({
      success: true,
      data: path.startsWith('/api/admin/archive/events') ? [archived] : counted({ event_id: 3 }),
    });
  });
  await show('?event=3', [anActiveEvent({ id: 7, name: 'Double week' })]);
  const group = await screen.findByRole('group', { name: 'Archived events' });
  expect(within(group).getByRole('option', { name: 'Summer hunt' })).toHaveProperty(
    'selected',
    true,
  );
  expect(screen.queryByRole('option', { name: 'Event 3' })).toBeNull();
  expect(requests).toContain('/api/statistics?event_id=3');
});

test('an event that this viewer does not know is called by the name that was counted with it, and never by that of another', async () => {
  mockServer((requests) =>
    requests.includes('901') ? counted({ event_id: 901, event_name: 'Summer hunt' }) : counted(),
  );
  await show('?event=901', [anActiveEvent({ id: 7, name: 'Double week' })]);
  expect(await screen.findByRole('option', { name: 'Summer hunt' })).toHaveProperty(
    'selected',
    true,
  );
  expect(screen.queryByRole('option', { name: 'Event 901' })).toBeNull();
  cleanup();
  mockServer(() => counted({ event_id: 7, event_name: 'Double week' }));
  await show('?event=902');
  await panel('Hours by member');
  expect(screen.getByRole('option', { name: 'Event 902' })).toHaveProperty('selected', true);
});

test('incomplete or reversed dates show an error, and are not requested', async () => {
  const requests = mockServer(() => counted());
  await show('?from=2026-11-20&to=2026-11-02');
  expect((await screen.findByRole('alert')).textContent).toContain('Choose a start date');
  expect(requests).toEqual([]);
});

test('an event unknown to this viewer is requested by its number; other values are ignored', async () => {
  const requests = mockServer(() => refused(404, 'event.notFound'));
  await show('?event=99');
  expect((await screen.findByRole('alert')).textContent).toContain("Couldn't load the statistics");
  expect(screen.getByRole('option', { name: 'Event 99' })).toBeTruthy();
  expect(requests).toEqual(['?event_id=99']);
});

test('a failed load shows an error and a retry button; the old data stays', async () => {
  let isDown = false;
  mockServer(() => (isDown ? refused(503, 'server.stopping') : counted()));
  await show();
  await panel('Hours by member');
  isDown = true;
  await act(async () => announceReconnect());
  expect((await screen.findByRole('alert')).textContent).toContain("Couldn't load the statistics");
  expect(await rows('Hours by member')).toHaveLength(3);
  isDown = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('the last answer stays when another period cannot be fetched', async () => {
  mockServer((requests) => (requests.includes('5') ? refused(503, 'server.stopping') : counted()));
  await show('', [
    anEvent({ id: 5, name: 'Rapid respawn' }),
    anActiveEvent({ id: 7, name: 'Double week' }),
  ]);
  await panel('Hours by member');
  await userEvent.selectOptions(screen.getByLabelText('Period'), 'Rapid respawn');
  expect((await screen.findByRole('alert')).textContent).toContain("Couldn't load the statistics");
  expect(await rows('Hours by member')).toHaveLength(3);
});

test('says that no hours were claimed', async () => {
  mockServer(() => counted({ hours_by_member: [], hours_by_type: [], wanted_spots: [] }));
  await show();
  expect(await screen.findByText('No data for these dates')).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});

test('a table is downloaded whole, and typed text is no formula', async () => {
  const saved: { name: string; blob: Blob }[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push({ name: '', blob });
    return 'blob:0';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    const last = saved.at(-1);
    if (last) last.name = this.download;
  });
  mockServer(() => counted());
  await show();
  await panel('Hours by member');
  await userEvent.click(screen.getByRole('button', { name: 'Download CSV: Hours by member' }));
  expect(saved[0]?.name).toBe('hours-by-member-2026-11-01-2026-11-21.csv');
  expect((await saved[0]?.blob.text())?.trim().split('\r\n')).toEqual([
    expect.stringContaining('"Character","Member type","Hours","No-shows"'),
    '"Mira Stormcrow","elite","40","1"',
    `"'=Arden Vale","member","12","0"`,
  ]);
});

test('a visitor of a members-only board sees how to sign in', async () => {
  const requests = mockServer(() => counted());
  useSession.setState({ status: 'ready', profiles: [], current: null, admin: null });
  await act(async () => {
    render(
      <MemoryRouter>
        <StatisticsPage />
      </MemoryRouter>,
    );
  });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
    'Statistics are for guild members',
  );
  expect(requests).toEqual([]);
});
