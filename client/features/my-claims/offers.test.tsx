import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Profiler } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { Wait } from '../../../shared/schemas/wait.ts';
import { setPageTitle } from '../../lib/page-title.ts';
import { applyChanges, applySnapshot, clearBoard, useBoard } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { dismissToasts } from '../../test/dismiss-toasts.ts';
import { aClaim, aConfig, aSpot, aWait } from '../../test/records.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { ToastHost } from '../../ui/toast.tsx';
import { OffersHost } from './offers-host.tsx';

const chime = vi.hoisted(() => ({ play: vi.fn(), start: vi.fn(), stop: vi.fn() }));
vi.mock('../../lib/chime.ts', () => ({
  createChime: (onChange: (isAwake: boolean) => void) => {
    onChange(true);
    return chime;
  },
}));

const NOW = '2026-11-21T21:30:00Z';
const HELD_UNTIL = '2026-11-21T21:37:00Z';
const profileOf = (
  characterName: string,
  accessKey: string,
): NonNullable<ReturnType<typeof useSession.getState>['current']> => ({
  characterName,
  memberType: 'member',
  accessKey,
  isVerified: true,
  createdAt: '',
});
const arden = profileOf('Arden Vale', 'K');
const riley = profileOf('Riley Ashdown', 'R');
const held = (change: Partial<Claim> = {}): Claim =>
  aClaim({
    id: 30,
    respawn_id: 1,
    hour_start: 17,
    hour_end: 20,
    is_held: 1,
    held_until: HELD_UNTIL,
    ...change,
  });
// Of four requested hours, three were freed.
const nextInLine = aWait({
  id: 6,
  hour_start: 18,
  hour_end: 19,
  character_name: 'Old Bram',
  position: 2,
});
const offered = (change: Partial<Wait> = {}): Wait =>
  aWait({
    id: 5,
    hour_start: 16,
    hour_end: 20,
    status: 'offered',
    held_claim_id: 30,
    held_until: HELD_UNTIL,
    ...change,
  });

interface Call {
  path: string;
  key: string | null;
  token: string | null;
}
let calls: Call[] = [];
let answer: () => Response | Promise<Response>;
const ok = (): Response => new Response(JSON.stringify({ success: true, data: {} }));
const refused = (code: string, status = 409): Response =>
  new Response(JSON.stringify({ error: code, code, params: {} }), { status });

beforeEach(() => {
  document.head.innerHTML = '<link rel="icon" href="/favicon.svg">';
  setPageTitle('Claimboard');
  calls = [];
  answer = ok;
  vi.useFakeTimers({ now: new Date(NOW), shouldAdvanceTime: true });
  vi.stubGlobal('AudioContext', class {});
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    calls.push({
      path: `${init.method} ${url}`,
      key: headers.get('X-Access-Key'),
      token: headers.get('Authorization'),
    });
    return answer();
  });
  useSession.setState({ status: 'ready', current: arden, profiles: [arden], admin: null });
});
afterEach(() => {
  dismissToasts();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
  for (const mock of Object.values(chime)) mock.mockClear();
  clearBoard();
  useSession.setState({ current: null, profiles: [], admin: null });
});

const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });

function Where(): React.ReactNode {
  const { pathname, search } = useLocation();
  return <p data-testid="address">{pathname + search}</p>;
}

function show(
  waits: readonly Wait[] = [offered()],
  claims: readonly Claim[] = [held()],
  page = '/admin/dashboard/events',
): void {
  const respawn = [aSpot(1, 'Fire Library'), aSpot(2, 'Cobra Bastion')];
  applySnapshot(1, { respawn, claim: claims, wait: waits, config: [aConfig()] });
  // Any page: an admin's as well.
  render(
    <MemoryRouter initialEntries={[page]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <main tabIndex={-1} />
        <OffersHost />
        <ToastHost />
        <Where />
      </LocalTimeContext>
    </MemoryRouter>,
  );
}
const banner = (): Promise<HTMLElement> => screen.findByRole('region', { name: 'Held for you' });
const noBanner = (): void =>
  expect(screen.queryByRole('region', { name: 'Held for you' })).toBeNull();
const take = (): HTMLElement => screen.getByRole('button', { name: /^Take hours: Fire Library/ });
const decline = (): HTMLElement => screen.getByRole('button', { name: /^Decline/ });
const change = (...changes: Parameters<typeof applyChanges>[0]['changes'][number][]): void =>
  act(() => void applyChanges({ clock: useBoard.getState().clock + 1, changes }));
const removeWait = { op: 'remove', kind: 'wait', id: 5 } as const;
const taken = { op: 'put', kind: 'claim', record: held({ is_held: 0, held_until: null }) } as const;
const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));
const icon = (): string | null | undefined =>
  document.querySelector('link[rel="icon"]')?.getAttribute('href');

test('beside the form’s summary on a phone it is one line, which leads to the answers', async () => {
  vi.stubGlobal('innerWidth', 390);
  show([offered()], [held()], '/input');
  const line = within(await banner()).getByRole('link');
  expect(line.textContent).toBe('Held for you: Fire Library7 min leftShow');
  expect(screen.queryByRole('button', { name: /^Take hours/ })).toBeNull();
  await user.click(line);
  expect(screen.getByTestId('address').textContent).toBe('/mine');
  expect(take()).toBeTruthy();
});

test('an expired offer is not called held in that line: it can be read and dismissed', async () => {
  vi.stubGlobal('innerWidth', 390);
  show([offered()], [held()], '/input');
  await banner();
  pass(7 * 60_000);
  expect(within(await banner()).queryByRole('link')).toBeNull();
  expect(screen.getByText('The offer for these hours has expired.')).toBeTruthy();
});

test('on any page: spot, held hours, local time, minutes left and both answers; the tab’s title and icon show it too', async () => {
  show();
  const text = (await banner()).textContent;
  expect(text).toContain('Held for you: Fire Library SS+17 to SS+20');
  expect(text).toContain('Today · 17:00 to 20:00 your time · 7 min left');
  expect(take().textContent).toBe('Take hours');
  expect(decline()).toBeTruthy();
  expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([
    'Fire Library, SS+17 to SS+20, is held for you.',
  ]);
  await vi.waitFor(() => expect(document.title).toBe('7 min: Fire Library is held for you'));
  expect(icon()).toBe('/favicon-urgent.svg');
  // Going to another page does not take it away.
  setPageTitle('Verify Character · Claimboard');
  pass(60_000);
  expect(document.title).toBe('6 min: Fire Library is held for you');
  expect((await banner()).textContent).toContain('6 min left');
  change(taken, removeWait);
  noBanner();
  expect(document.title).toBe('Verify Character · Claimboard');
  expect(icon()).toBe('/favicon.svg');
});

test('a minute renders only the minutes left', async () => {
  let renders = 0;
  show();
  await banner();
  render(
    <MemoryRouter>
      <Profiler id="page" onRender={() => (renders += 1)}>
        <ToastHost />
      </Profiler>
    </MemoryRouter>,
  );
  renders = 0;
  const buttons = [take(), decline()].map((button) => button.outerHTML);
  pass(60_000);
  expect([take(), decline()].map((button) => button.outerHTML)).toEqual(buttons);
  expect(renders).toBe(0);
});

test('a waitlist entry without an offer shows nothing; neither do holds of others', async () => {
  show([aWait({ id: 4 }), offered({ id: 6, character_name: 'Sable Quinn' })]);
  await act(async () => {});
  noBanner();
  expect(document.title).toBe('Claimboard');
  change(
    { op: 'put', kind: 'claim', record: held() },
    { op: 'put', kind: 'wait', record: offered({ id: 4 }) },
  );
  expect(await banner()).toBeTruthy();
});

test('Take hours is sent by the character’s own key, also where an admin is signed in, and can be shown', async () => {
  useSession.setState({ admin: { username: 'Thora', token: 'T', role: 'owner' } });
  show();
  await banner();
  await user.click(take());
  expect(await screen.findByText('You claimed Fire Library, SS+17 to SS+20')).toBeTruthy();
  expect(calls).toEqual([{ path: 'POST /api/waits/5/accept', key: 'K', token: null }]);
  noBanner();
  expect(document.activeElement).toBe(document.querySelector('main'));
  await user.click(screen.getByRole('button', { name: 'Show' }));
  expect(screen.getByTestId('address').textContent).toBe('/');
});

test('Decline frees the hours if no member waits for them', async () => {
  show([offered(), aWait({ ...nextInLine, hour_start: 10, hour_end: 12 })]);
  await banner();
  await user.click(decline());
  expect(await screen.findByText('Fire Library, SS+17 to SS+20, is free again')).toBeTruthy();
});

test('Decline asks the next, if one waits', async () => {
  show([offered(), nextInLine]);
  await banner();
  await user.click(decline());
  expect(
    await screen.findByText('Fire Library, SS+17 to SS+20, goes to the next on the waitlist'),
  ).toBeTruthy();
  expect(calls.map(({ path }) => path)).toEqual(['POST /api/waits/5/decline']);
  noBanner();
});

test('a pending answer is sent once, and the board’s changes meanwhile remove nothing', async () => {
  let done = (_: Response): void => {};
  answer = () =>
    new Promise((resolve) => {
      done = resolve;
    });
  show();
  await banner();
  await user.click(take());
  expect(take().getAttribute('aria-busy')).toBe('true');
  await user.click(take());
  await user.click(decline());
  expect(calls).toHaveLength(1);
  change(taken, removeWait);
  expect(await banner()).toBeTruthy();
  await act(async () => done(ok()));
  noBanner();
});

describe('failures', () => {
  test('an expired offer shows the refusal until it is dismissed', async () => {
    answer = () => refused('hold.over');
    show();
    await banner();
    await user.click(take());
    expect(within(await banner()).getByRole('alert').textContent).toBe(
      'The offer for these hours has expired.',
    );
    change({ op: 'remove', kind: 'claim', id: 30 }, removeWait);
    expect(within(await banner()).getByRole('alert')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Take hours/ })).toBeNull();
    await user.click(within(await banner()).getByRole('button', { name: 'Dismiss' }));
    noBanner();
  });

  test('offline: it says so, both buttons stay, and a retry works', async () => {
    answer = () => {
      throw new TypeError('Failed to fetch');
    };
    show();
    await banner();
    await user.click(take());
    expect(within(await banner()).getByRole('alert').textContent).toMatch(/Network error/);
    answer = ok;
    await user.click(take());
    expect(await screen.findByText(/You claimed Fire Library/)).toBeTruthy();
    expect(calls).toHaveLength(2);
  });

  test('an answer that was lost was no failure: the board shows that it is taken', async () => {
    answer = () => {
      throw new TypeError('Failed to fetch');
    };
    show();
    await banner();
    await user.click(take());
    await within(await banner()).findByRole('alert');
    change(taken, removeWait);
    noBanner();
  });

  test('taken in another tab: it disappears here, and a late press is not refused', async () => {
    answer = () => {
      applyChanges({ clock: useBoard.getState().clock + 1, changes: [taken, removeWait] });
      return refused('wait.notOpen');
    };
    show();
    await banner();
    await user.click(take());
    expect(await screen.findByText(/You claimed Fire Library/)).toBeTruthy();
    noBanner();
  });

  test('an unanswered offer expires at its deadline, before the server reports it', async () => {
    show();
    await banner();
    pass(7 * 60_000);
    expect((await banner()).textContent).toContain('The offer for these hours has expired.');
    expect(screen.queryByRole('button', { name: /^Take hours/ })).toBeNull();
    expect(document.title).toBe('Claimboard');
    change({ op: 'remove', kind: 'claim', id: 30 }, removeWait);
    await user.click(within(await banner()).getByRole('button', { name: 'Dismiss' }));
    noBanner();
  });

  test('an admin deletes the hold: it disappears', async () => {
    show();
    await banner();
    change({ op: 'remove', kind: 'claim', id: 30 }, removeWait);
    noBanner();
  });
});

test('a reload keeps an offer, unless it has expired', async () => {
  show();
  await banner();
  // As on a reload: a new page, and the board loaded again.
  act(clearBoard);
  noBanner();
  act(() =>
    applySnapshot(9, {
      respawn: [aSpot(1, 'Fire Library')],
      claim: [held()],
      wait: [offered()],
      config: [aConfig()],
    }),
  );
  expect(await banner()).toBeTruthy();
});

test('all characters of this browser are listed, each by its own key, the earliest deadline first', async () => {
  useSession.setState({ profiles: [arden, riley] });
  const sooner = '2026-11-21T21:33:00Z';
  const forRiley = offered({
    id: 9,
    respawn_id: 2,
    character_name: 'riley ashdown',
    held_claim_id: 31,
    held_until: sooner,
  });
  show(
    [offered(), forRiley],
    [held(), held({ id: 31, respawn_id: 2, character_name: 'Riley Ashdown', held_until: sooner })],
  );
  const text = (await banner()).textContent ?? '';
  expect(text.indexOf('Held for Riley Ashdown: Cobra Bastion')).toBeLessThan(
    text.indexOf('Held for Arden Vale: Fire Library'),
  );
  expect(text).toContain('Held for Arden Vale: Fire Library');
  expect(document.title).toBe('3 min: 2 spots are held for you');
  await user.click(screen.getByRole('button', { name: /^Take hours: Cobra Bastion/ }));
  await vi.waitFor(() =>
    expect(calls).toEqual([{ path: 'POST /api/waits/9/accept', key: 'R', token: null }]),
  );
});

describe('the sound', () => {
  test('plays a sound once per offer if switched on, prepared when the waitlist is joined', async () => {
    localStorage.setItem('watch-sound', 'on');
    show([aWait({ id: 5 })], []);
    await vi.waitFor(() => expect(document.title).toBe('Claimboard'));
    await act(async () => {});
    expect(chime.play).not.toHaveBeenCalled();
    change(
      { op: 'put', kind: 'claim', record: held() },
      { op: 'put', kind: 'wait', record: offered() },
    );
    await banner();
    await vi.waitFor(() => expect(chime.play).toHaveBeenCalledTimes(1));
    change({ op: 'put', kind: 'wait', record: offered({ position: 1 }) });
    pass(60_000);
    expect(chime.play).toHaveBeenCalledTimes(1);
  });

  test('is off until it is switched on, and the banner has only the two answers', async () => {
    show();
    const offerBanner = await banner();
    expect(chime.play).not.toHaveBeenCalled();
    expect(within(offerBanner).getAllByRole('button')).toHaveLength(2);
  });
});
