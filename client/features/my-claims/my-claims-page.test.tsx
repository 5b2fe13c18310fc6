import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyMissedClaims, applyOutsideClaims, setConnection } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { ALL_ON } from '../../test/push.ts';
import { aClaim, anActiveEvent, anEnding, aWait } from '../../test/records.ts';
import {
  arden,
  endMine,
  mira,
  mockServer,
  NOTHING,
  NOW,
  ok,
  push,
  refused,
  showMine,
  signIn,
  startMine,
} from './test/show-my-claims.tsx';

beforeEach(startMine);
afterEach(endMine);

const panel = (name: string): HTMLElement => screen.getByRole('region', { name });
const rows = (name: string): string[] => within(panel(name)).getAllByRole('listitem').map(textOf);
const textOf = (element: HTMLElement): string =>
  (element.textContent ?? '').replace(/\s+/g, ' ').trim();
const button = (name: string | RegExp): HTMLElement => screen.getByRole('button', { name });
const PREFERENCES = `GET /api/push/preferences?at=${Date.parse(NOW)}`;
const ON = { release_enabled: 1, confirm_enabled: 1 } as const;

test('shows running, upcoming and (folded) past claims of all characters of this browser, and no others', async () => {
  mockServer(() => NOTHING);
  signIn(arden, mira);
  await showMine({
    claim: [
      aClaim({ id: 1, hour_start: 18, hour_end: 22 }),
      aClaim({
        id: 2,
        respawn_id: 2,
        hour_start: 11,
        hour_end: 14,
        character_name: 'Mira Stormcrow',
      }),
      aClaim({ id: 3, respawn_id: 2, hour_start: 4, hour_end: 8 }),
      aClaim({ id: 4, respawn_id: 2, hour_start: 16, hour_end: 18, character_name: 'Old Bram' }),
    ],
  });
  expect(rows('Coming up')).toEqual([
    'Sea Serpents SouthMira Stormcrow membernowToday, SS+11 to SS+14 11:00 to 14:00 your timeMore',
    'Fire LibraryArden Vale memberToday, SS+18 to SS+22 18:00 to 22:00 your timeMore',
    'Sea Serpents SouthArden Vale memberToday, SS+4 to SS+8 4:00 to 8:00 your time',
  ]);
  expect(panel('Coming up').textContent).toContain('1 earlier');
});

test('without a character it says how to sign in; also to an admin', async () => {
  signIn();
  useSession.setState({ admin: { username: 'Thora', token: 'T', role: 'owner' } });
  await showMine();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('No character is signed in');
  expect(screen.getByRole('link', { name: 'Verify Character' }).getAttribute('href')).toBe(
    '/verify',
  );
});

test('each empty part is one line; the page names the next step', async () => {
  mockServer(() => NOTHING);
  await showMine();
  expect(screen.getByRole('link', { name: 'Claim a spot' })).toBeTruthy();
  expect(panel('Coming up').textContent).toBe('Coming upNo upcoming claims');
  expect(panel('Waitlist').textContent).toBe("WaitlistYou're not on any waitlist");
  expect(await screen.findByText('No changes')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Held for you' })).toBeNull();
});

test('release and "I’m here" are shown only if the guild has switched them on', async () => {
  mockServer(() => NOTHING);
  const claim = [aClaim({ id: 1, hour_start: 12, hour_end: 16, to_confirm: [1] })];
  await showMine({ claim }, { release_enabled: 0, confirm_enabled: 0 });
  expect(screen.queryByRole('button', { name: /Release|here/ })).toBeNull();
  expect(panel('Coming up').textContent).not.toContain('hours go to others');
});

test('releasing asks first and says which hours go and which stay; the key of the claim’s own character does it', async () => {
  const sent = mockServer(() => NOTHING, { 'POST /api/claims/2/release': () => ok() });
  signIn(arden, mira);
  await showMine(
    { claim: [aClaim({ id: 2, hour_start: 11, hour_end: 15, character_name: 'Mira Stormcrow' })] },
    ON,
  );
  await userEvent.click(button('Release the rest, Fire Library'));
  const question = await screen.findByRole('alertdialog', {
    name: 'Release your hours on Fire Library?',
  });
  expect(textOf(question)).toContain('Comes freeToday, SS+13 to SS+15');
  expect(textOf(question)).toContain('Stays yoursToday, SS+11 to SS+13');
  expect(textOf(question)).toContain('Anyone can claim these hours right away.');
  // Who waits for the hours that stay is offered nothing.
  push({
    op: 'put',
    kind: 'wait',
    record: aWait({ id: 1, character_name: 'Old Bram', hour_start: 11, hour_end: 13 }),
  });
  expect(textOf(question)).toContain('Anyone can claim these hours right away.');
  push({
    op: 'put',
    kind: 'wait',
    record: aWait({ id: 2, character_name: 'Old Bram', hour_start: 14, hour_end: 16 }),
  });
  expect(textOf(question)).toContain('On the waitlist for these hours: Old Bram. They come first.');
  // Of those that it wants one hour comes free, which is too few without the free ones beside it.
  const more = { character_name: 'Riley Ashdown', hour_start: 14, hour_end: 18, min_hours: 3 };
  push({ op: 'put', kind: 'wait', record: aWait({ id: 3, ...more }) });
  expect(textOf(question)).toContain('Old Bram, Riley Ashdown.');
  push({
    op: 'put',
    kind: 'claim',
    record: aClaim({ id: 9, character_name: 'Uxc Vice', hour_start: 16, hour_end: 18 }),
  });
  expect(textOf(question)).toContain('Old Bram. They come first.');
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(sent.filter(({ call }) => call !== 'GET endings')).toEqual([]);
  await userEvent.click(button('Release the rest, Fire Library'));
  await userEvent.click(button('Release SS+13 to SS+15'));
  expect(sent.find(({ call }) => call !== 'GET endings')).toEqual({
    call: 'POST /api/claims/2/release',
    key: 'MIRAS-KEY',
    body: {},
  });
  expect(await screen.findByText('Released: Fire Library, SS+13 to SS+15')).toBeTruthy();
});

test('an hour that starts during the question is kept too', async () => {
  vi.useRealTimers();
  vi.useFakeTimers({
    now: new Date('2026-11-21T21:59:00Z'),
    toFake: ['Date', 'setTimeout', 'clearTimeout'],
  });
  mockServer(() => NOTHING);
  await showMine({ claim: [aClaim({ id: 2, hour_start: 11, hour_end: 15 })] }, ON);
  fireEvent.click(button('Release the rest, Fire Library'));
  act(() => vi.advanceTimersByTime(60_000));
  expect(button('Release SS+14 to SS+15')).toBeTruthy();
});

test('a split claim is released part by part; one that has not started is released whole', async () => {
  const split_parts = [
    { part_number: 1, respawn_id: 1, hour_start: 9, duration: 2 },
    { part_number: 2, respawn_id: 2, hour_start: 20, duration: 2 },
  ];
  const sent = mockServer(() => NOTHING, { 'POST /api/claims/5/release': () => ok() });
  await showMine(
    { claim: [aClaim({ id: 5, hour_start: 9, hour_end: 11, is_split_claim: 1, split_parts })] },
    ON,
  );
  // Nothing is left of the first part.
  expect(screen.queryByRole('button', { name: 'Release the rest, Fire Library' })).toBeNull();
  await userEvent.click(button('Release, Sea Serpents South'));
  expect(textOf(screen.getByRole('alertdialog'))).toContain(
    'Nothing: the whole claim is released.',
  );
  await userEvent.click(button('Release SS+20 to SS+22'));
  expect(sent.find(({ call }) => call.startsWith('POST'))?.body).toEqual({ part_number: 2 });
});

test('a refused release is shown in the question, which stays open', async () => {
  mockServer(() => NOTHING, { 'POST /api/claims/2/release': () => refused(409, 'claim.notFound') });
  await showMine({ claim: [aClaim({ id: 2, hour_start: 16, hour_end: 20 })] }, ON);
  await userEvent.click(button('Release, Fire Library'));
  await userEvent.click(button('Release SS+16 to SS+20'));
  expect((await within(screen.getByRole('alertdialog')).findByRole('alert')).textContent).toContain(
    "Couldn't release the hours: ",
  );
});

test('“I’m here” works only in its window, says before when it opens, and uses the character’s own key', async () => {
  const sent = mockServer(() => NOTHING, { 'POST /api/claims/1/confirm': () => ok() });
  await showMine(
    {
      claim: [
        // SS+12 began at 21:00, half an hour ago; SS+13 begins at 22:00.
        aClaim({ id: 1, respawn_id: 1, hour_start: 12, hour_end: 14, to_confirm: [1] }),
        aClaim({
          id: 2,
          respawn_id: 2,
          date: '2026-11-22',
          hour_start: 13,
          hour_end: 16,
          to_confirm: [1],
        }),
      ],
    },
    { ...ON, grace_minutes: 40 },
  );
  const [first, second] = rows('Coming up');
  expect(first).toContain(`Press “I'm here” by 21:40, or the hours go to others.`);
  expect(second).toContain(`Press “I'm here” between Sun 21:45 and Sun 22:40`);
  await userEvent.click(button("I'm here · by 21:40, Fire Library"));
  expect(sent.find(({ call }) => call.startsWith('POST'))).toEqual({
    call: 'POST /api/claims/1/confirm',
    key: 'ARDENS-KEY',
    body: {},
  });
  expect(await screen.findByText('Fire Library stays yours until SS+14')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^I'm here.*Sea Serpents South/ })).toBeNull();
});

test('a claim that is confirmed, or not judged, asks for nothing', async () => {
  mockServer(() => NOTHING);
  await showMine(
    { claim: [aClaim({ id: 1, hour_start: 12, hour_end: 14, to_confirm: [] })] },
    { ...ON, grace_minutes: 40 },
  );
  expect(screen.queryByRole('button', { name: /here/ })).toBeNull();
});

test('shows the waitlist position; leaving asks first, since the position is lost', async () => {
  const sent = mockServer(() => NOTHING, { 'DELETE /api/waits/7': () => ok() });
  await showMine({
    wait: [
      aWait({ id: 7, position: 2, min_hours: 3 }),
      aWait({ id: 8, character_name: 'Old Bram' }),
    ],
  });
  expect(rows('Waitlist')).toHaveLength(1);
  expect(rows('Waitlist')[0]).toContain("You're number 2 · at least 3 h");
  await userEvent.click(button('Leave waitlist: Fire Library'));
  const question = await screen.findByRole('alertdialog', {
    name: 'Leave the waitlist for Fire Library?',
  });
  // A member ahead leaves while the dialog is open.
  push({ op: 'put', kind: 'wait', record: aWait({ id: 7, position: 1 }) });
  expect(question.textContent).toContain("You're number 1.");
  await userEvent.click(within(question).getByRole('button', { name: 'Leave waitlist' }));
  expect(sent.find(({ call }) => call.startsWith('DELETE'))?.key).toBe('ARDENS-KEY');
  expect(await screen.findByText('You left the waitlist for Fire Library')).toBeTruthy();
});

test('members in their quiet hours read that they are skipped until the end, each character separately', async () => {
  const quiet = {
    ...ALL_ON,
    quiet_from: '22:00',
    quiet_until: '08:00',
    time_zone: 'Europe/Berlin',
  };
  const sent = mockServer(() => NOTHING, {
    [PREFERENCES]: ({ key }) => (key === 'ARDENS-KEY' ? ok(quiet) : ok(ALL_ON)),
  });
  signIn(arden, mira);
  const wait = [
    aWait({ id: 7 }),
    aWait({ id: 8, date: '2026-11-22', character_name: 'Mira Stormcrow' }),
  ];
  await showMine({ wait });
  await vi.waitFor(() => expect(rows('Waitlist').join()).toMatch(/quiet/));
  const [own, other] = rows('Waitlist');
  expect(own).toMatch(/You're number 1 ?Skipped until 07:00: your quiet hours/);
  expect(other).not.toMatch(/quiet/);
  expect(sent.filter(({ call }) => call !== 'GET endings').map(({ key }) => key)).toEqual([
    'ARDENS-KEY',
    'MIRAS-KEY',
  ]);
});

test('the sentence about quiet hours disappears when they end', async () => {
  vi.useFakeTimers({
    now: new Date(NOW),
    toFake: ['Date', 'setTimeout', 'clearTimeout'],
    shouldAdvanceTime: true,
  });
  const quiet = {
    ...ALL_ON,
    quiet_from: '22:00',
    quiet_until: '22:35',
    time_zone: 'Europe/Berlin',
  };
  mockServer(() => NOTHING, { [PREFERENCES]: () => ok(quiet) });
  signIn(arden);
  await showMine({ wait: [aWait({ id: 7 })] });
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(rows('Waitlist').join()).toMatch(/your quiet hours/);
  await act(() => vi.advanceTimersByTimeAsync(6 * 60_000));
  expect(rows('Waitlist').join()).not.toMatch(/quiet/);
});

test('ended or unknown quiet hours show nothing', async () => {
  const quiet = {
    ...ALL_ON,
    quiet_from: '23:30',
    quiet_until: '08:00',
    time_zone: 'Europe/Berlin',
  };
  const sent = mockServer(() => NOTHING, {
    [PREFERENCES]: ({ key }) =>
      key === 'ARDENS-KEY' ? ok(quiet) : refused(503, 'server.stopping'),
  });
  signIn(arden, mira);
  await showMine({
    wait: [
      aWait({ id: 7 }),
      aWait({ id: 8, date: '2026-11-22', character_name: 'Mira Stormcrow' }),
    ],
  });
  await vi.waitFor(() => expect(sent.filter(({ call }) => call === PREFERENCES)).toHaveLength(2));
  await act(() => new Promise((done) => setTimeout(done, 20)));
  expect(rows('Waitlist').join()).not.toMatch(/quiet/);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('without waitlists the panel is hidden, unless an entry is left', async () => {
  mockServer(() => NOTHING);
  await showMine({ wait: [aWait({ id: 7 })] }, { waits_enabled: 0 });
  expect(panel('Waitlist').textContent).toContain('The waitlist is off right now.');
  push({ op: 'remove', kind: 'wait', id: 7 });
  expect(screen.queryByRole('region', { name: 'Waitlist' })).toBeNull();
});

test('an entry with an offer says where to answer it: the offer itself is at the bottom of every page', async () => {
  const until = { held_until: '2026-11-21T21:37:00.000Z' };
  mockServer(() => NOTHING);
  await showMine({
    claim: [aClaim({ id: 30, hour_start: 13, hour_end: 15, is_held: 1, ...until })],
    wait: [
      aWait({
        id: 7,
        status: 'offered',
        hour_start: 12,
        hour_end: 16,
        held_claim_id: 30,
        ...until,
      }),
    ],
  });
  expect(rows('Waitlist')).toHaveLength(1);
  expect(rows('Waitlist')[0]).toContain('Fire LibraryToday, SS+13 to SS+15');
  expect(rows('Waitlist')[0]).toContain('Held for you now. Answer at the bottom of the page.');
  expect(screen.queryByRole('button', { name: /Take hours|Decline|Leave/ })).toBeNull();
  // A hold isn't a claim yet.
  expect(within(panel('Coming up')).queryByRole('listitem')).toBeNull();
});

test('shows the last thirty days of every character by its own key, newest first', async () => {
  const sent = mockServer((key) =>
    key === 'MIRAS-KEY'
      ? {
          endings: [
            anEnding({
              id: 4,
              date: '2026-11-21',
              reason: 'released',
              by: 'Mira Stormcrow',
              character_name: 'Mira Stormcrow',
            }),
          ],
          waits: [],
        }
      : {
          endings: [
            anEnding({ id: 1, date: '2026-11-19', reason: 'admin', by: 'Thora' }),
            anEnding({ id: 2, claim_id: 40, reason: 'lapsed', by: null }),
          ],
          waits: [
            aWait({ id: 9, date: '2026-11-20', status: 'lapsed', held_claim_id: 40 }),
            aWait({
              id: 10,
              respawn_id: 2,
              date: '2026-11-18',
              hour_start: 16,
              hour_end: 20,
              status: 'withdrawn',
            }),
          ],
        },
  );
  signIn(arden, mira);
  await showMine();
  await within(panel('Last 30 days')).findAllByRole('listitem');
  expect(sent.map(({ key }) => key)).toEqual(['ARDENS-KEY', 'MIRAS-KEY']);
  expect(rows('Last 30 days')).toEqual([
    'TodaySS+10 to SS+14Fire Library (Mira Stormcrow)Released · 20 Nov 2026',
    'Fri 20 NovSS+10 to SS+14Fire Library (Arden Vale)Offer expired · 20 Nov 2026',
    'Thu 19 NovSS+10 to SS+14Fire Library (Arden Vale)Deleted by an admin (Thora) · 20 Nov 2026',
    'Wed 18 NovSS+16 to SS+20Sea Serpents South (Arden Vale)You left the waitlist',
  ]);
});

test('the history is loaded again when an own claim ends, not when others change theirs', async () => {
  let endings = [anEnding({ id: 1 })];
  const sent = mockServer(() => ({ endings, waits: [] }));
  await showMine({
    claim: [
      aClaim({ id: 1 }),
      aClaim({ id: 2, hour_start: 20, hour_end: 22, character_name: 'Old Bram' }),
    ],
  });
  await within(panel('Last 30 days')).findAllByRole('listitem');
  push({ op: 'remove', kind: 'claim', id: 2 });
  await act(async () => {});
  expect(sent).toHaveLength(1);
  endings = [...endings, anEnding({ id: 2, reason: 'no_show', by: null })];
  push({ op: 'remove', kind: 'claim', id: 1 });
  expect(await screen.findByText(/No-show/)).toBeTruthy();
  expect(sent).toHaveLength(2);
});

test('a lost connection asks for no history; once it is back, it is loaded again', async () => {
  let isDown = false;
  const sent = mockServer(() =>
    isDown ? refused(503, 'server.stopping') : { endings: [anEnding({ id: 1 })], waits: [] },
  );
  await showMine();
  await within(panel('Last 30 days')).findAllByRole('listitem');
  act(() => setConnection('live'));
  const before = sent.length;
  isDown = true;
  for (const connection of ['polling', 'offline', 'connecting'] as const)
    act(() => setConnection(connection));
  await act(async () => {});
  expect(sent).toHaveLength(before);
  expect(screen.queryByRole('alert')).toBeNull();
  isDown = false;
  act(() => setConnection('live'));
  await vi.waitFor(() => expect(sent).toHaveLength(before + 1));
});

test('a character’s history that fails to load says so, offers a retry, and leaves the others intact', async () => {
  let isDown = true;
  mockServer((key) =>
    key === 'MIRAS-KEY' && isDown
      ? refused(503, 'server.stopping')
      : { endings: [anEnding({ id: key === 'MIRAS-KEY' ? 2 : 1 })], waits: [] },
  );
  signIn(arden, mira);
  await showMine();
  expect((await screen.findByRole('alert')).textContent).toContain("Couldn't load your history");
  expect(rows('Last 30 days')).toHaveLength(1);
  isDown = false;
  await userEvent.click(button('Try again'));
  await vi.waitFor(() => expect(rows('Last 30 days')).toHaveLength(2));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('offline the page stays, and its buttons say why they are disabled', async () => {
  const sent = mockServer(() => NOTHING);
  await showMine(
    { claim: [aClaim({ id: 2, hour_start: 16, hour_end: 20 })], wait: [aWait({ id: 7 })] },
    { ...ON, transfers_enabled: 1 },
  );
  act(() => setConnection('offline'));
  const before = sent.length;
  for (const name of ['Release, Fire Library', 'Leave waitlist: Fire Library']) {
    expect(button(name).getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(button(name));
  }
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.queryByRole('menu')).toBeNull();
  expect(sent.slice(before).filter(({ call }) => call !== 'GET endings')).toEqual([]);
});

test('claims of before the active event are listed with where they belong, and confirmed, released and transferred like others', async () => {
  const sent = mockServer(() => NOTHING, {
    'POST /api/claims/1/confirm': () => ok(),
    'POST /api/claims/1/release': () => ok(),
  });
  await showMine(
    { event: [anActiveEvent()], claim: [] },
    { ...ON, transfers_enabled: 1, grace_minutes: 60 },
  );
  const outside = (
    claim: ReturnType<typeof aClaim>,
    first_date: string,
    last_date: string,
    event_name: string | null,
  ) => {
    return { ...claim, first_date, last_date, event_name };
  };
  act(() =>
    applyOutsideClaims('Arden Vale', [
      outside(
        aClaim({ id: 1, event_id: null, hour_start: 12, hour_end: 16, to_confirm: [1] }),
        '2026-11-21',
        '2026-11-21',
        null,
      ),
      outside(
        aClaim({ id: 2, event_id: null, respawn_id: 2, date: '2026-12-05' }),
        '2026-12-05',
        '2026-12-05',
        null,
      ),
      outside(
        aClaim({ id: 3, event_id: 9, date: null, hour_start: 5, hour_end: 7 }),
        '2026-12-10',
        '2026-12-12',
        'Winter',
      ),
    ]),
  );
  const [now, later, whole] = within(panel('Coming up')).getAllByRole('listitem');
  expect(textOf(now ?? document.body)).toContain('Claim outside the event');
  expect(textOf(whole ?? document.body)).toContain('Claim of Winter');
  // The board has no such date, so nothing leads there.
  expect(within(now ?? document.body).getByRole('link')).toBeTruthy();
  for (const row of [later, whole])
    expect(within(row ?? document.body).queryByRole('link')).toBeNull();
  expect(screen.getAllByRole('button', { name: /^More/ })).toHaveLength(3);
  await userEvent.click(button(/here/));
  const more = within(now ?? document.body).getByRole('button', { name: 'More, Fire Library' });
  await userEvent.click(more);
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Release the rest' }));
  push({
    op: 'put',
    kind: 'occupancy',
    record: {
      id: 1,
      character_name: 'Arden Vale',
      event_name: null,
      first_date: '2026-11-21',
      last_date: '2026-11-21',
      parts: [{ respawn_id: 1, hour_start: 12, hour_end: 16 }],
    },
  });
  push({
    op: 'put',
    kind: 'wait',
    record: aWait({ character_name: 'Old Bram', hour_start: 13, hour_end: 16 }),
  });
  expect(textOf(screen.getByRole('alertdialog'))).toContain('Old Bram. They come first.');
  await userEvent.click(button('Release SS+13 to SS+16'));
  expect(sent.map(({ call }) => call).filter((call) => call.startsWith('POST'))).toEqual([
    'POST /api/claims/1/confirm',
    'POST /api/claims/1/release',
  ]);
  // Once the event has taken it, the board's is the one.
  push({
    op: 'put',
    kind: 'claim',
    record: aClaim({ id: 1, event_id: 1, hour_start: 12, hour_end: 13 }),
  });
  expect(rows('Coming up')).toHaveLength(3);
  expect(rows('Coming up')[0]).not.toContain('outside');
});

test('the week on top has the own hours of each day, and leads to that day on the board', async () => {
  mockServer(() => NOTHING);
  const claim = [
    aClaim({ id: 1, hour_start: 18, hour_end: 22 }),
    aClaim({ id: 2, respawn_id: 2, date: '2026-11-23', hour_start: 3, hour_end: 6 }),
    aClaim({ id: 3, character_name: 'Mira Stormcrow', date: '2026-11-24' }),
  ];
  await showMine({ claim });
  const days = screen
    .getAllByRole('link')
    .filter((link) => link.closest('ul')?.children.length === 7);
  expect(days.map((day) => [day.textContent, day.getAttribute('href')])).toEqual([
    ['TodayToday, Fire Library SS+18 to SS+22', '/'],
    ['TomorrowTomorrow, No upcoming claims', '/?date=2026-11-22'],
    ['Mon 23Mon 23 Nov, Sea Serpents South SS+3 to SS+6', '/?date=2026-11-23'],
    ['Tue 24Tue 24 Nov, No upcoming claims', '/?date=2026-11-24'],
    ['Wed 25Wed 25 Nov, No upcoming claims', '/?date=2026-11-25'],
    ['Thu 26Thu 26 Nov, No upcoming claims', '/?date=2026-11-26'],
    ['Fri 27Fri 27 Nov, No upcoming claims', '/?date=2026-11-27'],
  ]);
});

test('R9.29: says how many claims were missed before that keeps the member from claiming, and then until when', async () => {
  mockServer(() => NOTHING);
  const RULES = { confirm_enabled: 1, no_show_limit: 2 } as const;
  await showMine({}, RULES);
  const missed = { claim_id: 7, date: '2026-11-20', ended_at: '2026-11-20T12:00:00.000Z' };
  act(() => applyMissedClaims('Arden Vale', [missed]));
  expect(
    screen.getByText("1 missed claim in 14 days; at 2 you can't claim for 3 days."),
  ).toBeTruthy();
  act(() => applyMissedClaims('Arden Vale', [missed, { ...missed, claim_id: 8 }]));
  expect(screen.getByRole('alert').textContent).toMatch(
    /^You missed 2 claims\. You can claim again from .+\.$/,
  );
  act(() => applyMissedClaims('Arden Vale', []));
  expect(screen.queryByText(/missed/)).toBeNull();
});
