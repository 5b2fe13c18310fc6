import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Change } from '../../../shared/live.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { Ending } from '../../../shared/schemas/ending.ts';
import { applyChanges, applySnapshot, clearBoard, useBoard } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { dismissToasts } from '../../test/dismiss-toasts.ts';
import { aClaim, anActiveEvent, aSpot } from '../../test/records.ts';
import { ToastHost } from '../../ui/toast.tsx';
import { OwnChangesHost } from './own-changes.ts';

const NOW = '2026-11-21T21:30:00.000Z';
const arden = {
  characterName: 'Arden Vale',
  memberType: 'member',
  accessKey: 'K',
  isVerified: true,
  createdAt: '',
};
const own = aClaim({ id: 1, respawn_id: 1, date: '2026-11-22', hour_start: 17, hour_end: 20 });
const others = aClaim({
  id: 2,
  respawn_id: 1,
  character_name: 'Mira Stormcrow',
  date: '2026-11-22',
  hour_start: 2,
  hour_end: 4,
});
const anEnding = (change: Partial<Ending> = {}): Ending => ({
  id: 7,
  claim_id: 1,
  character_name: 'Arden Vale',
  member_type: 'member',
  respawn_id: 1,
  respawn_name: 'Fire Library',
  event_id: null,
  date: '2026-11-22',
  hour_start: 17,
  hour_end: 20,
  made_at: NOW,
  ended_at: NOW,
  reason: 'admin',
  by: 'Thora',
  standing_id: null,
  to_name: null,
  excused_by: null,
  ...change,
});

let endings: Ending[] = [];
let requestKeys: (string | null)[] = [];
beforeEach(() => {
  vi.useFakeTimers({ now: new Date(NOW), toFake: ['Date'] });
  endings = [];
  requestKeys = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (!url.startsWith('/api/endings/mine')) throw new TypeError(url);
    requestKeys.push(new Headers(init.headers).get('X-Access-Key'));
    return new Response(
      JSON.stringify({ success: true, data: { endings, waits: [], transfers: [] } }),
    );
  });
  useSession.setState({ status: 'ready', current: arden, profiles: [arden], admin: null });
  applySnapshot(1, {
    claim: [own, others],
    respawn: [aSpot(1, 'Fire Library'), aSpot(2, 'Cobra Bastion')],
    event: [anActiveEvent()],
  });
});
afterEach(() => {
  dismissToasts();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  clearBoard();
});

function Address() {
  return <p data-testid="address">{useLocation().pathname}</p>;
}
function show(): void {
  render(
    <MemoryRouter>
      <OwnChangesHost />
      <ToastHost />
      <Address />
    </MemoryRouter>,
  );
}
const changed = (...changes: Change[]): Promise<void> =>
  act(async () => void applyChanges({ clock: useBoard.getState().clock + 1, changes }));
const put = (record: Claim): Change => ({ op: 'put', kind: 'claim', record });
const gone = (id: number): Change => ({ op: 'remove', kind: 'claim', id });
const region = (): HTMLElement => screen.getByRole('region', { name: 'Messages' });
const toasts = (): string[] =>
  within(region())
    .queryAllByText(/[Yy]our claim/)
    .map(({ textContent }) => textContent ?? '');

test('an own claim that an admin deletes: which, why and who, politely, until it is dismissed; My claims is a press away', async () => {
  vi.useFakeTimers({ now: new Date(NOW), shouldAdvanceTime: true });
  endings = [anEnding()];
  show();
  await changed(gone(1));
  const text = 'An admin (Thora) deleted your claim: Fire Library, Sun 22 Nov, SS+17 to SS+20.';
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.getByText(text).closest('[aria-live]')?.getAttribute('aria-live')).toBe('polite');
  expect(requestKeys).toEqual(['K']);
  await act(async () => void vi.advanceTimersByTime(60_000));
  expect(screen.getByText(text)).toBeTruthy();
  vi.useRealTimers();
  await userEvent.click(within(region()).getByRole('button', { name: 'My claims' }));
  expect(screen.getByTestId('address').textContent).toBe('/mine');
  expect(toasts()).toEqual([]);
});

test('a moved, shortened or lengthened claim shows its new place, without a name if only lengthened', async () => {
  endings = [anEnding({ reason: 'edited' })];
  show();
  await changed(put({ ...own, respawn_id: 2, hour_start: 18 }));
  expect(
    await screen.findByText(
      'An admin (Thora) changed your claim: Fire Library, Sun 22 Nov, SS+17 to SS+20. Now: Cobra Bastion, Sun 22 Nov, SS+18 to SS+20.',
    ),
  ).toBeTruthy();
  endings = [];
  await changed(put({ ...own, respawn_id: 2, hour_start: 18, hour_end: 22 }));
  expect(
    await screen.findByText(
      /^Your claim was changed: Cobra Bastion, Sun 22 Nov, SS\+18 to SS\+20\. Now: Cobra Bastion, Sun 22 Nov, SS\+18 to SS\+22\.$/,
    ),
  ).toBeTruthy();
});

test('nothing is shown or requested for other members’ claims, one’s own releases, or an inactive event', async () => {
  show();
  await changed(gone(2), put(aClaim({ id: 3, respawn_id: 2 })));
  expect(requestKeys).toEqual([]);
  endings = [anEnding({ hour_start: 18, reason: 'released', by: 'arden vale' })];
  await changed(put({ ...own, hour_end: 18 }));
  endings = [anEnding({ ended_at: '2026-11-20T10:00:00.000Z' })];
  await changed(gone(1));
  await vi.waitFor(() => expect(requestKeys).toEqual(['K', 'K']));
  expect(toasts()).toEqual([]);
});

test('many at once are one message', async () => {
  const mine = [1, 2, 3, 4, 5].map((id) => aClaim({ id, respawn_id: 1, date: `2026-11-2${id}` }));
  applySnapshot(1, { claim: mine, respawn: [aSpot(1, 'Fire Library')], event: [anActiveEvent()] });
  endings = mine.map(({ id }) =>
    anEnding({ id, claim_id: id, hour_start: 10, hour_end: 14, reason: 'cleared' }),
  );
  show();
  await changed(...mine.map(({ id }) => gone(id)));
  expect(
    await screen.findByText('An admin (Thora) deleted all claims of a spot, including 5 of yours.'),
  ).toBeTruthy();
  expect(requestKeys).toEqual(['K']);
});

test('after an outage: every claim that an admin deleted, though the missed changes arrive one by one and ended long ago', async () => {
  const later = aClaim({ id: 4, respawn_id: 2, date: '2026-11-23', hour_start: 17, hour_end: 20 });
  await changed(put(later));
  show();
  vi.setSystemTime('2026-11-21T23:30:00.000Z');
  const on = { claim_id: 4, respawn_id: 2, date: later.date, ended_at: '2026-11-21T22:20:00.000Z' };
  endings = [anEnding({ ...on, id: 8 }), anEnding({ ended_at: '2026-11-21T22:00:00.000Z' })];
  await act(async () => {
    const { clock } = useBoard.getState();
    applyChanges({ clock: clock + 1, changes: [gone(1)] });
    applyChanges({ clock: clock + 2, changes: [gone(4)] });
  });
  expect(
    await screen.findByText(
      'An admin (Thora) deleted your claim: Fire Library, Sun 22 Nov, SS+17 to SS+20.',
    ),
  ).toBeTruthy();
  expect(
    await screen.findByText(
      'An admin (Thora) deleted your claim: Cobra Bastion, Mon 23 Nov, SS+17 to SS+20.',
    ),
  ).toBeTruthy();
  expect(requestKeys).toEqual(['K']);
});

test('hours removed without a known reason are not attributed to an admin, and an ending explains one change only', async () => {
  show();
  await changed(put({ ...own, hour_end: 19 }));
  await vi.waitFor(() => expect(requestKeys).toHaveLength(1));
  endings = [anEnding({ reason: 'edited', hour_start: 18, hour_end: 19 })];
  await changed(put({ ...own, hour_end: 18 }));
  expect(
    await screen.findByText(
      /^An admin \(Thora\) changed your claim: .* Now: .*SS\+17 to SS\+18\.$/,
    ),
  ).toBeTruthy();
  await changed(put({ ...own, hour_end: 20 }));
  expect(
    await screen.findByText(/^Your claim was changed: .* Now: .*SS\+17 to SS\+20\.$/),
  ).toBeTruthy();
  await changed(put({ ...own, hour_end: 18 }));
  await vi.waitFor(() => expect(requestKeys).toHaveLength(4));
  expect(toasts()).toHaveLength(2);
});

test('of a split claim only the part that an admin took away, though the other one becomes a whole claim', async () => {
  const part = (part_number: number, respawn_id: number, hour_start: number) => ({
    part_number,
    respawn_id,
    hour_start,
    duration: 2,
  });
  const split = aClaim({
    id: 5,
    date: '2026-11-22',
    is_split_claim: 1,
    split_parts: [part(1, 1, 10), part(2, 2, 14)],
  });
  await changed(gone(1), put(split));
  show();
  endings = [anEnding({ claim_id: 5, hour_start: 10, hour_end: 12 })];
  await changed(
    put(aClaim({ id: 5, date: '2026-11-22', respawn_id: 2, hour_start: 14, hour_end: 16 })),
  );
  expect(
    await screen.findByText(
      'An admin (Thora) deleted your claim: Fire Library, Sun 22 Nov, SS+10 to SS+12.',
    ),
  ).toBeTruthy();
  expect(toasts()).toHaveLength(1);
});
