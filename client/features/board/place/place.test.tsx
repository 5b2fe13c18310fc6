import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Claim } from '../../../../shared/schemas/claim.ts';
import { askedClaimantIn, askedClaimIn } from '../../../lib/asked-claim.ts';
import { applyChanges, applySnapshot, clearBoard, useBoard } from '../../../store/board-store.ts';
import { applyPresence, clearPresence } from '../../../store/presence-store.ts';
import { useSession } from '../../../store/session-store.ts';
import { aCategory, aClaim, aClaimRow, aConfig, anActiveEvent, aSpot, aType } from '../../../test/records.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { ToastHost } from '../../../ui/toast.tsx';
import { Board } from '../board.tsx';
import { claimsOn } from '../day-claims.ts';
import { stopPlacing } from './placing.ts';

// Each render of a row or a card for other claims asks for its day's claims: counting the calls counts those.
vi.mock('../day-claims.ts', { spy: true });
vi.mock('../../../live/announce-choosing.ts', { spy: true });
const { announceChoosing } = await import('../../../live/announce-choosing.ts');

const TODAY = '2026-11-21';
const arden = { characterName: 'Arden Vale', memberType: 'member', accessKey: 'K', isVerified: true, createdAt: '' };
const riley = { characterName: 'Riley Ashdown', memberType: 'elite', accessKey: 'R', isVerified: true, createdAt: '' };

const posted: { body: unknown; key: string | null }[] = [];
/** What the server answers to a claim. */
let answer: () => Response;
/** What it says is claimed on a spot beyond the board, and by the character. */
let elsewhere: Claim[];
let held: unknown[];
const ok = (data: unknown, status = 200): Response => new Response(JSON.stringify({ success: true, data }), { status });
const refused = (status: number, code: string, params = {}): Response =>
  new Response(JSON.stringify({ error: code, code, params }), { status });

// 21:30 UTC is 13:30 Pacific: SS+12 is running. Each hour of a strip or row is 40 px wide, behind a name of 200 px in a row.
const HOUR = 40;
const NAME = 200;
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockImplementation(function width(this: HTMLElement) {
    return this.getAttribute('role') === 'rowheader' ? NAME : 0;
  });
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function box(this: Element) {
    const isRow = this.getAttribute('role') === 'row';
    return new DOMRect(0, 100, 24 * HOUR + (isRow ? NAME : 0), 44);
  });
  useSession.setState({ status: 'ready', current: arden, profiles: [arden], admin: null });
  posted.length = 0;
  elsewhere = [];
  held = [];
  answer = () => ok([stored()], 201);
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (url.includes('/claims/check-character-claims/')) return ok({ hasClaimsForDate: held.length > 0, claimsForDate: held });
    if (/\/respawns\/\d+\/claims\//.test(url)) return ok(elsewhere.map((claim) => aClaimRow(claim)));
    if (url === '/api/claims') {
      posted.push({ body: JSON.parse(String(init.body)), key: new Headers(init.headers).get('Idempotency-Key') });
      return answer();
    }
    if (init.method === 'DELETE') return ok(null);
    throw new TypeError(`nothing answers ${url}`);
  });
});
afterEach(() => {
  act(stopPlacing);
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearBoard();
  clearPresence();
});

const stored = (change = {}) =>
  aClaimRow({ id: 50, respawn_id: 1, respawn_name: 'Fire Library', character_name: 'Arden Vale', hour_start: 16, hour_end: 19, ...change });

const taken = aClaim({ id: 1, respawn_id: 1, character_name: 'Mira Stormcrow', hour_start: 19, hour_end: 22 });
const snapshot = {
  respawn: [aSpot(1, 'Fire Library', 10), aSpot(2, 'Cobra Bastion', 10)],
  category: [aCategory(10, 'Ankrahmun')],
  claim: [taken],
  event: [anActiveEvent()],
  member_type: [aType('member'), aType('elite', { voucher_duration_hours: 2 })],
  config: [aConfig()],
};

function Elsewhere(): ReactNode {
  const { pathname, search, state } = useLocation();
  return (
    <>
      <p data-testid="address">{pathname + search}</p>
      <p data-testid="asked">{askedClaimIn(state)}</p>
      <p data-testid="claimant">{JSON.stringify(askedClaimantIn(state))}</p>
    </>
  );
}
const address = (): string | null => screen.getByTestId('address').textContent;

async function show(path = '/?view=timeline', change = {}): Promise<void> {
  applySnapshot(1, { ...snapshot, ...change });
  render(
    <MemoryRouter initialEntries={[path]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <Routes>
          <Route path="/" element={<Board />} />
          <Route path="*" element={<Elsewhere />} />
        </Routes>
        <ToastHost />
      </LocalTimeContext>
    </MemoryRouter>,
  );
  if (path.includes('timeline')) await screen.findByRole('grid');
}

const row = (spot = 'Fire Library'): HTMLElement => {
  const found = screen.getByRole('rowheader', { name: spot }).closest<HTMLElement>('[role="row"]');
  if (!found) throw new Error(`${spot} has no row`);
  return found;
};
const freeHour = (hour: number, spot = 'Fire Library'): HTMLElement =>
  within(row(spot)).getByRole('link', { name: new RegExp(`^Claim ${spot} from SS\\+${hour},`) });
const strip = (): HTMLElement => screen.getByRole('button', { name: /Arrow keys choose/ });
const mouse = { pointerType: 'mouse', button: 0 } as const;
const middleOf = (hour: number, before = NAME): number => before + (hour + 0.5) * HOUR;

async function drag(from: number, to: number, { on = freeHour(from), before = NAME } = {}): Promise<void> {
  fireEvent.pointerDown(on, { ...mouse, clientX: middleOf(from, before) });
  await act(async () => void fireEvent.pointerMove(document, { ...mouse, clientX: middleOf(to, before) }));
}
const letGo = (): boolean => fireEvent.pointerUp(document, mouse);
const popover = (): Promise<HTMLElement> => screen.findByRole('dialog', { name: 'Claim Fire Library' });
const claimButton = (hours: number): Promise<HTMLElement> => screen.findByRole('button', { name: `Claim ${hours} h` });
const claimArrives = (change: Partial<Claim>, clock = 2): void =>
  act(() => void applyChanges({ clock, changes: [{ op: 'put', kind: 'claim', record: aClaim({ id: 9, ...change }) }] }));

describe('with the mouse', () => {
  test('a drag paints hours with their name, no other row renders, and Enter claims what was painted', async () => {
    await show();
    vi.mocked(claimsOn).mockClear();
    await drag(16, 18);
    expect(await screen.findByText('SS+16 to SS+19 · 16:00 to 19:00')).toBeTruthy();
    for (const hour of [17, 18, 20, 23, 14, 12, 18]) fireEvent.pointerMove(document, { ...mouse, clientX: middleOf(hour) });
    expect(claimsOn).not.toHaveBeenCalled();
    letGo();
    const box = await popover();
    expect(box.textContent).toContain('SS+16 to SS+19');
    expect(within(box).getByText('Arden Vale')).toBeTruthy();
    expect(within(box).getByText('member')).toBeTruthy();
    expect(document.activeElement).toBe(await claimButton(3));

    await userEvent.keyboard('{Enter}');
    expect(await screen.findByText('Arden Vale has claimed Fire Library, SS+16 to SS+19')).toBeTruthy();
    expect(posted).toHaveLength(1);
    expect(posted[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(posted[0]?.body).toEqual({
      claims: [
        {
          respawn_id: 1,
          character_name: 'Arden Vale',
          date: TODAY,
          event_id: 1,
          voucher_duration: 4,
          hour_start: 16,
          hour_end: 19,
          is_secondary_claim: 0,
          secondary_priority: 0,
          is_split_claim: 0,
        },
      ],
      member_type: 'member',
      access_key: 'K',
    });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  test('it stops at a claim, at what is over, and at the voucher', async () => {
    await show();
    await drag(17, 23);
    expect(await screen.findByText(/^SS\+17 to SS\+19/)).toBeTruthy();
    fireEvent.pointerMove(document, { ...mouse, clientX: middleOf(2) });
    expect(await screen.findByText(/^SS\+14 to SS\+18/)).toBeTruthy();
    fireEvent.keyDown(document, { key: 'Escape' });
    expect(screen.queryByText(/^SS\+14 to SS\+18/)).toBeNull();
    await drag(13, 3);
    expect(await screen.findByText(/^SS\+12 to SS\+14/)).toBeTruthy();
  });

  test('a card’s strip is pressed and dragged in the same way', async () => {
    await show('/');
    await drag(14, 16, { on: strip(), before: 0 });
    letGo();
    expect(await claimButton(3)).toBeTruthy();
  });

  test('a press without a drag proposes the longest claim there; a modified one is the browser’s', async () => {
    await show();
    fireEvent.click(freeHour(17), { ctrlKey: true });
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.click(freeHour(17));
    expect((await popover()).textContent).toContain('SS+15 to SS+19');
    expect(await claimButton(4)).toBeTruthy();
  });

  test('a tile of an unclaimed spot proposes its first hours to come', async () => {
    await show('/');
    fireEvent.click(screen.getByRole('link', { name: 'Claim Cobra Bastion' }));
    expect((await screen.findByRole('dialog')).textContent).toContain('SS+12 to SS+16');
  });
});

test('with the keyboard Shift and arrows choose a stretch in the grid, Enter asks, Escape gives up', async () => {
  await show();
  const user = userEvent.setup();
  act(() => freeHour(14).focus());
  await user.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
  expect(await screen.findByText(/^SS\+14 to SS\+17/)).toBeTruthy();
  expect(document.activeElement).toBe(freeHour(14));
  await user.keyboard('{Escape}');
  expect(screen.queryByText(/^SS\+14 to SS\+17/)).toBeNull();
  await user.keyboard('{Shift>}{ArrowRight}{/Shift}{Enter}');
  expect(await claimButton(2)).toBeTruthy();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(freeHour(14));
});

test('in a card’s strip arrows point at hours that can be had, and Shift takes several', async () => {
  await show('/');
  const user = userEvent.setup();
  act(() => strip().focus());
  await user.keyboard('{ArrowRight}');
  expect(await screen.findByText(/^SS\+12 to SS\+16/)).toBeTruthy();
  await user.keyboard('{ArrowRight}{ArrowRight}{Shift>}{ArrowRight}{/Shift}');
  expect(await screen.findByText(/^SS\+14 to SS\+16/)).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(await claimButton(2)).toBeTruthy();
});

describe('what happens meanwhile', () => {
  test('hours that somebody takes are given up at once, and it is said', async () => {
    await show();
    await drag(15, 18);
    letGo();
    await claimButton(4);
    claimArrives({ respawn_id: 1, character_name: 'Sable Quinn', hour_start: 17, hour_end: 19 });
    expect(await claimButton(2)).toBeTruthy();
    expect(screen.getByText('Sable Quinn has SS+17 to SS+19 now. SS+15 to SS+17 is left.')).toBeTruthy();
    claimArrives({ id: 10, respawn_id: 1, character_name: 'Old Bram', hour_start: 13, hour_end: 17 }, 3);
    expect(await screen.findByText(/nothing of these hours is left/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(posted).toEqual([]);
  });

  test('what only the server knows, such as claims of other events, is given up too', async () => {
    elsewhere = [aClaim({ id: 77, respawn_id: 1, character_name: 'Old Bram', hour_start: 17, hour_end: 18 })];
    await show();
    await drag(15, 18);
    letGo();
    expect(await claimButton(2)).toBeTruthy();
    expect(screen.getByText(/^Old Bram has SS\+17 to SS\+18 now/)).toBeTruthy();
  });

  test('who else is choosing is named; one’s own choice is told to them, and taken back', async () => {
    await show();
    const choices = [{ respawn_id: 1, date: TODAY, hour_start: 15, hour_end: 17 }];
    act(() => applyPresence({ op: 'put', chooser: { id: 'a', name: 'Sable Quinn', choices } }));
    await drag(15, 16);
    letGo();
    expect(within(await popover()).getByText('Sable Quinn is choosing')).toBeTruthy();
    expect(announceChoosing).toHaveBeenLastCalledWith([{ respawn_id: 1, date: TODAY, hour_start: 15, hour_end: 17 }]);
    await userEvent.keyboard('{Escape}');
    expect(announceChoosing).toHaveBeenLastCalledWith(null);
  });

  test('a refusal stands where it was asked for, and nothing is lost', async () => {
    await show();
    answer = () => refused(409, 'claim.timeConflict', { date: TODAY, hour: 16 });
    await drag(16, 17);
    letGo();
    await userEvent.click(await claimButton(2));
    expect((await screen.findByRole('alert')).textContent).toMatch(/already a claim that overlaps/);
    expect(await claimButton(2)).toBeTruthy();
  });

  test('an answer that was lost is asked for with the same key', async () => {
    await show();
    answer = () => {
      throw new TypeError('Failed to fetch');
    };
    await drag(16, 18);
    letGo();
    await userEvent.click(await claimButton(3));
    const again = await screen.findByRole('button', { name: 'Try again' });
    // It was stored after all: that is no conflict.
    claimArrives({ respawn_id: 1, character_name: 'Arden Vale', hour_start: 16, hour_end: 19 });
    answer = () => ok([stored()], 201);
    await userEvent.click(again);
    expect(await screen.findByText(/has claimed Fire Library/)).toBeTruthy();
    expect(posted[1]).toEqual(posted[0]);
  });
});

describe('nothing is offered that the server refuses', () => {
  const pressed = async (): Promise<string> => {
    fireEvent.click(freeHour(14));
    return (await screen.findByRole('alert')).textContent ?? '';
  };
  const isBlocked = (): boolean => screen.getByRole('button', { name: 'Try again' }).getAttribute('aria-disabled') === 'true';

  test('submission is closed', async () => {
    await show('/?view=timeline', { config: [aConfig({ submission_enabled: 0 })] });
    fireEvent.click(freeHour(14));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
  test('submission is closed while somebody chooses', async () => {
    await show('/?view=timeline', { config: [aConfig()] });
    fireEvent.click(freeHour(14));
    const button = await claimButton(4);
    act(() => {
      const record = aConfig({ submission_enabled: 0 });
      applyChanges({ clock: useBoard.getState().clock + 1, changes: [{ op: 'put', kind: 'config', record }] });
    });
    expect((await screen.findByRole('alert')).textContent).toBe('Claim submission is currently disabled');
    expect(button.getAttribute('aria-disabled')).toBe('true');
  });
  test('the type may not', async () => {
    await show('/?view=timeline', { member_type: [aType('member', { can_submit: 0 })] });
    expect(await pressed()).not.toBe('');
    expect(isBlocked()).toBe(true);
  });
  test('the character has a claim on that day, as the board knows or only the server', async () => {
    await show('/?view=timeline', { claim: [taken, aClaim({ id: 3, respawn_id: 2, hour_start: 2, hour_end: 6 })] });
    expect(await pressed()).toBe('CHARACTER ALREADY HAS A CLAIM FOR THIS DATE');
  });
  test('of several characters the first who may is chosen, with their own voucher', async () => {
    useSession.setState({ profiles: [arden, riley] });
    await show('/?view=timeline', { claim: [taken, aClaim({ id: 3, respawn_id: 2, hour_start: 2, hour_end: 6 })] });
    await drag(14, 18);
    letGo();
    await claimButton(2);
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Character' }).value).toBe('Riley Ashdown');
    await userEvent.click(await claimButton(2));
    await vi.waitFor(() => expect(posted[0]?.body).toMatchObject({ access_key: 'R', member_type: 'elite' }));
  });
  test('a claim of a single_claim event has no date, and is told as every day of it', async () => {
    await show('/?view=timeline', { claim: [], event: [anActiveEvent({ type: 'single_claim' })] });
    vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
      if (url === '/api/claims') posted.push({ body: JSON.parse(String(init.body)), key: null });
      return url === '/api/claims' ? ok([stored({ date: null })], 201) : ok([]);
    });
    fireEvent.click(freeHour(14));
    await userEvent.click(await claimButton(4));
    await vi.waitFor(() => expect(posted).toHaveLength(1));
    expect(posted[0]?.body).not.toHaveProperty('claims.0.date');
  });
});

test('a visitor of a public board is led to the login, with what was chosen', async () => {
  useSession.setState({ current: null, profiles: [] });
  await show();
  await drag(15, 17);
  letGo();
  expect(address()).toBe('/login?type=access-key');
  expect(screen.getByTestId('asked').textContent).toBe(`?respawn=1&date=${TODAY}&hour=15&hours=3`);
});

test('More options opens the form with all of it', async () => {
  useSession.setState({ profiles: [arden, riley] });
  await show();
  await drag(15, 17);
  letGo();
  await claimButton(3);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Character' }), 'Riley Ashdown');
  expect(await claimButton(2)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'More options' }));
  expect(address()).toBe(`/input?respawn=1&date=${TODAY}&hour=15&hours=2`);
  expect(useSession.getState().current).toEqual(riley);
});

describe('an admin without a character', () => {
  beforeEach(() => useSession.setState({ current: null, profiles: [], admin: { username: 'Thora', token: 'T' } }));

  test('names whom the claim is for, also while submission is closed, and can undo it', async () => {
    await show('/?view=timeline', { config: [aConfig({ submission_enabled: 0 })] });
    await drag(15, 16);
    letGo();
    await userEvent.click(await claimButton(2));
    expect(screen.getByText('Character name is required')).toBeTruthy();
    expect(posted).toEqual([]);
    await userEvent.type(screen.getByRole('combobox', { name: 'Character name' }), 'Sable Quinn{Enter}');
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(posted[0]?.body).toMatchObject({ admin_submission: true, member_type: 'member' });
    expect(await screen.findByText('The claim is taken back')).toBeTruthy();
  });

  test('takes the name along to the form, in the history', async () => {
    await show();
    await drag(15, 16);
    letGo();
    const name = await screen.findByRole('combobox', { name: 'Character name' });
    await userEvent.clear(name);
    await userEvent.type(name, 'Old Bram');
    await userEvent.click(screen.getByRole('button', { name: 'More options' }));
    expect(address()).toBe(`/admin/input?respawn=1&date=${TODAY}&hour=15&hours=2`);
    expect(screen.getByTestId('claimant').textContent).toBe(JSON.stringify({ character_name: 'Old Bram', member_type: 'member' }));
  });
});

describe('on a phone', () => {
  beforeEach(() => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('coarse'),
      addEventListener: () => {},
      removeEventListener: () => {},
    }));
  });

  test('a finger that moves paints nothing; a tap proposes, and both ends can be moved', async () => {
    await show();
    fireEvent.pointerDown(freeHour(14), { pointerType: 'touch', clientX: middleOf(14) });
    fireEvent.pointerMove(document, { pointerType: 'touch', clientX: middleOf(16) });
    fireEvent.pointerUp(document, { pointerType: 'touch' });
    expect(screen.queryByRole('status', { name: /SS/ })).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.click(freeHour(14));
    expect(await claimButton(4)).toBeTruthy();
    const [start, end] = [screen.getByRole('slider', { name: 'Start' }), screen.getByRole('slider', { name: 'End' })];
    expect(start.getAttribute('aria-valuetext')).toBe('SS+14, 14:00 your time');
    fireEvent.keyDown(start, { key: 'ArrowRight' });
    expect(await claimButton(3)).toBeTruthy();
    // SS+19 is Mira's.
    for (let i = 0; i < 4; i += 1) fireEvent.keyDown(end, { key: 'ArrowRight' });
    expect(end.getAttribute('aria-valuenow')).toBe('19');
    fireEvent.keyDown(end, { key: 'Home' });
    expect(await claimButton(1)).toBeTruthy();
    await userEvent.click(await claimButton(1));
    await vi.waitFor(() => expect(posted[0]?.body).toMatchObject({ claims: [{ hour_start: 15, hour_end: 16 }] }));
  });
});

test('Show brings the claim’s card into view', async () => {
  await show('/');
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  await drag(14, 16, { on: strip(), before: 0 });
  letGo();
  await userEvent.click(await claimButton(3));
  await userEvent.click(await screen.findByRole('button', { name: 'Show' }));
  await vi.waitFor(() => expect(scrolled).toHaveBeenCalled());
  expect(scrolled.mock.contexts[0]).toBe(screen.getByRole('article'));
});
