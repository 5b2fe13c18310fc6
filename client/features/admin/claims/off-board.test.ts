import { expect, test } from 'vitest';
import { aClaim, aClaimRow, anEntry, anEvent } from '../../../test/records.ts';
import { endedEvents, lastOffBoardChange, offBoard, withoutBoard } from './shown-claims.ts';

const TODAY = '2026-11-21';
const idsIn = (index: ReturnType<typeof offBoard>): number[] => [...index.values()].flat().map((claim) => claim.id);

test('the board holds the claims from today on, and those of a whole event until it ends', () => {
  const events = [anEvent({ id: 1, end_time: '2026-11-20T23:59' }), anEvent({ id: 11, end_time: '2026-11-21T23:59' })];
  const claims = [
    aClaimRow({ id: 1, date: '2026-11-20' }),
    aClaimRow({ id: 2, date: TODAY }),
    aClaimRow({ id: 3, date: null, event_id: 1 }),
    aClaimRow({ id: 4, date: null, event_id: 11 }),
  ];
  expect(idsIn(offBoard(claims, endedEvents(events, TODAY), TODAY))).toEqual([1, 3]);
});

test('around a server save a claim still on the board is listed once, and the list is not rebuilt otherwise', () => {
  const index = offBoard([aClaimRow({ id: 1, date: '2026-11-20' }), aClaimRow({ id: 2, date: '2026-11-20' })], '', TODAY);
  expect(idsIn(withoutBoard(index, { get: (id) => (id === 1 ? aClaim() : undefined) }))).toEqual([2]);
  expect(withoutBoard(index, { get: () => undefined })).toBe(index);
});

test('the log provides claims off the board, not those on it', () => {
  const entries = [
    anEntry({ id: 9, action: 'claim_created', details: { date: TODAY } }),
    anEntry({ id: 8, action: 'admin_login' }),
    anEntry({ id: 5, action: 'claim_updated', details: { date: '2026-11-20' } }),
    anEntry({ id: 3, action: 'claims_restored' }),
  ];
  expect(lastOffBoardChange(entries, TODAY)).toBe(5);
  expect(lastOffBoardChange(entries.slice(3), TODAY)).toBe(3);
  expect(lastOffBoardChange(entries.slice(0, 2), TODAY)).toBe(0);
});
