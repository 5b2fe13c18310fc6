import { beforeEach, expect, test } from 'vitest';
import { keepLastClaim, keptLastClaim, newestOf } from '../../state/last-claim.ts';
import { aClaimOnRespawn } from '../../test/records.ts';
import { type AgainFacts, mayClaimAgain } from './claim-again.tsx';

beforeEach(() => localStorage.clear());

const facts = (change: Partial<AgainFacts> = {}): AgainFacts => ({
  last: { hour_start: 16, hour_end: 20 },
  date: '2026-11-22',
  over: 0,
  voucher: 4,
  mine: [aClaimOnRespawn({ date: '2026-11-21' })],
  onSpot: [],
  ...change,
});

test('the last claim is offered again if its hours are free, upcoming, and within the voucher', () => {
  expect(mayClaimAgain(facts())).toBe(true);
  expect(mayClaimAgain(facts({ voucher: 3 }))).toBe(false);
  expect(mayClaimAgain(facts({ over: 16 }))).toBe(true);
  // As in the form: nothing starts in a past hour.
  expect(mayClaimAgain(facts({ over: 17 }))).toBe(false);
  const taken = (hour_start: number, hour_end: number, more = {}): AgainFacts['onSpot'] => [
    aClaimOnRespawn({
      date: '2026-11-22',
      hour_start,
      hour_end,
      character_name: 'Old Bram',
      ...more,
    }),
  ];
  expect(mayClaimAgain(facts({ onSpot: taken(12, 16) }))).toBe(true);
  expect(mayClaimAgain(facts({ onSpot: taken(19, 22) }))).toBe(false);
  expect(mayClaimAgain(facts({ onSpot: taken(19, 22, { is_secondary_claim: 1 }) }))).toBe(true);
});

test('a character that has a claim on the date is offered none', () => {
  expect(mayClaimAgain(facts({ mine: [aClaimOnRespawn({ date: '2026-11-22' })] }))).toBe(false);
  expect(mayClaimAgain(facts({ mine: [aClaimOnRespawn({ date: null })] }))).toBe(false);
});

test('the last claim is the newest in one part that does not wait; it is kept when the board shows it no longer', () => {
  const claims = [
    aClaimOnRespawn({ id: 4, hour_start: 2, hour_end: 6 }),
    aClaimOnRespawn({ id: 6, is_secondary_claim: 1 }),
    aClaimOnRespawn({ id: 7, is_split_claim: 1, split_part_number: 1 }),
    aClaimOnRespawn({ id: 5, respawn_id: 9 }),
  ];
  const newest = newestOf(claims);
  expect(newest).toEqual({ id: 5, respawn_id: 9, hour_start: 10, hour_end: 14 });
  expect(newestOf([])).toBeNull();
  if (newest) keepLastClaim('arden vale', newest);
  expect(keptLastClaim('arden vale')).toEqual(newest);
  expect(keptLastClaim('mira stormcrow')).toBeNull();
});

test.each([
  'no json',
  '[]',
  '{"id":1}',
  '{"id":1,"respawn_id":2,"hour_start":0,"hour_end":"4"}',
  'null',
])('kept as %s it is none', (kept) => {
  localStorage.setItem('lastClaim:arden vale', kept);
  expect(keptLastClaim('arden vale')).toBeNull();
});
