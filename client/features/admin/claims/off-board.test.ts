import { expect, test } from 'vitest';
import { aClaim, aClaimRow, anEntry, anEvent } from '../../../test/records.ts';
import { isOfCharacter, isOfPast, lastClaimChange } from './claim-changes.ts';
import { endedEvents, offBoard, withoutBoard } from './shown-claims.ts';

const TODAY = '2026-11-21';
const idsIn = (index: ReturnType<typeof offBoard>): number[] =>
  [...index.values()].flat().map((claim) => claim.id);

test('the board holds the claims from today on, and those of a whole event until it ends', () => {
  const events = [
    anEvent({ id: 1, end_time: '2026-11-20T23:59' }),
    anEvent({ id: 11, end_time: '2026-11-21T23:59' }),
  ];
  const claims = [
    aClaimRow({ id: 1, date: '2026-11-20' }),
    aClaimRow({ id: 2, date: TODAY }),
    aClaimRow({ id: 3, date: null, event_id: 1 }),
    aClaimRow({ id: 4, date: null, event_id: 11 }),
  ];
  expect(idsIn(offBoard(claims, endedEvents(events, TODAY), TODAY))).toEqual([1, 3]);
});

test('around a server save a claim still on the board is listed once, and the list is not rebuilt otherwise', () => {
  const index = offBoard(
    [aClaimRow({ id: 1, date: '2026-11-20' }), aClaimRow({ id: 2, date: '2026-11-20' })],
    '',
    TODAY,
  );
  expect(idsIn(withoutBoard(index, { get: (id) => (id === 1 ? aClaim() : undefined) }))).toEqual([
    2,
  ]);
  expect(withoutBoard(index, { get: () => undefined })).toBe(index);
});

test('the log provides claims off the board, not those on it', () => {
  const entries = [
    anEntry({ id: 9, action: 'claim_created', details: { date: TODAY } }),
    anEntry({ id: 8, action: 'admin_login' }),
    anEntry({ id: 5, action: 'claim_updated', details: { date: '2026-11-20' } }),
    anEntry({ id: 3, action: 'claims_restored' }),
  ];
  expect(lastClaimChange(entries, isOfPast(TODAY))).toBe(5);
  expect(lastClaimChange(entries.slice(3), isOfPast(TODAY))).toBe(3);
  expect(lastClaimChange(entries.slice(0, 2), isOfPast(TODAY))).toBe(0);
});

test.each([
  'claims_cleared',
  'claims_deleted',
  'claims_restored',
  'change_undone',
  'event_deleted',
  'event_restored',
  'event_archived',
  'respawn_deleted',
  'respawns_deleted',
  'respawn_restored',
  'waits_voided',
] as const)('after %s, which may be about any claims, every list is read again', (action) => {
  expect(lastClaimChange([anEntry({ id: 4, action })], () => false)).toBe(4);
});

test.each([
  'claim_no_show',
  'transfer_ended',
  'wait_withdrawn',
  'wait_voided',
  'hold_declined',
  'hold_lapsed',
] as const)(
  'after %s, which is about one claim, only the lists that may show that claim are read again',
  (action) => {
    expect(lastClaimChange([anEntry({ id: 4, action })], () => true)).toBe(4);
    expect(lastClaimChange([anEntry({ id: 4, action })], () => false)).toBe(0);
  },
);

test('a claim is of a character who has it, who had it, or to whom it was offered, in any case', () => {
  const isOfArden = isOfCharacter('arden vale');
  expect(isOfArden({ character_name: 'Arden Vale' })).toBe(true);
  expect(isOfArden({ character_name: 'Mira Stormcrow', to_name: 'Arden Vale' })).toBe(true);
  const changed = { character_name: { from: 'Arden Vale', to: 'Mira Stormcrow' } };
  expect(isOfArden({ character_name: 'Mira Stormcrow', changed })).toBe(true);
  expect(
    isOfArden({ character_name: 'Mira Stormcrow', changed: { hour_end: { from: 4, to: 5 } } }),
  ).toBe(false);
});
