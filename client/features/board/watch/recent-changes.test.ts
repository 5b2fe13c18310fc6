import { expect, test } from 'vitest';
import { claimsByRespawn } from '../../../state/board-store.ts';
import { aClaim } from '../../../test/records.ts';
import {
  changesBetween,
  changesOnOpening,
  latest,
  MAX_RECENT_CHANGES,
  RECENT_MS,
} from './recent-changes.tsx';

const NOW = Date.parse('2026-11-21T21:30:00Z');
const never = (): boolean => false;

test('reports new, moved and ended claims; not unchanged ones after a reload of the board', () => {
  const before = claimsByRespawn([
    aClaim({ id: 1, respawn_id: 1 }),
    aClaim({ id: 2, respawn_id: 2, hour_start: 4, hour_end: 8 }),
    aClaim({ id: 3, respawn_id: 3 }),
    aClaim({ id: 4, respawn_id: 4 }),
  ]);
  const after = claimsByRespawn([
    aClaim({ id: 1, respawn_id: 1 }),
    aClaim({ id: 2, respawn_id: 2, hour_start: 5, hour_end: 9 }),
    aClaim({ id: 3, respawn_id: 5 }),
    aClaim({ id: 6, respawn_id: 1, date: '2026-11-24' }),
  ]);
  const news = changesBetween(before, after, NOW, never).map(
    ({ kind, claim }) => `${claim.id} ${kind} ${claim.respawn_id} SS+${claim.hour_start}`,
  );
  expect(news.sort()).toEqual([
    '2 moved 2 SS+5',
    '3 moved 5 SS+10',
    '4 ended 4 SS+10',
    '6 claimed 1 SS+10',
  ]);
  expect(changesBetween(before, before, NOW, never)).toEqual([]);
});

test('a claim whose hours have passed is not reported as ended', () => {
  const before = claimsByRespawn([aClaim({ id: 1, date: '2026-11-20' }), aClaim({ id: 2 })]);
  const news = changesBetween(before, new Map(), NOW, (claim) => claim.date === '2026-11-20');
  expect(news.map(({ claim }) => claim.id)).toEqual([2]);
});

test('on opening, the changes of the last ten minutes are listed, latest first', () => {
  const made = (id: number, minutes: number) =>
    aClaim({ id, respawn_id: id, created_at: new Date(NOW - minutes * 60_000).toISOString() });
  const news = changesOnOpening(claimsByRespawn([made(1, 9), made(2, 2), made(3, 10)]), NOW);
  expect(news.map(({ claim }) => claim.id)).toEqual([2, 1]);
});

test('news is old after ten minutes, and a storm of claims leaves the latest hundred', () => {
  const storm = Array.from({ length: 3 * MAX_RECENT_CHANGES }, (_, id) =>
    aClaim({ id: id + 1, respawn_id: id + 1 }),
  );
  const news = changesBetween(new Map(), claimsByRespawn(storm), NOW, never);
  expect(latest(news, NOW)).toHaveLength(100);
  expect(latest(news, NOW + RECENT_MS - 1)).toHaveLength(100);
  expect(latest(news, NOW + RECENT_MS)).toEqual([]);
});

test('reports held hours as offered, then as claimed or as expired', () => {
  const until = { held_until: '2026-11-21T21:40:00.000Z' };
  const held = claimsByRespawn([aClaim({ id: 1, is_held: 1, ...until })], new Date(NOW));
  const taken = claimsByRespawn([aClaim({ id: 1 })]);
  const changes = (before: typeof held, after: typeof held): string[] =>
    changesBetween(before, after, NOW, never).map(
      ({ kind, claim }) => `${kind} ${claim.character_name}`,
    );
  expect(changes(new Map(), held)).toEqual(['offered Arden Vale']);
  expect(changes(held, taken)).toEqual(['claimed Arden Vale']);
  expect(changes(held, new Map())).toEqual(['offerEnded Arden Vale']);
  const justNow = claimsByRespawn(
    [aClaim({ id: 1, is_held: 1, ...until, created_at: new Date(NOW).toISOString() })],
    new Date(NOW),
  );
  expect(changesOnOpening(justNow, NOW).map(({ kind }) => kind)).toEqual(['offered']);
});
