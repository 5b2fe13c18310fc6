import { expect, test } from 'vitest';
import { claimOnRespawns } from '../../shared/rules/claim-parts.ts';
import type { Claim } from '../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../shared/schemas/event.ts';
import { aClaim, anActiveEvent } from '../test/records.ts';
import { claimsByRespawn, useBoard } from './board-store.ts';
import { claimsOfCharacters, inOrder } from './own-claims.ts';

const now = { date: '2026-11-21', hour: 13 };
const order = (claims: Claim[], event: ActiveEvent | null = anActiveEvent(), at = now) => {
  const { coming, over } = inOrder(
    claimsOfCharacters(['arden vale'], {
      ...useBoard.getState(),
      claimsByRespawn: claimsByRespawn(claims),
    }),
    event,
    at,
  );
  return { coming: coming.map(({ id }) => id), over: over.map(({ id }) => id) };
};

test('running claims come first, then upcoming ones, on any spot and date', () => {
  const claims = [
    aClaim({ id: 1, respawn_id: 1, date: '2026-11-23', hour_start: 2, hour_end: 6 }),
    aClaim({ id: 2, respawn_id: 2, date: '2026-11-22', hour_start: 20, hour_end: 24 }),
    aClaim({ id: 3, respawn_id: 3, hour_start: 18, hour_end: 22 }),
    aClaim({ id: 4, respawn_id: 4, hour_start: 10, hour_end: 14 }),
  ];
  expect(order(claims)).toEqual({ coming: [4, 3, 2, 1], over: [] });
});

test('a claim is past when its last hour has ended: earlier today and on days before, the latest first', () => {
  const claims = [
    aClaim({ id: 1, respawn_id: 1, hour_start: 9, hour_end: 13 }),
    aClaim({ id: 2, respawn_id: 2, hour_start: 10, hour_end: 14 }),
    aClaim({ id: 3, respawn_id: 3, date: '2026-11-19' }),
    aClaim({ id: 4, respawn_id: 4, date: '2026-11-20' }),
  ];
  expect(order(claims)).toEqual({ coming: [2], over: [1, 4, 3] });
});

test('both parts of a split claim and a secondary claim are listed; those of others are not', () => {
  const split_parts = [
    { part_number: 1, respawn_id: 1, hour_start: 14, duration: 2 },
    { part_number: 2, respawn_id: 2, hour_start: 20, duration: 2 },
  ];
  const claims = [
    aClaim({ id: 1, respawn_id: 1, is_split_claim: 1, split_parts }),
    aClaim({
      id: 2,
      respawn_id: 3,
      hour_start: 16,
      hour_end: 20,
      is_secondary_claim: 1,
      secondary_priority: 5,
    }),
    aClaim({ id: 3, respawn_id: 4, character_name: 'Mira Stormcrow' }),
    aClaim({ id: 4, respawn_id: 4, character_name: 'ARDEN  vale', hour_start: 22, hour_end: 24 }),
  ];
  const rows = [...claimsByRespawn(claims).values()].flat().filter(({ id }) => id === 1);
  expect(rows).toEqual(claimOnRespawns(claims[0] ?? aClaim({ id: 1, respawn_id: 1 })));
  expect(order(claims).coming).toEqual([1, 2, 1, 4]);
});

test('the claims of a single_claim event: today while they last, tomorrow afterwards', () => {
  const event = anActiveEvent({ type: 'single_claim' });
  const claims = [
    aClaim({ id: 1, respawn_id: 1, date: null, hour_start: 2, hour_end: 6 }),
    aClaim({ id: 2, respawn_id: 2, date: null, hour_start: 20, hour_end: 24 }),
    aClaim({ id: 3, respawn_id: 3, date: null, hour_start: 12, hour_end: 14 }),
  ];
  expect(order(claims, event)).toEqual({ coming: [3, 2, 1], over: [] });
  expect(order(claims, event, { date: '2026-11-28', hour: 13 })).toEqual({
    coming: [3, 2],
    over: [1],
  });
  expect(order(claims, event, { date: '2026-11-10', hour: 13 })).toEqual({
    coming: [1, 3, 2],
    over: [],
  });
  expect(order(claims, event, { date: '2026-12-01', hour: 0 }).coming).toEqual([]);
});
