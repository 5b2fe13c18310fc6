import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Snapshot } from '../../../../shared/live.ts';
import { clearBoard, setConnection } from '../../../state/board-store.ts';
import { aClaim, aClaimRow, anEvent, aRespawn } from '../../../test/records.ts';
import { mockServer, ok, refused, type Sent } from '../test/server.ts';
import { push, showAdmin } from '../test/show-admin.tsx';
// Loaded when the tab is opened: here it is there before the first test's time runs.
import './claims-tab.tsx';

const palace = aRespawn();
const week = anEvent({ id: 7, is_active: 1, claim_count: 1 });
const onBoard = aClaim({ id: 1, event_id: week.id });
const board: Snapshot = { event: [week], respawn: [palace], claim: [onBoard] };
const read = aClaimRow({ id: 2, event_id: week.id, character_name: 'Sable Quinn' });
const elsewhere = aClaimRow({ id: 3, event_id: null, character_name: 'Old Bram' });

const EVENT = 'GET /api/events/7/claims';
const ALL = 'GET /api/admin/claims';
const OUTSIDE = 'GET /api/admin/claims?except_event=7&from=2026-11-21&limit=1';
const FROM_TODAY = 'GET /api/admin/claims?from=2026-11-21';
const EARLIER = 'GET /api/admin/claims?to=2026-11-20';
const failed = (): Response => refused(502, '');

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const open = (snapshot: Snapshot): Promise<HTMLElement> => {
  showAdmin('/admin/dashboard/claims?day=all', snapshot);
  return screen.findByRole('region', { name: 'Claims' });
};
const list = (): HTMLElement => screen.getByRole('region', { name: 'Claims' });
const lines = (): number => within(list()).queryAllByRole('listitem').length;
const callsIn = (sent: readonly Sent[]): string[] =>
  sent.map(({ call }) => call).filter((call) => call !== OUTSIDE);
const clearAll = (): string | null =>
  screen.getByRole('button', { name: /^Clear All/ }).textContent;

test('“GET /events/{id}/claims” answers where the board is not live, again after each change', async () => {
  let rows = [read];
  const sent = mockServer({ [EVENT]: () => ok(rows), [OUTSIDE]: () => ok([]) });
  await open(board);
  expect(callsIn(sent)).toEqual([]);
  act(() => setConnection('polling'));
  expect(list().textContent).toContain(onBoard.character_name);
  await waitFor(() => expect(list().textContent).toContain('Sable Quinn'));
  expect(lines()).toBe(1);
  expect(callsIn(sent)).toEqual([EVENT]);
  rows = [];
  push({ op: 'put', kind: 'respawn', record: palace });
  await waitFor(() => expect(lines()).toBe(0));
  act(() => setConnection('live'));
  expect(list().textContent).toContain(onBoard.character_name);
});

test('what one outage read is not shown at the start of the next', async () => {
  mockServer({ [EVENT]: () => ok([read]), [OUTSIDE]: () => ok([]) });
  await open(board);
  act(() => setConnection('polling'));
  await waitFor(() => expect(list().textContent).toContain('Sable Quinn'));
  act(() => setConnection('live'));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  act(() => setConnection('polling'));
  expect(list().textContent).not.toContain('Sable Quinn');
});

test('“On a failed load of claims the dashboard falls back to all claims”; Clear All counts the event’s', async () => {
  mockServer({
    [EVENT]: failed,
    [ALL]: () => ok([read, elsewhere]),
    [OUTSIDE]: () => ok([]),
  });
  await open(board);
  act(() => setConnection('offline'));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toMatch(
    /^Failed to load event claims.*All claims are shown instead\.Try again$/,
  );
  expect(lines()).toBe(2);
  expect(clearAll()).toBe('Clear All (1)');
  expect(screen.queryByRole('switch')).toBeNull();
});

test('“… then to an empty list”: one alert says both failures, and trying again reads them', async () => {
  let answer = failed;
  const sent = mockServer({
    [EVENT]: () => answer(),
    [ALL]: () => answer(),
    [OUTSIDE]: () => ok([]),
  });
  await open(board);
  act(() => setConnection('offline'));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toMatch(
    /^Failed to load event claimsFailed to fetch claims.*Claims may be missing from this list\.Try again$/,
  );
  expect(lines()).toBe(0);
  expect(screen.queryByText('No claims yet')).toBeNull();
  answer = () => ok([read]);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(lines()).toBe(1));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(callsIn(sent)).toEqual([EVENT, ALL, EVENT]);
});

test('without an event all claims are read, and a failure of both calls is said once', async () => {
  const today = aClaim({ id: 21, date: '2026-11-21', character_name: 'Nim Farrow' });
  let answer = failed;
  mockServer({
    [FROM_TODAY]: () => answer(),
    [EARLIER]: () => ok([aClaimRow({ ...elsewhere, date: '2026-10-01' })]),
  });
  await open({ respawn: [palace], claim: [today] });
  act(() => setConnection('polling'));
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Failed to fetch claims/);
  expect(lines()).toBe(1);
  expect(list().textContent).toContain('Old Bram');
  answer = () => ok([aClaimRow({ ...read, date: '2026-11-22' })]);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(lines()).toBe(2));
  expect(list().textContent).toContain('Sable Quinn');
});
