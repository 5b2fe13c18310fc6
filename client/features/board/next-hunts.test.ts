import { expect, test } from 'vitest';
import { claimsByRespawn, useBoard } from '../../state/board-store.ts';
import { claimsOfCharacters } from '../../state/own-claims.ts';
import { aClaim, anActiveEvent } from '../../test/records.ts';
import { nextHunts } from './my-hunts.tsx';

const clock = { ss_time_zone: 'UTC', ss_hour: 8 };
const now = { date: '2026-11-21', hour: 13 };

test('current claims first, then the next ones, of all characters; no secondary or past claims', () => {
  const index = claimsByRespawn([
    aClaim({ id: 1, respawn_id: 1, date: '2026-11-22', hour_start: 2, hour_end: 6 }),
    aClaim({
      id: 2,
      respawn_id: 2,
      hour_start: 12,
      hour_end: 14,
      character_name: 'Mira Stormcrow',
    }),
    aClaim({ id: 3, respawn_id: 3, hour_start: 20, hour_end: 24 }),
    aClaim({
      id: 4,
      respawn_id: 3,
      hour_start: 18,
      hour_end: 20,
      is_secondary_claim: 1,
      secondary_priority: 5,
    }),
    aClaim({ id: 5, respawn_id: 4, hour_start: 8, hour_end: 13 }),
    aClaim({ id: 6, respawn_id: 4, hour_start: 15, hour_end: 16, character_name: 'Old Bram' }),
  ]);
  const hunts = nextHunts(
    claimsOfCharacters(['arden vale', 'mira stormcrow'], {
      ...useBoard.getState(),
      claimsByRespawn: index,
    }),
    anActiveEvent(),
    now,
    clock,
  );
  expect(hunts.map(({ key, character_name, date }) => [key, character_name, date])).toEqual([
    ['2/0', 'Mira Stormcrow', '2026-11-21'],
    ['3/0', 'Arden Vale', '2026-11-21'],
    ['1/0', 'Arden Vale', '2026-11-22'],
  ]);
  expect(
    hunts.map(({ begins, ends }) =>
      [begins, ends].map((at) => new Date(at).toISOString().slice(0, 16)),
    ),
  ).toEqual([
    ['2026-11-21T20:00', '2026-11-21T22:00'],
    ['2026-11-22T04:00', '2026-11-22T08:00'],
    ['2026-11-22T10:00', '2026-11-22T14:00'],
  ]);
});

test('a claim for a whole event is next on the next of its days', () => {
  const index = claimsByRespawn([
    aClaim({ id: 1, respawn_id: 1, date: null, hour_start: 2, hour_end: 6 }),
  ]);
  const [hunt] = nextHunts(
    claimsOfCharacters(['arden vale'], { ...useBoard.getState(), claimsByRespawn: index }),
    anActiveEvent({ type: 'single_claim' }),
    now,
    clock,
  );
  expect(hunt?.date).toBe('2026-11-22');
});
