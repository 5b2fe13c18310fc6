import { expect, test } from 'vitest';
import { claimSearch, keptClaimantIn, requestedHoursIn } from './claim-request.ts';

const read = (search: string) => requestedHoursIn(new URLSearchParams(search));

test('a request is written to the address and read back unchanged', () => {
  const request = { respawn_id: 12, date: '2026-11-21', hour: 14, hours: 3 };
  expect(claimSearch(request)).toBe('?respawn=12&date=2026-11-21&hour=14&hours=3');
  expect(read(claimSearch(request))).toEqual(request);
  expect(claimSearch({ respawn_id: 12, date: '2026-11-21' })).toBe('?respawn=12&date=2026-11-21');
});

test('invalid hours, durations and spots are ignored', () => {
  expect(read('?respawn=0&hour=24&hours=0')).toEqual({
    respawn_id: null,
    date: null,
    hour: null,
    hours: null,
  });
  expect(read('?respawn=x&hour=-1&hours=25&hour=3')).toEqual({
    respawn_id: null,
    date: null,
    hour: null,
    hours: null,
  });
});

test('an admin’s claimant is read from the history only if complete', () => {
  const requested_claimant = { character_name: 'Sable Quinn', member_type: 'elite' };
  expect(keptClaimantIn({ requested_claimant })).toEqual(requested_claimant);
  for (const state of [
    null,
    'x',
    {},
    { requested_claimant: null },
    { requested_claimant: { character_name: 'Sable Quinn' } },
  ]) {
    expect(keptClaimantIn(state)).toBeNull();
  }
});
