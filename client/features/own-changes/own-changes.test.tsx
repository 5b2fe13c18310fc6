import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Change } from '../../../shared/live.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { Ending } from '../../../shared/schemas/ending.ts';
import { applyChanges, applySnapshot, clearBoard, useBoard } from '../../store/board-store.ts';
import { useSession } from '../../store/session-store.ts';
import { dismissToasts } from '../../test/dismiss-toasts.ts';
import { aClaim, anActiveEvent, aSpot } from '../../test/records.ts';
import { ToastHost } from '../../ui/toast.tsx';
import { OwnChangesHost } from './own-changes-host.tsx';

const NOW = '2026-11-21T21:30:00.000Z';
const arden = { characterName: 'Arden Vale', memberType: 'member', accessKey: 'K', isVerified: true, createdAt: '' };
const own = aClaim({ id: 1, respawn_id: 1, date: '2026-11-22', hour_start: 17, hour_end: 20 });
const others = aClaim({ id: 2, respawn_id: 1, character_name: 'Mira Stormcrow', date: '2026-11-22', hour_start: 2, hour_end: 4 });
const anEnding = (change: Partial<Ending> = {}): Ending => ({
  ...{ id: 7, claim_id: 1, character_name: 'Arden Vale', member_type: 'member', respawn_id: 1, respawn_name: 'Fire Library' },
  ...{ event_id: null, date: '2026-11-22', hour_start: 17, hour_end: 20, made_at: NOW, ended_at: NOW, reason: 'admin', by: 'Thora' },
  ...change,
});

let endings: Ending[] = [];
let asked: (string | null)[] = [];
beforeEach(() => {
  vi.useFakeTimers({ now: new Date(NOW), toFake: ['Date'] });
  [endings, asked] = [[], []];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (!url.startsWith('/api/endings/mine')) throw new TypeError(url);
    asked.push(new Headers(init.headers).get('X-Access-Key'));
    return new Response(JSON.stringify({ success: true, data: { endings, waits: [] } }));
  });
  useSession.setState({ status: 'ready', current: arden, profiles: [arden], admin: null });
  applySnapshot(1, { claim: [own, others], respawn: [aSpot(1, 'Fire Library'), aSpot(2, 'Cobra Bastion')], event: [anActiveEvent()] });
});
afterEach(() => {
  act(dismissToasts);
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
const said = (): string[] =>
  within(region())
    .queryAllByText(/claim/)
    .map(({ textContent }) => textContent ?? '');

test('an own claim that an admin deletes: which, why and who, politely, until it is dismissed; My claims is a press away', async () => {
  vi.useFakeTimers({ now: new Date(NOW), shouldAdvanceTime: true });
  endings = [anEnding()];
  show();
  await changed(gone(1));
  const text = 'Your claim of Fire Library, Sun 22 Nov, SS+17 to SS+20: Deleted by an admin (Thora).';
  expect(await screen.findByText(text)).toBeTruthy();
  expect(region().getAttribute('aria-live')).toBe('polite');
  expect(asked).toEqual(['K']);
  await act(async () => void vi.advanceTimersByTime(60_000));
  expect(screen.getByText(text)).toBeTruthy();
  vi.useRealTimers();
  await userEvent.click(within(region()).getByRole('button', { name: 'My claims' }));
  expect(screen.getByTestId('address').textContent).toBe('/mine');
  expect(said()).toEqual([]);
});

test('one that is moved or shortened says where it is now, one that is only lengthened, too, without a name', async () => {
  endings = [anEnding({ reason: 'edited' })];
  show();
  await changed(put({ ...own, respawn_id: 2, hour_start: 18 }));
  expect(
    await screen.findByText(
      'Your claim of Fire Library, Sun 22 Nov, SS+17 to SS+20: Changed by an admin (Thora). Now: Cobra Bastion, Sun 22 Nov, SS+18 to SS+20.',
    ),
  ).toBeTruthy();
  endings = [];
  await changed(put({ ...own, respawn_id: 2, hour_start: 18, hour_end: 22 }));
  expect(
    await screen.findByText(/SS\+18 to SS\+20: Changed by an admin\. Now: Cobra Bastion, Sun 22 Nov, SS\+18 to SS\+22\.$/),
  ).toBeTruthy();
});

test('nothing is said, or even asked, of other members’ claims; nothing of what one gave back, or of an event that is no longer active', async () => {
  show();
  await changed(gone(2), put(aClaim({ id: 3, respawn_id: 2 })));
  expect(asked).toEqual([]);
  endings = [anEnding({ reason: 'released', by: 'arden vale' })];
  await changed(put({ ...own, hour_end: 18 }));
  endings = [anEnding({ ended_at: '2026-11-20T10:00:00.000Z' })];
  await changed(gone(1));
  await vi.waitFor(() => expect(asked).toEqual(['K', 'K']));
  expect(said()).toEqual([]);
});

test('many at once are one message', async () => {
  const mine = [1, 2, 3, 4, 5].map((id) => aClaim({ id, respawn_id: 1, date: `2026-11-2${id}` }));
  applySnapshot(1, { claim: mine, respawn: [aSpot(1, 'Fire Library')], event: [anActiveEvent()] });
  endings = mine.map(({ id }) => anEnding({ id, claim_id: id, reason: 'cleared' }));
  show();
  await changed(...mine.map(({ id }) => gone(id)));
  expect(await screen.findByText('5 of your claims: All claims of the spot were deleted (Thora).')).toBeTruthy();
  expect(asked).toEqual(['K']);
});
