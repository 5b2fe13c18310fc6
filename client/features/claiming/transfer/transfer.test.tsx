import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Transfer } from '../../../../shared/schemas/transfer.ts';
import { Overlays } from '../../../app.tsx';
import {
  applyChanges,
  applyOutsideClaims,
  applyOwnRecords,
  applySnapshot,
  clearBoard,
  setConnection,
} from '../../../state/board-store.ts';
import { useServerSaveClock } from '../../../state/clock.ts';
import { closeOverlay, openOverlay } from '../../../state/overlays.ts';
import { useSession } from '../../../state/session-store.ts';
import { dismissToasts } from '../../../test/dismiss-toasts.ts';
import { aClaim, aClaimOnRespawn, aConfig, aSpot, aType, aWait } from '../../../test/records.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { Link } from '../../../ui/link.tsx';
import { ToastHost } from '../../../ui/toast.tsx';
import { OffersHost } from '../../my-claims/offers-host.tsx';
import '../../my-claims/offers.tsx';
import '../../my-claims/weekly-claim-dialog.tsx';
import '../own/own-claim-menu.tsx';
import './transfer-dialog.tsx';

const arden = {
  characterName: 'Arden Vale',
  memberType: 'member',
  accessKey: 'ARDENS-KEY',
  isVerified: true,
  createdAt: '',
};
const own = aClaim({ id: 7, respawn_id: 1, date: '2026-11-22', hour_start: 10, hour_end: 14 });
const theirs = aClaim({
  id: 8,
  respawn_id: 2,
  character_name: 'Mira Stormcrow',
  date: '2026-11-22',
  hour_start: 15,
  hour_end: 17,
});
const later = { ...theirs, id: 9, character_name: 'Riley Ashdown', date: '2026-11-25' };
const begun = {
  ...theirs,
  id: 10,
  character_name: 'Kael Castell',
  date: '2026-11-21',
  hour_start: 9,
  hour_end: 15,
};
const aTransfer = (change: Partial<Transfer> = {}): Transfer => ({
  id: 3,
  kind: 'handover',
  claim_id: 8,
  for_claim_id: null,
  from: 'Mira Stormcrow',
  to: 'Arden Vale',
  wanted: null,
  offered: {
    respawn_id: 2,
    respawn_name: 'Cobra Bastion',
    date: '2026-11-22',
    hour_start: 15,
    hour_end: 17,
  },
  created_at: '2026-11-21T21:00:00.000Z',
  expires_at: '2026-11-22T21:00:00.000Z',
  ...change,
});

let sent: { call: string; key: string | null; body: unknown }[] = [];
let answer: () => Response | Promise<Response>;
/** Answers like the server: the first twenty whose names begin with the text. */
let keyHolders: string[] = [];
let recipients: (begin: string) => Response | Promise<Response>;

beforeEach(() => {
  // 21:30 UTC is SS+12.
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  useServerSaveClock.setState({ ss_time_zone: 'UTC', ss_hour: 9, ahead_ms: 0 });
  useSession.setState({ status: 'ready', profiles: [arden], current: arden, admin: null });
  sent = [];
  keyHolders = ['Kael Castell', 'Mira Stormcrow', 'Mirabel', 'Riley Ashdown'];
  recipients = (begin) =>
    Response.json({
      success: true,
      data: keyHolders.filter((name) => name.toLowerCase().startsWith(begin)).slice(0, 20),
    });
  answer = () => Response.json({ success: true, data: aTransfer({ to: 'Mira Stormcrow' }) });
  vi.stubGlobal('fetch', async (path: string, { method, headers, body }: RequestInit) => {
    const { pathname, searchParams } = new URL(path, 'https://board.test');
    if (pathname === '/api/transfers/recipients') return recipients(searchParams.get('name') ?? '');
    sent.push({
      call: `${method} ${path}`,
      key: new Headers(headers).get('X-Access-Key'),
      body: JSON.parse(String(body ?? 'null')),
    });
    return answer();
  });
  const spots = [aSpot(1, 'Fire Library'), aSpot(2, 'Cobra Bastion')];
  applySnapshot(1, {
    respawn: spots,
    claim: [own, theirs, later, begun],
    config: [aConfig({ transfers_enabled: 1 })],
  });
  setConnection('live');
  render(
    <MemoryRouter>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <main tabIndex={-1}>
          <button type="button">Bar</button>
          <Link to="/mine">My claims</Link>
        </main>
        <Overlays />
        <OffersHost />
        <ToastHost />
      </LocalTimeContext>
    </MemoryRouter>,
  );
});
afterEach(() => {
  act(() => {
    closeOverlay('transfer');
    closeOverlay('ownClaim');
  });
  dismissToasts();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  clearBoard();
  useServerSaveClock.setState({ ss_time_zone: 'America/Los_Angeles', ss_hour: 1, ahead_ms: 0 });
  useSession.setState({ status: 'checking', profiles: [], current: null });
});

const claimOnBoard = aClaimOnRespawn(own);
const bar = (): HTMLElement => screen.getByRole('button', { name: 'Bar', hidden: true });
const items = (): (string | null)[] =>
  screen.getAllByRole('menuitem').map((item) => item.textContent);
const suggested = (): (string | null)[] =>
  screen.queryAllByRole('option').map(({ textContent }) => textContent);
const openMenu = (): void =>
  act(() => openOverlay('ownClaim', { claim: claimOnBoard, anchor: bar(), which: 'all' }));

test('by keyboard: the menu of one’s own claim opens the handover, which is sent with the character’s key', async () => {
  bar().focus();
  openMenu();
  expect((await screen.findByRole('menu', { name: 'Bar' })).textContent).toContain(
    'Fire Library SS+10 to SS+14',
  );
  expect(items()).toEqual(['Hand over…', 'Swap…', 'Copy for Discord']);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Hand over…'));
  await userEvent.keyboard('{Enter}');
  const dialog = await screen.findByRole('dialog', { name: 'Hand over your claim' });
  const send = within(dialog).getByRole('button', { name: 'Offer claim' });
  expect(send.getAttribute('aria-disabled')).toBe('true');
  const field = within(dialog).getByRole<HTMLInputElement>('combobox', {
    name: 'To which character?',
  });
  await waitFor(() => expect(document.activeElement === field).toBe(true));
  await userEvent.keyboard('mir');
  await waitFor(() => expect(suggested()).toEqual(['Mira Stormcrow', 'Mirabel']));
  expect(send.getAttribute('aria-disabled')).toBe('true');
  await userEvent.keyboard('{Enter}');
  expect(field.value).toBe('Mira Stormcrow');
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toEqual([
    { call: 'POST /api/claims/7/handover', key: 'ARDENS-KEY', body: { to: 'Mira Stormcrow' } },
  ]);
  expect(screen.getByText(/^Offered to Mira Stormcrow until /)).toBeTruthy();
});

test('Enter after a whole name takes it, and not a longer one', async () => {
  keyHolders = ['Mira', 'Mira Stormcrow'];
  act(() => openOverlay('transfer', { claim: claimOnBoard, way: 'handover' }));
  const dialog = await screen.findByRole('dialog', { name: 'Hand over your claim' });
  await userEvent.type(within(dialog).getByLabelText('To which character?'), 'mira');
  await within(dialog).findByRole('option', { name: 'Mira Stormcrow' });
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ to: 'Mira' }]));
});

test('a refusal stays in the dialog with its sentence', async () => {
  answer = () =>
    Response.json(
      { error: '2 members', code: 'transfer.waitlist', params: { count: 2 } },
      { status: 409 },
    );
  act(() => openOverlay('transfer', { claim: claimOnBoard, way: 'handover' }));
  const dialog = await screen.findByRole('dialog', { name: 'Hand over your claim' });
  await userEvent.type(within(dialog).getByLabelText('To which character?'), 'kael');
  await within(dialog).findByRole('option', { name: 'Kael Castell' });
  await userEvent.keyboard('{Enter}{Enter}');
  expect((await within(dialog).findByText(/2 members are on the waitlist/)).textContent).toContain(
    'waitlists come first',
  );
});

test('a swap offers upcoming claims of others, those of the same date first, and shows both sides', async () => {
  act(() => openOverlay('transfer', { claim: claimOnBoard, way: 'swap' }));
  const dialog = await screen.findByRole('dialog', { name: 'Swap your claim' });
  const choices = within(dialog).getAllByRole('radio');
  expect(choices.map((radio) => radio.closest('label')?.querySelector('b')?.textContent)).toEqual([
    'Mira Stormcrow',
    'Riley Ashdown',
  ]);
  await userEvent.type(
    within(dialog).getByRole('searchbox', { name: 'Find a character or spot' }),
    'mira',
  );
  expect(within(dialog).getAllByRole('radio')).toHaveLength(1);
  await userEvent.type(
    within(dialog).getByRole('searchbox', { name: 'Find a character or spot' }),
    'nothing',
  );
  expect(within(dialog).getByText('No claim of another member matches.')).toBeTruthy();
  await userEvent.clear(
    within(dialog).getByRole('searchbox', { name: 'Find a character or spot' }),
  );
  await userEvent.type(
    within(dialog).getByRole('searchbox', { name: 'Find a character or spot' }),
    'mira',
  );
  await userEvent.click(within(dialog).getByRole('radio'));
  const sides = [...dialog.querySelectorAll('dt')].map(
    (side) => `${side.textContent}: ${side.nextElementSibling?.querySelector('b')?.textContent}`,
  );
  expect(sides).toEqual(['You give: Fire Library', 'You get: Cobra Bastion']);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Offer swap' }));
  await waitFor(() =>
    expect(sent).toMatchObject([{ call: 'POST /api/claims/7/swap', body: { for_claim_id: 8 } }]),
  );
});

test('a swap lists the same hours on other spots, then other hours on the same spot, then the rest', async () => {
  const at = (id: number, character_name: string, fields: object) => ({
    ...own,
    id,
    character_name,
    ...fields,
  });
  const claim = [
    own,
    at(11, 'Early Ed', { respawn_id: 2, hour_start: 2, hour_end: 5 }),
    at(12, 'Same Spot', { hour_start: 15, hour_end: 17 }),
    at(13, 'Same Hours', { respawn_id: 2 }),
    at(14, 'Next Spot', { date: '2026-11-23' }),
  ];
  const respawn = [aSpot(1, 'Fire Library'), aSpot(2, 'Cobra Bastion')];
  const config = [aConfig({ transfers_enabled: 1 })];
  act(() => applySnapshot(3, { respawn, claim, config, member_type: [aType('member')] }));
  act(() => openOverlay('transfer', { claim: claimOnBoard, way: 'swap' }));
  const dialog = await screen.findByRole('dialog', { name: 'Swap your claim' });
  const groups = within(dialog)
    .getAllByRole('group')
    .filter(({ tagName }) => tagName === 'DIV')
    .map((group) => [...group.querySelectorAll('h3, b')].map(({ textContent }) => textContent));
  expect(groups).toEqual([
    ['Same hours, other spot', 'Same Hours'],
    ['Same spot, other hours', 'Same Spot', 'Next Spot'],
    ['Other claims', 'Early Ed'],
  ]);
});

test('a chosen claim is judged again when the board changes, and no longer chosen when it is deleted', async () => {
  act(() => openOverlay('transfer', { claim: claimOnBoard, way: 'swap' }));
  const dialog = await screen.findByRole('dialog', { name: 'Swap your claim' });
  await userEvent.click(within(dialog).getByRole('radio', { name: /^Mira Stormcrow/ }));
  const button = within(dialog).getByRole('button', { name: 'Offer swap' });
  expect(button.getAttribute('aria-disabled')).toBeNull();
  const wait = aWait({
    id: 1,
    respawn_id: 2,
    date: theirs.date ?? '',
    hour_start: 0,
    hour_end: 24,
    character_name: 'Next Nell',
  });
  act(() => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'wait', record: wait }] }));
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(within(dialog).getByRole('alert').textContent).toContain('1 member is on the waitlist');
  act(
    () =>
      void applyChanges({ clock: 3, changes: [{ op: 'remove', kind: 'claim', id: theirs.id }] }),
  );
  expect(within(dialog).queryByRole('alert')).toBeNull();
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(button);
  expect(sent).toEqual([]);
});

test('a swap lists only claims that the rules allow; the search finds the others, each with its reason', async () => {
  const at = (id: number, character_name: string, fields: object) => ({
    ...theirs,
    id,
    character_name,
    ...fields,
  });
  const claims = [
    own,
    theirs,
    // Arden has another claim on the 23rd, and may claim four hours.
    at(11, 'Arden Vale', { date: '2026-11-23', hour_start: 20, hour_end: 22 }),
    at(12, 'Busy Bea', { date: '2026-11-23' }),
    at(13, 'Long Lena', { date: '2026-11-24', hour_end: 20, member_type: 'elite' }),
    // Twice Tom has a claim on the 22nd besides the one to swap, and Short Sam may claim two hours.
    at(14, 'Twice Tom', { date: '2026-11-24' }),
    at(15, 'Twice Tom', { respawn_id: 1, hour_start: 20, hour_end: 22 }),
    at(16, 'Short Sam', { date: '2026-11-25', member_type: 'short' }),
    at(17, 'Wanted Will', { date: '2026-11-26' }),
  ];
  const member_type = [
    aType('member'),
    aType('elite', { voucher_duration_hours: 6 }),
    aType('short', { voucher_duration_hours: 2 }),
  ];
  const wait = [
    aWait({
      id: 1,
      respawn_id: 2,
      date: '2026-11-26',
      hour_start: 16,
      hour_end: 18,
      character_name: 'Next Nell',
    }),
  ];
  const respawn = [aSpot(1, 'Fire Library'), aSpot(2, 'Cobra Bastion')];
  act(() =>
    applySnapshot(3, {
      respawn,
      claim: claims,
      member_type,
      wait,
      config: [aConfig({ transfers_enabled: 1 })],
    }),
  );
  act(() => openOverlay('transfer', { claim: claimOnBoard, way: 'swap' }));
  const dialog = await screen.findByRole('dialog', { name: 'Swap your claim' });
  const names = () =>
    within(dialog)
      .getAllByRole('radio')
      .map((radio) => radio.closest('label')?.querySelector('b')?.textContent);
  expect(names()).toEqual(['Twice Tom', 'Mira Stormcrow']);
  const search = within(dialog).getByRole('searchbox', { name: 'Find a character or spot' });
  for (const [typed, reason] of [
    ['busy', 'Not possible for you: another claim on this date'],
    ['lena', 'Not possible for you: longer than the voucher'],
    ['sam', 'Not possible for Short Sam: longer than the voucher'],
    ['will', '1 member is on the waitlist'],
  ] as const) {
    await userEvent.clear(search);
    await userEvent.type(search, typed);
    expect(within(dialog).getByRole<HTMLInputElement>('radio').disabled, typed).toBe(true);
    expect(within(dialog).getByRole('radio').closest('label')?.textContent, typed).toContain(
      reason,
    );
  }
  await userEvent.clear(search);
  await userEvent.type(search, 'tom');
  expect(
    within(dialog)
      .getAllByRole<HTMLInputElement>('radio')
      .map(({ disabled }) => disabled),
  ).toEqual([false, true]);
});

test('a claim that members wait for says so before it is offered', async () => {
  const wait = [
    aWait({
      id: 1,
      respawn_id: 1,
      date: '2026-11-22',
      hour_start: 12,
      hour_end: 15,
      character_name: 'Next Nell',
    }),
  ];
  const respawn = [aSpot(1, 'Fire Library'), aSpot(2, 'Cobra Bastion')];
  act(() =>
    applySnapshot(3, {
      respawn,
      claim: [own, theirs],
      wait,
      config: [aConfig({ transfers_enabled: 1 })],
    }),
  );
  act(() => openOverlay('transfer', { claim: claimOnBoard, way: 'handover' }));
  const dialog = await screen.findByRole('dialog', { name: 'Hand over your claim' });
  expect(within(dialog).getByText(/1 member is on the waitlist/)).toBeTruthy();
  await userEvent.type(
    within(dialog).getByLabelText('To which character?'),
    'Mira Stormcrow{Enter}',
  );
  expect(sent).toEqual([]);
});

async function openHandover(): Promise<HTMLInputElement> {
  act(() => openOverlay('transfer', { claim: claimOnBoard, way: 'handover' }));
  return screen.findByRole<HTMLInputElement>('combobox', { name: 'To which character?' });
}

test('three letters that only one name begins with are enough: the button completes and sends it', async () => {
  const field = await openHandover();
  await userEvent.type(field, 'ril');
  await waitFor(() => expect(suggested()).toEqual(['Riley Ashdown']));
  await userEvent.click(screen.getByRole('button', { name: 'Offer claim' }));
  await waitFor(() => expect(sent).toMatchObject([{ body: { to: 'Riley Ashdown' } }]));
});

test('a name that no character with a key has is refused before it is sent', async () => {
  const field = await openHandover();
  await userEvent.type(field, 'Mira Storn');
  expect((await screen.findByRole('alert')).textContent).toBe('No character of that name');
  await userEvent.keyboard('{Enter}');
  expect(sent).toEqual([]);
  await userEvent.keyboard('{Backspace}');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('beyond twenty names, more letters find the others', async () => {
  keyHolders = Array.from({ length: 30 }, (_, n) => `Zed ${10 + n}`);
  const field = await openHandover();
  await userEvent.type(field, 'zed');
  await waitFor(() => expect(suggested()).toHaveLength(20));
  await userEvent.type(field, ' 39');
  await waitFor(() => expect(suggested()).toEqual(['Zed 39']));
});

test('when the names cannot be read, the server judges the typed one', async () => {
  recipients = () => Promise.reject(new TypeError('reset'));
  const field = await openHandover();
  await userEvent.type(field, 'Mira Stormcrow');
  const send = screen.getByRole('button', { name: 'Offer claim' });
  await waitFor(() => expect(send.getAttribute('aria-disabled')).toBeNull());
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(sent).toMatchObject([{ body: { to: 'Mira Stormcrow' } }]));
});

test('the recipient sees an offer in the banner, and accepts or refuses it', async () => {
  act(() => applyOwnRecords({ transfer: [aTransfer()], standing_claim: [] }));
  const banner = await screen.findByRole('region', { name: 'Claims offered to you' });
  expect(within(banner).getByText('Mira Stormcrow offers you a claim')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toBe(
    'Mira Stormcrow offers you a claim on Cobra Bastion.',
  );
  await userEvent.click(
    within(banner).getByRole('button', {
      name: 'Accept: Cobra Bastion, SS+15 to SS+17, from Mira Stormcrow',
    }),
  );
  expect(sent).toMatchObject([{ call: 'POST /api/transfers/3/accept', key: 'ARDENS-KEY' }]);
  answer = () =>
    Response.json({ error: 'gone', code: 'transfer.claimChanged', params: {} }, { status: 409 });
  await userEvent.click(within(banner).getByRole('button', { name: /^Decline/ }));
  expect(
    await within(banner).findByText('This offer ended because its claim changed.'),
  ).toBeTruthy();
  // The message stays when the live connection removes the offer, also before its answer.
  act(() => applyOwnRecords({ transfer: [], standing_claim: [] }));
  expect(within(banner).getByText('This offer ended because its claim changed.')).toBeTruthy();
  expect(within(banner).queryByRole('button', { name: /^Decline/ })).toBeNull();
  await userEvent.click(within(banner).getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('region', { name: 'Claims offered to you' })).toBeNull();
});

test('an offer that ends while its answer is sent says why', async () => {
  act(() => applyOwnRecords({ transfer: [aTransfer()], standing_claim: [] }));
  const banner = await screen.findByRole('region', { name: 'Claims offered to you' });
  const late = Promise.withResolvers<Response>();
  answer = () => late.promise;
  await userEvent.click(within(banner).getByRole('button', { name: /^Accept/ }));
  act(() => applyOwnRecords({ transfer: [], standing_claim: [] }));
  late.resolve(
    Response.json({ error: 'gone', code: 'transfer.wasWithdrawn', params: {} }, { status: 409 }),
  );
  expect(await within(banner).findByText('This offer was withdrawn.')).toBeTruthy();
});

test('an accepted offer whose answer was lost shows no failure', async () => {
  act(() => applyOwnRecords({ transfer: [aTransfer()], standing_claim: [] }));
  const banner = await screen.findByRole('region', { name: 'Claims offered to you' });
  answer = () => Promise.reject(new TypeError('reset'));
  await userEvent.click(within(banner).getByRole('button', { name: /^Accept/ }));
  expect(await within(banner).findByRole('alert')).toBeTruthy();
  act(() => {
    applyChanges({
      clock: 2,
      changes: [{ op: 'put', kind: 'claim', record: { ...theirs, character_name: 'Arden Vale' } }],
    });
    applyOwnRecords({ transfer: [], standing_claim: [] });
  });
  expect(screen.queryByRole('region', { name: 'Claims offered to you' })).toBeNull();
});

test('an offer can be hidden until the member opens their claims', async () => {
  act(() => applyOwnRecords({ transfer: [aTransfer()], standing_claim: [] }));
  const banner = await screen.findByRole('region', { name: 'Claims offered to you' });
  await userEvent.click(
    within(banner).getByRole('button', {
      name: /^Decide later, in My claims: offer of Mira Stormcrow/,
    }),
  );
  expect(screen.queryByRole('region', { name: 'Claims offered to you' })).toBeNull();
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('link', { name: 'My claims' }));
  const again = await screen.findByRole('region', { name: 'Claims offered to you' });
  expect(within(again).queryByRole('button', { name: /^Decide later/ })).toBeNull();
});

test('a claim that another member asks for offers no transfer of its own', async () => {
  openMenu();
  await screen.findByRole('menu');
  act(() =>
    applyOwnRecords({
      transfer: [aTransfer({ kind: 'swap', for_claim_id: 7 })],
      standing_claim: [],
    }),
  );
  await waitFor(() => expect(items()).toEqual(['Copy for Discord']));
});

test('the menu follows a claim that another event takes off the board, and closes with its end', async () => {
  openMenu();
  await screen.findByRole('menu');
  const dates = { first_date: '2026-11-22', last_date: '2026-11-22', event_name: null };
  act(() => {
    applyOutsideClaims('Arden Vale', [{ ...claimOnBoard, ...dates }]);
    applyChanges({ clock: 2, changes: [{ op: 'remove', kind: 'claim', id: 7 }] });
  });
  expect(items()).toEqual(['Hand over…', 'Swap…', 'Copy for Discord']);
  act(() => applyOutsideClaims('Arden Vale', []));
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
});

test('the owner withdraws an offer from the menu; other members’ offers and a guild without transfers show none', async () => {
  act(() =>
    applyOwnRecords({
      transfer: [aTransfer({ claim_id: 7, from: 'Arden Vale', to: 'Mira Stormcrow' })],
      standing_claim: [],
    }),
  );
  expect(screen.queryByRole('region', { name: 'Claims offered to you' })).toBeNull();
  openMenu();
  await userEvent.click(
    await screen.findByRole('menuitem', { name: 'Withdraw offer to Mira Stormcrow' }),
  );
  expect(sent).toMatchObject([{ call: 'DELETE /api/transfers/3', key: 'ARDENS-KEY' }]);
  act(() => {
    closeOverlay('ownClaim');
    applyOwnRecords({ transfer: [], standing_claim: [] });
    applySnapshot(2, {
      respawn: [aSpot(1, 'Fire Library')],
      claim: [own],
      config: [aConfig({ transfers_enabled: 0 })],
    });
  });
  openMenu();
  await waitFor(() => expect(items()).toEqual(['Copy for Discord']));
});

test('the menu of an own claim also makes a weekly claim of it, where the guild has weekly claims', async () => {
  answer = () => Response.json({ success: true, data: [] });
  openMenu();
  expect(await screen.findByRole('menuitem', { name: /^Hand over/ })).toBeTruthy();
  expect(screen.queryByRole('menuitem', { name: /weekly claim/ })).toBeNull();
  act(() =>
    applyChanges({
      clock: 2,
      changes: [
        {
          op: 'put',
          kind: 'config',
          record: aConfig({ transfers_enabled: 0, standing_enabled: 1 }),
        },
      ],
    }),
  );
  await userEvent.click(screen.getByRole('menuitem', { name: 'Make this a weekly claim…' }));
  const form = await screen.findByRole('dialog', { name: 'New weekly claim' });
  expect(within(form).getByRole('checkbox', { name: 'Sunday' })).toHaveProperty('checked', true);
  act(() => closeOverlay('weeklyClaim'));
});
