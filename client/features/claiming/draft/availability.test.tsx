import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ClaimRow } from '../../../../shared/schemas/claim.ts';
import { applyChanges, applySnapshot, clearBoard, useBoard } from '../../../state/board-store.ts';
import { aClaim, aClaimRow, aSpot } from '../../../test/records.ts';
import { useAvailability, useHeldClaims } from './availability.ts';
import type { Period } from './draft.ts';

const DATE = '2026-11-21';
const day: Period = { first: DATE, last: DATE, event_id: null };
const place = { respawn_id: 1, period: day };
const row = (change: Partial<ClaimRow>): ClaimRow =>
  aClaimRow({ respawn_id: 1, date: DATE, ...change });

let requests: string[];
let answer: () => Promise<Response>;
const ok = (data: unknown) => async (): Promise<Response> =>
  new Response(JSON.stringify({ success: true, data }), { status: 200 });
const fails = async (): Promise<Response> => {
  throw new TypeError('Failed to fetch');
};

beforeEach(() => {
  requests = [];
  answer = ok([row({ id: 7, event_id: 9, hour_start: 2, hour_end: 6 })]);
  vi.stubGlobal('fetch', (url: string) => {
    requests.push(url);
    return answer();
  });
  applySnapshot(1, { respawn: [aSpot(1, 'Fire Library', 10)] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  clearBoard();
});

const show = () => renderHook(() => useAvailability([place])).result;
const claimArrives = (hour_start: number): void =>
  act(() => {
    const record = aClaim({
      id: hour_start,
      respawn_id: 1,
      date: DATE,
      hour_start,
      hour_end: hour_start + 2,
    });
    applyChanges({
      clock: useBoard.getState().clock + 1,
      changes: [{ op: 'put', kind: 'claim', record }],
    });
  });
const takenFrom = (result: ReturnType<typeof show>): number[] =>
  result.current.takenIn(1, day).map(({ hour_start }) => hour_start);

test('the server is queried once, and again when the board changes there; until then its last answer is used', async () => {
  const result = show();
  expect(result.current.stateOf(1, day)).toBe('loading');
  await waitFor(() => expect(takenFrom(result)).toEqual([2]));
  answer = ok([
    row({ id: 7, event_id: 9, hour_start: 2, hour_end: 6 }),
    row({ id: 8, event_id: 9, hour_start: 20, hour_end: 22 }),
  ]);
  claimArrives(10);
  expect(takenFrom(result)).toEqual([2, 10]);
  await waitFor(() => expect(takenFrom(result)).toEqual([2, 10, 20]));
  expect(requests).toHaveLength(2);
});

test('a failure shows until an answer arrives: after a change of the board, or on request', async () => {
  answer = fails;
  const result = show();
  await waitFor(() => expect(result.current.stateOf(1, day)).toBe('failed'));
  claimArrives(10);
  await waitFor(() => expect(requests).toHaveLength(2));
  expect([result.current.stateOf(1, day), takenFrom(result)]).toEqual(['failed', [10]]);
  answer = ok([]);
  act(() => result.current.askAgain());
  await waitFor(() => expect(result.current.stateOf(1, day)).toBe('ready'));
});

test('a character’s claims are queried after a pause, by the last name typed', async () => {
  answer = ok({
    hasClaimsForDate: true,
    claimsForDate: [{ respawn_name: 'Ingol', hour_start: 1, hour_end: 3 }],
  });
  const { result, rerender } = renderHook(({ name }) => useHeldClaims(name, null, [day]), {
    initialProps: { name: 'S' },
  });
  rerender({ name: 'Sable' });
  rerender({ name: 'Sable Quinn' });
  expect(result.current.in(day)).toEqual({ status: 'loading' });
  await waitFor(() =>
    expect(result.current.in(day)).toMatchObject({
      status: 'ready',
      value: [{ respawn_name: 'Ingol' }],
    }),
  );
  expect(requests).toHaveLength(1);
  expect(requests[0]).toContain('Sable%20Quinn');
  rerender({ name: '' });
  expect(result.current.in(day)).toEqual({ status: 'loading' });
});

test('“GET /claims/check-character-claims/{characterName}?date=&respawnId=”: names the spot once one is chosen; the answer stays meanwhile', async () => {
  const held = {
    hasClaimsForDate: true,
    claimsForDate: [{ respawn_name: 'Ingol', hour_start: 1, hour_end: 3 }],
  };
  answer = ok(held);
  const initialProps: { spot: number | null } = { spot: null };
  const { result, rerender } = renderHook(({ spot }) => useHeldClaims('Sable', spot, [day]), {
    initialProps,
  });
  await waitFor(() => expect(result.current.in(day).status).toBe('ready'));
  expect(requests[0]).not.toContain('respawnId');
  rerender({ spot: 7 });
  expect(result.current.in(day).status).toBe('ready');
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(requests[1]).toContain('respawnId=7');
  expect(result.current.in(day)).toMatchObject({
    status: 'ready',
    value: [{ respawn_name: 'Ingol' }],
  });
});
